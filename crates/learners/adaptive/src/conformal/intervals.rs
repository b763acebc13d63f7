//! Intervals and variances from the latest scores.

use forest_core::InputError;
use forest_core::registry::{IntervalError, Intervals};
use ndarray::{Array2, ArrayView2};

use crate::conformal::Conformal;

/// A variance is that of the base (1 if it has none) times the mean of the latest squared scores.
impl Intervals for Conformal {
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.means_and_deviations(features, predictions)?;
        let scale = self.scores.mean_square().sqrt();
        for deviation in predictions.iter_mut().skip(1).step_by(2) {
            *deviation = reach(scale, *deviation).powi(2);
        }
        Ok(())
    }

    /// Returns intervals that reach, to each side of the mean, the number of deviations that a share `level` of the latest scores does not exceed.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, IntervalError> {
        IntervalError::check_level(level)?;
        let mut bounds = Vec::new();
        self.means_and_deviations(features, &mut bounds)?;
        let bound = self.scores.bound(level);
        for row in bounds.chunks_exact_mut(2) {
            let (mean, reach) = (row[0], reach(bound, row[1]));
            (row[0], row[1]) = (mean - reach, mean + reach);
        }
        let bounds = Array2::from_shape_vec((features.nrows(), 2), bounds);
        Ok(bounds.expect("two bounds for each row"))
    }
}

/// Returns `bound` times `deviation`; infinite if either is, even if the other is 0.
fn reach(bound: f64, deviation: f64) -> f64 {
    match bound.max(deviation) {
        f64::INFINITY => f64::INFINITY,
        _ => bound * deviation,
    }
}
