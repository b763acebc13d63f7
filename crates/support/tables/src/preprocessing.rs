//! Preprocessing of features, and class names; both are saved with the model.
//!
//! A [`Pipeline`] is a chain of [`Step`]s and a learner, and is itself a learner: it takes raw rows, and one snapshot
//! holds all of it. Reloaded from a file, a model predicts raw rows with the same bits.
//!
//! Steps are fitted on given rows, by [`FeatureScaling::fit`] and [`Pca::fit`], and never change. A value that a step
//! does not take is an error that names its row and feature. [`variance_weights`], [`label_weights`] and
//! [`value_weights`] are weights of features.

mod pca;
mod pipeline;
mod scale;
mod weights;

pub use forest_core::LabelEncoder;
pub use pca::Pca;
pub use pipeline::Pipeline;
pub use scale::{FeatureScaling, Line, Step};
pub use weights::{label_weights, value_weights, variance_weights};
