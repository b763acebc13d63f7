//! What can be wrong with an algorithm's text, or between it and a stream.

use forest_core::SettingError;
use thiserror::Error;

use crate::Rule;

/// Why a text does not name an algorithm.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// No algorithm has this name.
    #[error("unknown algorithm `{name}`{}; there are: {}", suggestion(nearest), known.join(", "))]
    UnknownAlgorithm {
        /// The name found.
        name: String,
        /// Names that look like it, best first.
        nearest: Vec<&'static str>,
        /// All names.
        known: Vec<&'static str>,
    },
    /// The algorithm has no parameter of this name.
    #[error(
        "{algorithm} has no parameter `{name}`{}; it takes: {}",
        suggestion(nearest),
        list(known)
    )]
    UnknownParameter {
        /// The algorithm.
        algorithm: &'static str,
        /// The name found.
        name: String,
        /// Parameters that look like it, best first.
        nearest: Vec<&'static str>,
        /// All parameters of the algorithm.
        known: Vec<&'static str>,
    },
    /// A value that the parameter cannot have.
    #[error("{algorithm}: {parameter} must be {rule}, but is `{value}`")]
    BadValue {
        /// The algorithm.
        algorithm: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it may be.
        rule: Rule,
        /// What it is.
        value: String,
    },
    /// A parameter appears twice.
    #[error("{algorithm}: {parameter} is given twice; give it once")]
    GivenTwice {
        /// The algorithm.
        algorithm: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// Something between commas is not `key=value`.
    #[error(
        "{algorithm}: `{found}` is not key=value; write {algorithm} or {algorithm}:key=value,…"
    )]
    NoValue {
        /// The algorithm.
        algorithm: &'static str,
        /// What stands there.
        found: String,
    },
}

/// Why an algorithm cannot learn the stream it was asked to.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlantError {
    /// The algorithm does not do this task.
    #[error("{algorithm} does not do {task}; ask Algorithm::supports first")]
    WrongTask {
        /// The algorithm.
        algorithm: &'static str,
        /// The task asked for.
        task: &'static str,
    },
    /// A parameter was given that has no meaning in this task.
    #[error("{algorithm}: {parameter} means nothing in {task}; leave it out")]
    WrongParameter {
        /// The algorithm.
        algorithm: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The task asked for.
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

/// Similarity (Jaro and Winkler, 0 to 1) from which on a name is worth suggesting.
const ALIKE: f64 = 0.75;

/// The names most like `name`, best first, three at most.
pub(crate) fn nearest(name: &str, known: &[&'static str]) -> Vec<&'static str> {
    let name = name.to_lowercase();
    let mut scored: Vec<_> = known
        .iter()
        .map(|known| (strsim::jaro_winkler(&name, known), *known))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, known)| known).collect()
}

fn suggestion(nearest: &[&str]) -> String {
    if nearest.is_empty() {
        String::new()
    } else {
        format!(" (did you mean `{}`?)", nearest.join("` or `"))
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_string()
    } else {
        names.join(", ")
    }
}
