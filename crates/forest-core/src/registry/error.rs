//! What can be wrong with an algorithm's text, or between it and a stream.

use crate::SettingError;
use crate::parameters::ParameterError;
use thiserror::Error;

/// The reason why a text does not name an algorithm.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// The name is unknown.
    #[error("unknown algorithm `{name}`{suggestion}; available: {}", known.join(", "))]
    Unknown {
        /// The name found.
        name: String,
        /// ` (did you mean …?)`, or nothing.
        suggestion: String,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The text after the colon.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

/// Why an algorithm cannot be built for a stream.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The algorithm does not learn this task.
    #[error(
        "{algorithm} does not support {task}; leave it out, or use data for the task it supports"
    )]
    WrongTask {
        /// The algorithm.
        algorithm: &'static str,
        /// The task.
        task: &'static str,
    },
    /// A parameter that only the other task knows, or a value of it.
    #[error("{algorithm}: {parameter} as given has no effect in {task}; leave it out")]
    WrongParameter {
        /// The algorithm.
        algorithm: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The task.
        task: &'static str,
    },
    /// A setting breaks its rule.
    #[error("{algorithm}: {source}")]
    Setting {
        /// The algorithm with its parameters.
        algorithm: String,
        /// Which setting, and its rule.
        source: SettingError,
    },
}
