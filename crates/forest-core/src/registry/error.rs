//! Why a text does not name an algorithm, and why one cannot be built.

use thiserror::Error;

use crate::SettingError;
use crate::parameters::ParameterError;

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
    /// The algorithm, or a parameter that was given, does not know the task.
    #[error("{0}")]
    Task(String),
    /// A setting breaks its rule.
    #[error("{algorithm}: {source}")]
    Setting {
        /// The algorithm with its parameters.
        algorithm: String,
        /// Which setting, and its rule.
        source: SettingError,
    },
}

impl BuildError {
    /// Returns the error of an algorithm that does not learn a task.
    pub fn wrong_task(algorithm: &str, task: &str) -> Self {
        let advice = "leave it out, or use data for the task it supports";
        Self::Task(format!("{algorithm} does not support {task}; {advice}"))
    }
}
