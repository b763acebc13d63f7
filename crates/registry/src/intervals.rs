//! Regressors that say how sure they are.

use forest_core::{Forest, InputError, OnlineTree, Regression};
use ndarray::{Array2, ArrayView2};
use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

/// Regressors that answer with a normal distribution.
pub trait Intervals {
    /// Mean and variance of a new target at each row, as two columns. Before the first sample 0 and infinite.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn means_and_variances(&self, features: ArrayView2<'_, f32>)
    -> Result<Array2<f64>, InputError>;

    /// Between which bounds, as two columns, a new target at each row lies with probability `level`, and with equal
    /// probabilities below and above: mean ± z·√variance. Before the first sample infinite.
    ///
    /// # Errors
    /// A level that is not between 0 and 1, or rows that are refused.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, IntervalError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(IntervalError::Level(level));
        }
        let z = Normal::standard().inverse_cdf(0.5 * (1.0 + level));
        let mut answers = self.means_and_variances(features)?;
        for mut row in answers.rows_mut() {
            let (mean, reach) = (row[0], z * row[1].sqrt());
            (row[0], row[1]) = (mean - reach, mean + reach);
        }
        Ok(answers)
    }
}

/// Why intervals are refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IntervalError {
    /// The level is no probability.
    #[error("the level of an interval must be above 0 and below 1, but is {0}")]
    Level(f64),
    /// The rows.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// A tree whose answers ([`Forest::answers`]) are mean and variance of a new target.
pub trait GaussianTree: OnlineTree<Task = Regression> {}

impl<K: GaussianTree> Intervals for Forest<K> {
    fn means_and_variances(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Array2<f64>, InputError> {
        self.answers(features)
    }
}
