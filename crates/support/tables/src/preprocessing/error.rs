//! Errors of fitting, and of assembling a pipeline.

use forest_core::{InputError, SettingError};
use thiserror::Error;

/// An error of fitting a step.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The rows are empty.
    #[error(
        "fitting needs at least one row of at least one feature, got {rows} rows of {features} features"
    )]
    Empty {
        /// Rows given.
        rows: usize,
        /// Features of a row.
        features: usize,
    },
    /// A value that is NaN or infinite.
    #[error(transparent)]
    Input(#[from] InputError),
    /// No principal components, or more than there are features.
    #[error("{k} components for {features} features; choose from 1 to {features}")]
    Components {
        /// Components asked for.
        k: usize,
        /// Features there are.
        features: usize,
    },
    /// Fewer than two rows, which do not have a variance.
    #[error("principal components need at least 2 rows, got {rows}")]
    TooFewRows {
        /// Rows given.
        rows: usize,
    },
}

/// An error of assembling a pipeline.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// A step, or the learner after the last one, expects rows of another width than it receives.
    #[error(
        "{receiver} expects rows of {expected} features, got {found}; fit it on the output of the \
         steps before it, or make the learner for that many features"
    )]
    Width {
        /// "step 2" or "the learner".
        receiver: String,
        /// Features it expects.
        expected: usize,
        /// Features it would receive.
        found: usize,
    },
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A number of names that differs from the number of classes the learner knows.
    #[error(
        "{names} class names for a learner that knows {classes} classes; make it for \
         Schema::with_classes({names})"
    )]
    ClassNames {
        /// Names given.
        names: usize,
        /// Classes the learner knows.
        classes: usize,
    },
}
