//! What is measured: the share of right classes, or the root of the mean squared error.

use datasets::TaskKind;
use forest_core::argmax;
use serde::{Deserialize, Serialize};

/// The main metric of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Share of test rows whose most probable class is the right one.
    Accuracy,
    /// Root of the mean squared difference.
    Rmse,
}

impl Metric {
    /// That of a task.
    pub fn of(task: TaskKind) -> Self {
        match task {
            TaskKind::Classification => Self::Accuracy,
            TaskKind::Regression => Self::Rmse,
        }
    }

    /// `accuracy` or `rmse`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Rmse => "rmse",
        }
    }

    /// The name, and which direction is better.
    pub fn axis_name(self) -> &'static str {
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

    /// The metric of rows with these losses.
    pub(crate) fn value(self, losses: Losses) -> f64 {
        let count = losses.count as f64;
        match self {
            Self::Accuracy => (count - losses.sum) / count,
            Self::Rmse => (losses.sum / count).sqrt(),
        }
    }
}

/// A metric, and the loss of a prediction that it is made of.
pub(crate) struct Scoring<V> {
    pub metric: Metric,
    /// Given the prediction and the true target.
    pub loss: fn(&[f64], V) -> f64,
}

pub(crate) const ACCURACY: Scoring<u32> = Scoring {
    metric: Metric::Accuracy,
    loss: zero_one_loss,
};

pub(crate) const RMSE: Scoring<f64> = Scoring {
    metric: Metric::Rmse,
    loss: squared_error,
};

/// 0 if the most probable class is the true one, else 1. Before any class is known, no answer is right.
fn zero_one_loss(probabilities: &[f64], truth: u32) -> f64 {
    let right = !probabilities.is_empty() && argmax(probabilities) == truth as usize;
    f64::from(u8::from(!right))
}

fn squared_error(prediction: &[f64], truth: f64) -> f64 {
    (prediction[0] - truth).powi(2)
}

/// Losses of some rows, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses {
    sum: f64,
    count: usize,
}

impl Losses {
    pub fn add(&mut self, loss: f64) {
        self.sum += loss;
        self.count += 1;
    }
}

impl FromIterator<f64> for Losses {
    fn from_iter<I: IntoIterator<Item = f64>>(losses: I) -> Self {
        let mut all = Self::default();
        losses.into_iter().for_each(|loss| all.add(loss));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_not_known_yet_counts_as_wrong() {
        assert_eq!(zero_one_loss(&[], 0), 1.0);
        assert_eq!(zero_one_loss(&[0.4, 0.6], 2), 1.0);
        assert_eq!(zero_one_loss(&[0.4, 0.6], 1), 0.0);
    }

    #[test]
    fn accuracy_is_the_share_of_right_answers_and_rmse_the_root_of_the_mean_square() {
        let (mut losses, mut wrong) = (Losses::default(), Losses::default());
        losses.add(squared_error(&[1.0], 4.0));
        losses.add(squared_error(&[1.0], 1.0));
        assert_eq!(Metric::Rmse.value(losses), 4.5f64.sqrt());
        [0.0, 1.0, 0.0, 0.0]
            .iter()
            .for_each(|loss| wrong.add(*loss));
        assert_eq!(Metric::Accuracy.value(wrong), 0.75);
    }
}
