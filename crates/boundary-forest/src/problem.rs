//! The uses of the paper, as types.

use std::fmt::Debug;

use forest_core::{Schema, SettingError, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::Label;

/// What is learned: [`Classification`](crate::Classification), [`Regression`](crate::Regression),
/// [`VectorRegression`](crate::VectorRegression) or [`Retrieval`](crate::Retrieval).
pub trait Problem: Copy + Debug + Default + Send + Sync + 'static {
    /// What the paper's label vector `c(x)` is made of.
    type Cell: Label;

    /// What is known of the stream.
    type Schema: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// Returns the widths of a sample and of a prediction.
    fn shape(schema: &Self::Schema) -> Shape;

    /// Checks what the schema's constructor checked, for schemas that were decoded.
    ///
    /// # Errors
    /// The rule that is broken.
    fn check_schema(schema: &Self::Schema) -> Result<(), SettingError>;

    /// Updates the schema with labels that were learned.
    fn admit(_schema: &mut Self::Schema, _labels: &[Self::Cell]) {}
}

/// The widths of a sample and of a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of features.
    pub features: usize,
    /// Number of cells of a label.
    pub label_width: usize,
    /// Number of cells of a prediction.
    pub prediction_width: usize,
}

/// A task's label is its target.
impl<T: Task<Target: Label>> Problem for T {
    type Cell = T::Target;
    type Schema = Schema<T>;

    fn shape(schema: &Schema<T>) -> Shape {
        Shape {
            features: schema.features(),
            label_width: 1,
            prediction_width: schema.width(),
        }
    }

    fn check_schema(schema: &Schema<T>) -> Result<(), SettingError> {
        schema.check()
    }

    fn admit(schema: &mut Schema<T>, labels: &[T::Target]) {
        labels.iter().for_each(|&target| schema.admit(target));
    }
}
