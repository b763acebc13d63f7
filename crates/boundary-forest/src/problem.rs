//! The uses of the paper, as types.

use std::fmt::Debug;

use forest_core::{Classification, Regression, Schema, SettingError, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::label::{AveragedLabel, Label};
use crate::settings::{ClassifierSettings, RegressorSettings};

/// What is learned: [`Classification`], [`Regression`],
/// [`VectorRegression`](crate::VectorRegression) or [`Retrieval`](crate::Retrieval).
pub trait Problem: Copy + Debug + Default + Send + Sync + 'static {
    /// What the paper's label vector `c(x)` is made of.
    type Cell: Label;

    /// What is known of the stream.
    type Schema: Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The parameters of the paper that this problem has.
    type Settings: Copy
        + Debug
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + Into<RegressorSettings>;

    /// The widths of a sample and of an answer.
    fn shape(schema: &Self::Schema) -> Shape;

    /// Checks what the schema's constructor checked, for schemas that were decoded.
    ///
    /// # Errors
    /// The rule that is broken.
    fn check_schema(schema: &Self::Schema) -> Result<(), SettingError>;

    /// Updates the schema with a label that was learned.
    fn admit(_schema: &mut Self::Schema, _label: &[Self::Cell]) {}
}

/// A problem that is answered with an average of labels: all but retrieval.
pub trait Averaged: Problem<Cell: AveragedLabel> {}

impl<P: Problem<Cell: AveragedLabel>> Averaged for P {}

/// The widths of a sample and of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of features.
    pub features: usize,
    /// Number of cells of a label.
    pub label_width: usize,
    /// Number of cells of an answer.
    pub answer_width: usize,
}

impl Shape {
    fn of_task<T: Task>(schema: &Schema<T>) -> Self {
        Self {
            features: schema.features(),
            label_width: 1,
            answer_width: schema.width(),
        }
    }
}

impl Problem for Classification {
    type Cell = u32;
    type Schema = Schema<Self>;
    type Settings = ClassifierSettings;

    fn shape(schema: &Schema<Self>) -> Shape {
        Shape::of_task(schema)
    }

    fn check_schema(schema: &Schema<Self>) -> Result<(), SettingError> {
        schema.check()
    }

    fn admit(schema: &mut Schema<Self>, label: &[u32]) {
        label.iter().for_each(|&class| schema.admit(class));
    }
}

impl Problem for Regression {
    type Cell = f64;
    type Schema = Schema<Self>;
    type Settings = RegressorSettings;

    fn shape(schema: &Schema<Self>) -> Shape {
        Shape::of_task(schema)
    }

    fn check_schema(schema: &Schema<Self>) -> Result<(), SettingError> {
        schema.check()
    }
}
