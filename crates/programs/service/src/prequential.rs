//! Prequential evaluation: each row is predicted just before it is learned.

use std::collections::VecDeque;

use forest_model::Metric;

/// The metric over all rows, and over the latest ones.
#[derive(Clone, Debug)]
pub(crate) struct Prequential {
    metric: Metric,
    rows: u64,
    total: f64,
    recent: VecDeque<f64>,
    most: usize,
}

impl Prequential {
    /// Creates it with a window of this number of rows, 1 or more.
    pub(crate) fn new(metric: Metric, window: usize) -> Self {
        Self {
            metric,
            rows: 0,
            total: 0.0,
            recent: VecDeque::with_capacity(window),
            most: window,
        }
    }

    /// Records the loss of a row.
    pub(crate) fn add(&mut self, loss: f64) {
        self.rows += 1;
        self.total += loss;
        if self.recent.len() == self.most {
            self.recent.pop_front();
        }
        self.recent.push_back(loss);
    }

    /// Returns the metric.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the number of rows scored.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the metric over all rows; `None` before the first.
    pub(crate) fn overall(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.metric.of(self.total / self.rows as f64))
    }

    /// Returns the metric over the window. Takes a pass over it, so that rounding errors do not accumulate.
    pub(crate) fn recent(&self) -> Option<f64> {
        let sum: f64 = self.recent.iter().sum();
        (self.rows > 0).then(|| self.metric.of(sum / self.recent.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use forest_model::TableTask as _;
    use online_forests::{Classification, Regression};

    use super::*;

    #[test]
    fn the_window_has_the_latest_rows() {
        let mut accuracy = Prequential::new(Metric::Accuracy, 2);
        assert_eq!((accuracy.overall(), accuracy.recent()), (None, None));
        for (values, target) in [([0.9, 0.1], 1), ([0.2, 0.8], 1), ([1.0, 0.0], 0)] {
            accuracy.add(Classification::loss(&values, target));
        }
        assert_eq!(
            (accuracy.overall(), accuracy.recent()),
            (Some(1.0 - 1.0 / 3.0), Some(1.0))
        );
        let mut rmse = Prequential::new(Metric::Rmse, 1);
        rmse.add(Regression::loss(&[3.0], 0.0));
        rmse.add(Regression::loss(&[4.0], 0.0));
        assert_eq!(
            (rmse.overall(), rmse.recent()),
            (Some(12.5f64.sqrt()), Some(4.0))
        );
    }
}
