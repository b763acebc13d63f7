//! Shared code of the benches: data, and forests of every algorithm that supports them.
//!
//! `cargo bench --package benches` runs them all on one thread; a throughput of one element is one
//! sample in one tree. `cargo bench --package benches -- 'learn/mondrian/'` runs some.

use datasets::{Dataset, OpenOptions, Target, data_folder};
use online_forests::ndarray::ArrayView2;
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, Regression, Schema, Task, threads,
};

/// Trees of every forest.
pub const TREES: usize = 10;

/// A data set for one task.
#[derive(Debug)]
pub struct Samples<T: Task> {
    data: Dataset,
    targets: Vec<T::Target>,
}

impl<T: Task> Samples<T> {
    /// Returns the address of the data.
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// Returns the feature rows.
    pub fn features(&self) -> ArrayView2<'_, f32> {
        self.data.features.view()
    }

    /// Returns the targets, one per row.
    pub fn targets(&self) -> &[T::Target] {
        &self.targets
    }

    /// Returns the schema of the stream.
    ///
    /// # Panics
    /// Never: data sets have features.
    pub fn schema(&self) -> Schema<T> {
        Schema::new(self.data.n_features()).expect("a data set has features")
    }
}

/// Opens samples for classification; named data sets are in the folder `FOREST_DATA`.
///
/// # Panics
/// Panics if the data are missing, or are not a classification data set.
pub fn classes(address: &str) -> Samples<Classification> {
    let data = open(address);
    let Target::Classes { labels, .. } = &data.target else {
        unreachable!("{address} has classes")
    };
    let targets = labels.clone();
    Samples { data, targets }
}

/// Opens samples for regression; named data sets are in the folder `FOREST_DATA`.
///
/// # Panics
/// Panics if the data are missing, or are not a regression data set.
pub fn numbers(address: &str) -> Samples<Regression> {
    let data = open(address);
    let Target::Values { values, .. } = &data.target else {
        unreachable!("{address} has numbers")
    };
    let targets = values.clone();
    Samples { data, targets }
}

fn open(address: &str) -> Dataset {
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    datasets::open(address, &options).expect("the data exist")
}

/// Returns every algorithm that supports task `T`, except baselines.
pub fn forests<T: Task>() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| !algorithm.is_baseline() && algorithm.supports::<T>())
}

/// Makes a forest of [`TREES`] trees that has learned nothing, for these samples.
///
/// # Panics
/// Panics for parameters that do not fit the samples; defaults do.
pub fn forest<T: Task>(algorithm: &Algorithm, samples: &Samples<T>) -> AnyLearner<T> {
    let settings = ForestSettings::default().with_trees(TREES).with_seed(1);
    let forest = algorithm.build::<T>(samples.schema(), settings);
    forest.expect("the parameters fit the samples")
}

/// Runs `work` on one thread.
pub fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    threads::with_threads(1, work).expect("one thread can be had")
}
