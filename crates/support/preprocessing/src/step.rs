//! Steps of a pipeline.

use forest_core::InputError;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::{Line, Pca, Scaler};

/// A fitted transformation of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Step {
    /// A scale for each feature.
    Scale(Scaler),
    /// Principal components.
    Pca(Pca),
}

impl Step {
    /// Transforms rows.
    ///
    /// # Errors
    /// Returns an error for rows of another width than the step expects, or a value that is not finite.
    pub fn transform(&self, rows: Array2<f32>) -> Result<Array2<f32>, InputError> {
        match self {
            Self::Scale(scaler) => scaler.transform(rows),
            Self::Pca(pca) => pca.transform(rows.view()),
        }
    }

    /// Returns the number of features that the step expects.
    pub fn width(&self) -> usize {
        match self {
            Self::Scale(scaler) => scaler.width(),
            Self::Pca(pca) => pca.width(),
        }
    }

    /// Returns the number of features of the output.
    pub fn width_after(&self) -> usize {
        match self {
            Self::Scale(scaler) => scaler.width(),
            Self::Pca(pca) => pca.k(),
        }
    }

    /// Returns the line of each feature, if the step is linear scaling.
    pub fn lines(&self) -> Option<&[Line]> {
        match self {
            Self::Scale(Scaler::Lines(lines)) => Some(lines),
            _ => None,
        }
    }

    /// Transforms finite rows of its width.
    pub(crate) fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        match self {
            Self::Scale(scaler) => scaler.apply(rows),
            Self::Pca(pca) => pca.apply(rows.view()),
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Scale(scaler) => scaler.is_sound(),
            Self::Pca(pca) => pca.is_sound(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Scale(scaler) => scaler.bytes(),
            Self::Pca(pca) => pca.bytes(),
        }
    }
}

impl From<Scaler> for Step {
    fn from(scaler: Scaler) -> Self {
        Self::Scale(scaler)
    }
}

impl From<Pca> for Step {
    fn from(pca: Pca) -> Self {
        Self::Pca(pca)
    }
}
