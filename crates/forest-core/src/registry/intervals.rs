//! Regressors with variances and prediction intervals.

use crate::{Forest, InputError, OnlineTree, Regression};
use ndarray::{Array2, ArrayView2};
use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

/// Regressors that predict a mean and a variance.
pub trait Intervals {
    /// Overwrites `predictions` with the mean and variance of a new target at each row, one row after another. Before the
    /// first sample 0 and infinite. A buffer that is used again and again is soon large enough, as with
    /// [`predict_into`](crate::OnlineLearner::predict_into).
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite; then `predictions` is unchanged.
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError>;

    /// Returns the mean and variance of a new target at each row, as two columns.
    ///
    /// # Errors
    /// As [`Intervals::means_and_variances_into`].
    fn means_and_variances(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Array2<f64>, InputError> {
        let mut predictions = Vec::new();
        self.means_and_variances_into(features, &mut predictions)?;
        let predictions = Array2::from_shape_vec((features.nrows(), 2), predictions);
        Ok(predictions.expect("two numbers for each row"))
    }

    /// Returns between which bounds, as two columns, a new target at each row lies with probability `level`: as far below the
    /// mean as above. By default those of a normal distribution. Before the first sample infinite.
    ///
    /// # Errors
    /// A level that is not between 0 and 1, or rows that are refused.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, IntervalError> {
        IntervalError::check_level(level)?;
        let z = Normal::standard().inverse_cdf(0.5 * (1.0 + level));
        let mut predictions = self.means_and_variances(features)?;
        for mut row in predictions.rows_mut() {
            let (mean, reach) = (row[0], z * row[1].sqrt());
            (row[0], row[1]) = (mean - reach, mean + reach);
        }
        Ok(predictions)
    }
}

/// The reason why intervals are refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IntervalError {
    /// The level is not a probability.
    #[error("the level of an interval must be above 0 and below 1, but is {0}")]
    Level(f64),
    /// The rows.
    #[error(transparent)]
    Input(#[from] InputError),
}

impl IntervalError {
    /// Checks the level.
    ///
    /// # Errors
    /// A level that is not between 0 and 1.
    pub fn check_level(level: f64) -> Result<(), Self> {
        if level > 0.0 && level < 1.0 {
            Ok(())
        } else {
            Err(Self::Level(level))
        }
    }
}

/// For trees whose [full predictions](OnlineTree::full_width) are means and variances.
impl<K: OnlineTree<Task = Regression>> Intervals for Forest<K> {
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.predict_full_into(features, predictions)
    }
}
