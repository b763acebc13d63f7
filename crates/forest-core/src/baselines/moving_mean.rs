//! The baseline of streams whose level drifts: the mean of the latest targets.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::{ByRow, InvariantError, Regression, RowLearner, Schema, SettingError};

/// Predicts the mean of the latest targets. `O(window)` per prediction.
///
/// ```
/// use forest_core::{MovingMean, OnlineLearner, Schema};
///
/// let mut mean = MovingMean::with_window(2, Schema::new(1)?)?;
/// for target in [100.0, 3.0, 5.0] {
///     mean.learn_one(&[0.1], target)?;
/// }
/// assert_eq!(mean.predict_one(&[0.1])?, [4.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MovingMean = ByRow<Regression, Recent>;

/// The latest targets, first to last, at most `window` of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recent {
    window: usize,
    targets: VecDeque<f64>,
}

impl MovingMean {
    /// Returns the mean of the latest `window` targets.
    ///
    /// # Errors
    /// A window of no targets.
    pub fn with_window(window: usize, schema: Schema<Regression>) -> Result<Self, SettingError> {
        SettingError::require(window > 0, "window", "must be at least 1", window)?;
        let targets = VecDeque::new();
        Ok(Self::with_learner(Recent { window, targets }, schema))
    }

    /// Returns how many of the latest targets count.
    pub fn window(&self) -> usize {
        self.learner.window
    }
}

impl RowLearner<Regression> for Recent {
    fn learn(&mut self, _: &[f32], target: f64, _: u64) {
        if self.targets.len() == self.window {
            self.targets.pop_front();
        }
        self.targets.push_back(target);
    }

    /// Computes the mean from all of them: a running one would keep the rounding errors of targets that left.
    fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
        let count = self.targets.len() as f64;
        prediction[0] = self.targets.iter().sum::<f64>() / count;
    }

    fn bytes(&self, _: usize) -> usize {
        self.targets.capacity() * size_of::<f64>()
    }

    fn check(&self, seen: u64, _: &Schema<Regression>) -> Result<(), InvariantError> {
        let held = seen.min(self.window as u64);
        let counted = self.window > 0 && self.targets.len() as u64 == held;
        let finite = self.targets.iter().all(|target| target.is_finite());
        let what = "the latest targets do not go with the samples seen";
        InvariantError::require(counted && finite, "moving-mean", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnlineLearner;

    #[test]
    fn targets_that_left_do_not_count() {
        let mut mean = MovingMean::with_window(3, Schema::new(1).unwrap()).unwrap();
        for target in [1e9, -4e9, 7.0, 1.0, 2.0, 6.0] {
            mean.learn_one(&[0.0], target).unwrap();
            mean.check_invariants().unwrap();
        }
        assert_eq!(mean.predict_one(&[0.0]).unwrap(), [3.0]);
        assert!(mean.footprint().bytes >= 3 * size_of::<f64>());
        assert!(MovingMean::with_window(0, Schema::new(1).unwrap()).is_err());
    }

    #[test]
    fn a_memory_of_other_targets_than_were_seen_is_found() {
        let of = |seen, window, targets: &[f64]| MovingMean {
            schema: Schema::new(1).unwrap(),
            seen,
            learner: Recent {
                window,
                targets: targets.iter().copied().collect(),
            },
        };
        assert!(of(5, 2, &[1.0, 2.0]).check_invariants().is_ok());
        for wrong in [
            of(1, 2, &[1.0, 2.0]),
            of(5, 2, &[1.0]),
            of(0, 0, &[]),
            of(1, 2, &[f64::NAN]),
        ] {
            assert!(wrong.check_invariants().is_err(), "{wrong:?}");
        }
    }
}
