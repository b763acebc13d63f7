//! What is measured: the share of right classes, or the root of the mean squared error.

use forest_core::{Classification, Regression, argmax};
use online_forests::NamedTask;
use serde::Serialize;

/// A number per run that says how good it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Share of test rows whose most probable class is the right one; higher is better.
    Accuracy,
    /// Root of the mean squared difference; lower is better.
    Rmse,
}

impl Metric {
    /// As written in files and headings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Rmse => "rmse",
        }
    }

    /// As written at an axis.
    pub fn axis(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy (higher is better)",
            Self::Rmse => "RMSE (lower is better)",
        }
    }

    /// A number that is larger the better `value` is.
    pub fn score(self, value: f64) -> f64 {
        match self {
            Self::Accuracy => value,
            Self::Rmse => -value,
        }
    }
}

/// A task whose predictions can be scored.
pub trait Scored: NamedTask {
    /// The metric of the task.
    const METRIC: Metric;

    /// How far `prediction` is from `truth`: the numbers that are added up.
    fn loss(prediction: &[f64], truth: Self::Target) -> f64;

    /// The metric, given the losses of `count` rows.
    fn value(sum_of_losses: f64, count: f64) -> f64;
}

impl Scored for Classification {
    const METRIC: Metric = Metric::Accuracy;

    /// 0 if right, else 1. Where no class is known yet, no answer is right.
    fn loss(prediction: &[f64], truth: u32) -> f64 {
        let right = !prediction.is_empty() && argmax(prediction) == truth as usize;
        f64::from(u8::from(!right))
    }

    fn value(wrong: f64, count: f64) -> f64 {
        (count - wrong) / count
    }
}

impl Scored for Regression {
    const METRIC: Metric = Metric::Rmse;

    fn loss(prediction: &[f64], truth: f64) -> f64 {
        (prediction[0] - truth).powi(2)
    }

    fn value(sum_of_squares: f64, count: f64) -> f64 {
        (sum_of_squares / count).sqrt()
    }
}

/// Losses added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    sum: f64,
    count: usize,
}

impl Score {
    /// Takes one more row.
    pub fn add(&mut self, loss: f64) {
        self.sum += loss;
        self.count += 1;
    }

    /// The metric so far.
    pub fn value<T: Scored>(&self) -> f64 {
        T::value(self.sum, self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_not_known_yet_counts_as_wrong() {
        assert_eq!(Classification::loss(&[], 0), 1.0);
        assert_eq!(Classification::loss(&[0.4, 0.6], 2), 1.0);
        assert_eq!(Classification::loss(&[0.4, 0.6], 1), 0.0);
    }

    #[test]
    fn rmse_is_the_root_of_the_mean_square() {
        let mut score = Score::default();
        score.add(Regression::loss(&[1.0], 4.0));
        score.add(Regression::loss(&[1.0], 1.0));
        assert_eq!(score.value::<Regression>(), 4.5f64.sqrt());
    }
}
