//! Errors of a comparison, before it runs and while it does.

use forest_core::registry::BuildError;
use forest_core::{InputError, SettingError};
use online_forests::Refused;
use random_tessellation::batch::BatchError;
use tables::TableError;
use thiserror::Error;

/// An error in the request for a comparison, reported before anything runs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SetupError {
    /// The option of a command line that it is about, such as `--folds`, if it is about one.
    pub option: Option<&'static str>,
    message: String,
}

impl SetupError {
    pub(crate) fn new(option: Option<&'static str>, message: String) -> Self {
        Self { option, message }
    }
}

/// The reason why a run has no result. Other runs are not affected.
#[derive(Debug, Error)]
pub enum RunError {
    /// In words: rows or settings that the learner rejects, a prediction that is not a number, a limit, a panic.
    #[error("{0}")]
    Failed(String),
    /// [`Observer::is_stopped`](crate::Observer::is_stopped) returned true: the run has no record.
    #[error("interrupted")]
    Interrupted,
}

impl RunError {
    pub(crate) fn failed(reason: &str) -> Self {
        Self::Failed(reason.to_owned())
    }
}

macro_rules! failed {
    ($($error:ty),*) => {
        $(impl From<$error> for RunError {
            fn from(error: $error) -> Self {
                Self::Failed(error.to_string())
            }
        })*
    };
}

failed! { BuildError, SettingError, InputError, Refused, TableError, BatchError }
