//! The three uses of the paper, as types: what is remembered of a sample beside its position, the
//! paper's label vector `c(x)`.

mod classes;
mod numbers;
mod vectors;

use std::fmt::Debug;

use forest_core::{InvariantError, SettingError};
use serde::{Serialize, de::DeserializeOwned};

use crate::settings::Settings;

pub use vectors::{VectorRegression, VectorSchema};

/// What labels are and when one corrects another: [`Classification`](forest_core::Classification),
/// [`Regression`](forest_core::Regression), [`VectorRegression`] or [`Retrieval`](crate::Retrieval).
///
/// A label is a row of cells, as wide as the schema says.
pub trait Problem: Copy + Debug + Default + Send + Sync + 'static {
    /// What a label is made of.
    type Cell: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The shape of the stream.
    type Schema: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The parameters of the paper that this problem has.
    type Settings: Settings;

    /// Number of features of a sample.
    fn features(schema: &Self::Schema) -> usize;

    /// Number of cells of a label.
    fn label_width(schema: &Self::Schema) -> usize;

    /// Checks what the schema's constructor checked: of interest after decoding.
    ///
    /// # Errors
    /// The rule that is broken.
    fn check_schema(schema: &Self::Schema) -> Result<(), SettingError>;

    /// Takes note of a label that the schema does not refuse.
    fn note(schema: &mut Self::Schema, label: &[Self::Cell]);

    /// Checks a stored label, the one of sample `row`: of interest after decoding.
    ///
    /// # Errors
    /// If it could not have been learned.
    fn check_label(
        schema: &Self::Schema,
        label: &[Self::Cell],
        row: usize,
    ) -> Result<(), InvariantError>;

    /// Whether `d_c(c(x), c(y)) > ε`: a sample labelled `x` corrects an answer of `y`.
    fn differ(settings: &Self::Settings, x: &[Self::Cell], y: &[Self::Cell]) -> bool;
}

/// A problem that is answered with an average of labels.
///
/// An average is gathered in an *accumulator*, a row of numbers.
pub trait Averaged: Problem {
    /// Width of an answer.
    fn answer_width(schema: &Self::Schema) -> usize;

    /// Width of an accumulator.
    fn accumulator_width(schema: &Self::Schema) -> usize;

    /// Adds `label`, with a positive `weight`, to what is in the accumulator.
    fn put(accumulator: &mut [f64], label: &[Self::Cell], weight: f64);

    /// The weighted mean of all labels put, of which there is at least one.
    fn mean(accumulator: &[f64], answer: &mut [f64]);

    /// The answer of a forest that knows nothing.
    fn prior_prediction(answer: &mut [f64]);
}
