//! Preprocessing of features, and class names; both are saved with the
//! model.
//!
//! A [`Pipeline`] is a chain of [`Step`]s and a learner, and is itself a learner: it takes raw rows, and
//! one snapshot holds all of it. Reloaded from a file, a model predicts raw rows with the same
//! bits.
//!
//! Steps are fitted on given rows, by [`FeatureScaling::fit`] and [`Pca::fit`], and never change. Every step maps finite rows to finite
//! rows: values beyond the range of `f32` become ±`f32::MAX`. A value that a step does not take is an error that names its row and
//! feature. [`variance_weights`], [`label_weights`] and [`value_weights`] are weights of features.

mod pca;
mod pipeline;
mod scale;
mod weights;

pub use forest_core::LabelEncoder;
pub use pca::Pca;
pub use pipeline::Pipeline;
pub use scale::{FeatureScaling, Line, Step};
pub use weights::{label_weights, value_weights, variance_weights};

use forest_core::{FeatureValues, InputError, Rows, SettingError};
use ndarray::ArrayView2;
use thiserror::Error;

/// An error of fitting a step, or of assembling a pipeline: a sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct FitError(String);

impl From<InputError> for FitError {
    fn from(error: InputError) -> Self {
        Self(error.to_string())
    }
}

impl From<SettingError> for FitError {
    fn from(error: SettingError) -> Self {
        Self(error.to_string())
    }
}

/// Rejects rows that steps cannot be fitted to.
fn check_rows(rows: ArrayView2<'_, f32>, taken: FeatureValues) -> Result<(), FitError> {
    let (count, features) = rows.dim();
    if count == 0 || features == 0 {
        return Err(FitError(format!(
            "fitting needs at least one row of at least one feature, got {count} rows of {features} features"
        )));
    }
    Rows::check_values(rows, features, taken)?;
    Ok(())
}

/// Returns the nearest finite `f32`, so that values far outside a tiny range do not become infinite.
fn saturated(value: f64) -> f32 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
