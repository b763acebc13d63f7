//! What can go wrong while fitting, or while a pipeline is put together.

use forest_core::{InputError, SettingError};
use thiserror::Error;

/// Why a step cannot be fitted to these rows.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// There is nothing to fit to.
    #[error(
        "fitting needs at least one row of at least one feature, but there are {rows} rows of {features}"
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
    #[error("{k} components of {features} features; choose from 1 to {features}")]
    Components {
        /// Components asked for.
        k: usize,
        /// Features there are.
        features: usize,
    },
    /// One row has no variance.
    #[error("principal components of {rows} row(s); at least 2 are needed")]
    TooFewRows {
        /// Rows given.
        rows: usize,
    },
    /// A decomposition that does not converge.
    #[error(
        "the principal components of {features} features were not found; leave the reduction out"
    )]
    Decomposition {
        /// Features of the rows.
        features: usize,
    },
    /// A categorical column that does not exist.
    #[error(
        "feature {feature} cannot be categorical: rows have {features} features, counted from 0"
    )]
    NoFeature {
        /// The feature asked for.
        feature: usize,
        /// Features there are.
        features: usize,
    },
    /// A categorical column of too many values.
    #[error(
        "feature {feature} has more than {limit} different values; it looks like a measurement or \
         an identifier: leave it as a number, or drop it"
    )]
    TooManyCategories {
        /// The feature.
        feature: usize,
        /// The most categories accepted.
        limit: usize,
    },
}

/// Why steps and a learner do not make a pipeline.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// A step is not fitted, and there is no window to fit it on.
    #[error("step {step} is not fitted; fit it first, or use Pipeline::on_first_rows")]
    NotFitted {
        /// Number of the step, from 0.
        step: usize,
    },
    /// A step, or the learner after the last one, takes rows of another width than it is given.
    #[error(
        "{receiver} takes rows of {expected} features, but is given {found}; fit it on what the \
         steps before it answer, or make the learner for that many features"
    )]
    Width {
        /// "step 2" or "the learner".
        receiver: String,
        /// Features it takes.
        expected: usize,
        /// Features it would be given.
        found: usize,
    },
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Names for more or fewer classes than the learner knows.
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
