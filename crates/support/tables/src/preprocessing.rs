//! Preprocessing of features, and class names; both are saved with the
//! model.
//!
//! A [`Pipeline`] is a chain of [`Step`]s and a learner, and is itself a learner: it takes raw rows, and
//! one snapshot holds all of it. Reloaded from a file, a model predicts raw rows with the same
//! bits.
//!
//! ```
//! use forest_core::{Classification, OnlineLearner, Prior, Schema};
//! use ndarray::array;
//! use tables::preprocessing::{FeatureScaling, LabelEncoder, Pipeline};
//!
//! // Metres, and a weight in grams.
//! let rows = array![[1.7, 65e3], [1.6, 50e3], [1.8, 90e3]];
//! let scaler = FeatureScaling::Standard.fit(rows.view())?;
//!
//! let names = LabelEncoder::fit(["dog", "cat"]);
//! let schema = Schema::<Classification>::new(2)?.with_classes(2)?;
//! let mut pipeline = Pipeline::new(scaler, Prior::new(schema))?.with_class_names(names)?;
//!
//! let dog = pipeline.class_names().index("dog")?;
//! pipeline.learn_one(&[1.7, 70e3], dog)?;
//! assert_eq!(pipeline.predict_one(&[1.7, 70e3])?, [0.0, 1.0]);
//! assert_eq!(pipeline.class_names().name(1), Some("dog"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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

use forest_core::{InputError, SettingError};
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
