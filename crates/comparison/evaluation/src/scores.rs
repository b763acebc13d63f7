//! All metrics of a task at once.

use std::collections::BTreeMap;

use crate::BatchTask;
use crate::metric::{Accumulator, Metric, Tested};
use crate::record::Measured;

/// Every metric of task `T`, added up over the same rows.
pub(crate) struct Scores<T: BatchTask> {
    metrics: Vec<Score<T::Target>>,
}

struct Score<V> {
    metric: Metric,
    sum: Box<dyn Accumulator<V>>,
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
        let make = |metric: Metric| {
            let sum = T::accumulator(&metric.accumulate)?;
            Some(Score { metric, sum })
        };
        let metrics = metrics.filter_map(make).collect();
        Self { metrics }
    }

    pub fn add(&mut self, row: &Tested<'_, T::Target>) {
        for score in &mut self.metrics {
            score.sum.add(row);
        }
    }

    /// The main metric; not a number of no rows.
    pub fn main_value(&self) -> f64 {
        self.metrics[0].sum.value().unwrap_or(f64::NAN)
    }

    /// Those that have a finite value.
    fn values(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.value())
    }

    /// Over test rows, of those that have one.
    pub fn standard_errors(&self) -> BTreeMap<String, f64> {
        self.by_name(|metric| metric.standard_error())
    }

    /// The values of a run.
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
