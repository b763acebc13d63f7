//! All metrics of a task at once.

use std::collections::BTreeMap;

use super::{Accumulator, Metric, Tested};
use crate::BatchTask;

/// Every metric of task `T`, added up over the same rows.
pub(crate) struct Scores<T: BatchTask> {
    metrics: Vec<(Metric, Box<dyn Accumulator<T::Target>>)>,
}

impl<T: BatchTask> Scores<T> {
    /// Of no rows yet.
    pub fn all() -> Self {
        Self::of(Metric::of_task(T::KIND))
    }

    /// The main metric alone.
    pub fn main() -> Self {
        Self::of([Metric::of(T::KIND)].into_iter())
    }

    fn of(metrics: impl Iterator<Item = Metric>) -> Self {
        let make = |metric: Metric| Some((metric, T::accumulator(&metric.accumulate)?));
        let metrics = metrics.filter_map(make).collect();
        Self { metrics }
    }

    pub fn add(&mut self, row: &Tested<'_, T::Target>) {
        for (_, metric) in &mut self.metrics {
            metric.add(row);
        }
    }

    /// The main metric; not a number of no rows.
    pub fn main_value(&self) -> f64 {
        self.metrics[0].1.value().unwrap_or(f64::NAN)
    }

    /// Those that have a finite value.
    pub fn values(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.value())
    }

    /// Over test rows, of those that have one.
    pub fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.standard_error())
    }

    fn by_name(
        &self,
        value: impl Fn(&dyn Accumulator<T::Target>) -> Option<f64>,
    ) -> BTreeMap<String, f64> {
        let named = self.metrics.iter().filter_map(|(metric, accumulator)| {
            let value = value(&**accumulator).filter(|value| value.is_finite())?;
            Some((metric.name.to_owned(), value))
        });
        named.collect()
    }
}
