//! What can be wrong with values given as text.

use thiserror::Error;

use crate::parameters::{Parameter, Rule};

/// Why a text does not give values of parameters.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The parameter is unknown.
    #[error("{owner} has no parameter `{name}`{suggestion}; it takes: {known}")]
    Unknown {
        /// Whose parameters were given.
        owner: &'static str,
        /// The name found.
        name: String,
        /// ` (did you mean …?)`, or nothing.
        suggestion: String,
        /// Every parameter with its default, or `none`.
        known: String,
    },
    /// A value that the parameter cannot have.
    #[error("{owner}: {parameter} must be {rule}, but is `{value}`")]
    BadValue {
        /// Whose parameter it is.
        owner: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it may be.
        rule: Rule,
        /// What it is.
        value: String,
    },
    /// A parameter appears twice.
    #[error("{owner}: {parameter} is given twice; give it once")]
    GivenTwice {
        /// Whose parameter it is.
        owner: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter that means nothing beside a word of another one.
    #[error("{owner} has no parameter `{parameter}` with {selector}={word}")]
    Inapplicable {
        /// Whose parameter it is.
        owner: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The other one.
        selector: &'static str,
        /// Its word.
        word: String,
    },
    /// A piece that is not `key=value`.
    #[error("{owner}: `{found}` is not `key=value`; write `{owner}:key=value,…`")]
    NoValue {
        /// Whose parameters were given.
        owner: &'static str,
        /// The piece.
        found: String,
    },
}

impl ParameterError {
    /// Returns the error with these parameters as those that there are, if it lists any.
    #[must_use]
    pub fn listing(self, parameters: &[&Parameter]) -> Self {
        match self {
            Self::Unknown {
                owner,
                name,
                suggestion,
                ..
            } => Self::Unknown {
                owner,
                name,
                suggestion,
                known: described(parameters),
            },
            other => other,
        }
    }
}

/// Returns each parameter with its default, or `none`.
pub(crate) fn described(parameters: &[&Parameter]) -> String {
    let described = parameters
        .iter()
        .map(|p| format!("{}={}", p.name, p.default));
    let described = described.collect::<Vec<_>>().join(", ");
    if described.is_empty() {
        return "none".to_owned();
    }
    described
}
