//! How a model does on rows that it has not learned yet: each is answered just before it is learned.

use std::collections::VecDeque;

use online_forests::{Classification, Regression, argmax};

use crate::table_task::TableTask;

/// Tasks whose answers can be judged row by row.
pub trait Judged: TableTask {
    /// What the mean of the losses becomes, and its name.
    const METRIC: Metric;

    /// The loss of an answer: 0 is perfect.
    fn loss(answer: &[f64], target: Self::Target) -> f64;

    /// The class of a target; `None` for numbers.
    fn class(target: Self::Target) -> Option<usize>;
}

/// What is made of a mean loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The share of right classes.
    Accuracy,
    /// The root of the mean squared error.
    Rmse,
}

impl Metric {
    /// As it is called on the page and in `/metrics`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Rmse => "rmse",
        }
    }

    fn of(self, mean_loss: f64) -> f64 {
        match self {
            Self::Accuracy => 1.0 - mean_loss,
            Self::Rmse => mean_loss.sqrt(),
        }
    }
}

impl Judged for Classification {
    const METRIC: Metric = Metric::Accuracy;

    fn loss(answer: &[f64], target: u32) -> f64 {
        let is_right = !answer.is_empty() && argmax(answer) == target as usize;
        f64::from(u8::from(!is_right))
    }

    fn class(target: u32) -> Option<usize> {
        Some(target as usize)
    }
}

impl Judged for Regression {
    const METRIC: Metric = Metric::Rmse;

    fn loss(answer: &[f64], target: f64) -> f64 {
        let error = answer[0] - target;
        error * error
    }

    fn class(_: f64) -> Option<usize> {
        None
    }
}

/// The metric over all rows, and over the latest ones.
#[derive(Clone, Debug)]
pub struct Prequential {
    metric: Metric,
    rows: u64,
    total: f64,
    recent: VecDeque<f64>,
    most: usize,
}

impl Prequential {
    /// With a window of this number of rows, 1 or more.
    pub fn new(metric: Metric, window: usize) -> Self {
        Self {
            metric,
            rows: 0,
            total: 0.0,
            recent: VecDeque::with_capacity(window),
            most: window,
        }
    }

    /// Takes note of the loss of a row.
    pub fn add(&mut self, loss: f64) {
        self.rows += 1;
        self.total += loss;
        if self.recent.len() == self.most {
            self.recent.pop_front();
        }
        self.recent.push_back(loss);
    }

    /// What is measured.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Rows judged.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Over all rows; `None` before the first.
    pub fn overall(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.metric.of(self.total / self.rows as f64))
    }

    /// Over the rows of the window. Costs a pass over it, so that rounding does not add up.
    pub fn recent(&self) -> Option<f64> {
        let sum: f64 = self.recent.iter().sum();
        (self.rows > 0).then(|| self.metric.of(sum / self.recent.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_has_the_latest_rows() {
        let mut accuracy = Prequential::new(Metric::Accuracy, 2);
        assert_eq!((accuracy.overall(), accuracy.recent()), (None, None));
        for (answer, target) in [([0.9, 0.1], 1), ([0.2, 0.8], 1), ([1.0, 0.0], 0)] {
            accuracy.add(Classification::loss(&answer, target));
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

    #[test]
    fn before_the_first_class_no_answer_is_right() {
        assert_eq!(Classification::loss(&[], 0), 1.0);
    }
}
