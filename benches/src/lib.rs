//! What the benches share: data, and forests of every algorithm that can learn it.
//!
//! `cargo bench --package benches` runs them all on one thread; a throughput of one element is one
//! sample in one tree. `cargo bench --package benches -- 'learn/mondrian/'` runs some.

use datasets::{Dataset, OpenOptions, Target, data_folder};
use online_forests::ndarray::ArrayView2;
use online_forests::{Algorithm, Classification, NamedTask, Regression, Schema, Task, threads};

/// Trees of every forest.
pub const TREES: usize = 10;

/// A data set as one task sees it.
#[derive(Debug)]
pub struct Samples<T: Task> {
    data: Dataset,
    targets: Vec<T::Target>,
}

impl<T: Task> Samples<T> {
    /// Name of the data, as an address.
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// Feature rows.
    pub fn features(&self) -> ArrayView2<'_, f32> {
        self.data.features.view()
    }

    /// Targets, one a row.
    pub fn targets(&self) -> &[T::Target] {
        &self.targets
    }

    /// The shape of the stream.
    ///
    /// # Panics
    /// Never: data sets have features.
    pub fn schema(&self) -> Schema<T> {
        Schema::new(self.data.n_features()).expect("a data set has features")
    }
}

/// Samples for classification; named sets lie in the folder `FOREST_DATA`.
///
/// # Panics
/// If the data are not there, or have no classes.
pub fn classes(address: &str) -> Samples<Classification> {
    let data = open(address);
    let Target::Classes { labels, .. } = &data.target else {
        unreachable!("{address} has classes")
    };
    let targets = labels.clone();
    Samples { data, targets }
}

/// Samples for regression; named sets lie in the folder `FOREST_DATA`.
///
/// # Panics
/// If the data are not there, or have no numbers.
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
    datasets::open(address, &options).expect("the data are there")
}

/// Every algorithm that can learn task `T`, baselines aside.
pub fn forests<T: NamedTask>() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| !algorithm.is_baseline() && algorithm.supports::<T>())
}

/// Runs `work` on one thread.
pub fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    threads::with_threads(1, work).expect("one thread can be had")
}
