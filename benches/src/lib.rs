//! What the benches share: generated data, and forests of every algorithm that can learn it.
//!
//! `cargo bench --package benches` runs them all on one thread; a throughput of one element is one
//! sample in one tree. `cargo bench --package benches -- 'learn/mondrian/'` runs some.

use datasets::{Dataset, OpenOptions, Target};
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

/// Generated samples for classification.
///
/// # Panics
/// If `address` does not generate classes.
pub fn classes(address: &str) -> Samples<Classification> {
    let data = generate(address);
    let Target::Classes { labels, .. } = &data.target else {
        unreachable!("{address} generates classes")
    };
    let targets = labels.clone();
    Samples { data, targets }
}

/// Generated samples for regression.
///
/// # Panics
/// If `address` does not generate numbers.
pub fn numbers(address: &str) -> Samples<Regression> {
    let data = generate(address);
    let Target::Values { values, .. } = &data.target else {
        unreachable!("{address} generates numbers")
    };
    let targets = values.clone();
    Samples { data, targets }
}

fn generate(address: &str) -> Dataset {
    datasets::open(address, &OpenOptions::default()).expect("a generator needs no files")
}

/// Every algorithm that can learn task `T`, baselines aside.
pub fn forests<T: NamedTask>() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| !algorithm.is_baseline() && algorithm.supports::<T>())
}

/// Runs `work` on one thread.
pub fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    threads::with_threads(1, work).expect("one thread can be had")
}
