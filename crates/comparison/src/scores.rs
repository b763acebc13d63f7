//! Accumulates all metrics of a task at once.

use std::collections::BTreeMap;

use crate::BatchTask;
use crate::metric::{Accumulator, Metric, Tested};
use crate::record::Measured;

/// Every metric of task `T`, added up over the same rows.
pub struct Scores<T: BatchTask> {
    metrics: Vec<Score<T::Target>>,
}

struct Score<V> {
    metric: Metric,
    sum: Box<dyn Accumulator<V>>,
}

impl<T: BatchTask> Scores<T> {
    /// Returns every metric, of no rows yet.
    pub fn all() -> Self {
        Self::of(Metric::of_task(T::KIND))
    }

    /// Returns the main metric alone, of no rows yet.
    pub(crate) fn main() -> Self {
        Self::of([Metric::of(T::KIND)].into_iter())
    }

    fn of(metrics: impl Iterator<Item = Metric>) -> Self {
        let make = |metric: Metric| {
            let sum = T::accumulator(&metric.accumulate)?;
            Some(Score { metric, sum })
        };
        let metrics = metrics.filter_map(make).collect();
        Self { metrics }
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Tested<'_, T::Target>) {
        for score in &mut self.metrics {
            score.sum.add(row);
        }
    }

    /// Returns the main metric; NaN before the first row.
    pub(crate) fn main_value(&self) -> f64 {
        self.metrics[0].sum.value().unwrap_or(f64::NAN)
    }

    /// Returns the metrics that have a finite value, by name.
    fn values(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.value())
    }

    /// Returns the standard errors over test rows, of the metrics that have one.
    pub(crate) fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.standard_error())
    }

    /// Returns the values of a run.
    pub fn measured(&self) -> Measured {
        Measured {
            value: self.main_value(),
            metrics: self.values(),
            ..Measured::default()
        }
    }

    fn by_name(
        &self,
        value: impl Fn(&dyn Accumulator<T::Target>) -> Option<f64>,
    ) -> BTreeMap<String, f64> {
        let named = self.metrics.iter().filter_map(|Score { metric, sum }| {
            let value = value(&**sum).filter(|value| value.is_finite())?;
            Some((metric.name.to_owned(), value))
        });
        named.collect()
    }
}
