//! Algorithms that can be compared: online learners, and offline ones that see all training rows at once.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use datasets::TaskKind;
use forest_core::parameters::{Numbers, Parameter, did_you_mean};
use forest_core::{Classification, Regression};
use online_forests::{Algorithm, AlgorithmError};
use serde_json::Value;

use crate::{BatchAlgorithm, BatchTask, OwnAlgorithm, WEIGHTS};

/// A named algorithm of either table, with parameters, or the caller's own learner.
#[derive(Clone, Debug)]
pub enum AnyAlgorithm {
    /// Learns row by row.
    Online(Algorithm),
    /// Sees all training rows at once.
    Offline(BatchAlgorithm),
    /// The caller's own learner.
    Own(OwnAlgorithm),
}

impl AnyAlgorithm {
    /// Returns the name without parameters.
    pub fn name(&self) -> &str {
        match self {
            Self::Online(algorithm) => algorithm.name(),
            Self::Offline(algorithm) => algorithm.name(),
            Self::Own(own) => own.name(),
        }
    }

    /// Returns every algorithm of both tables with its defaults, online ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        let online = Algorithm::all().map(Self::Online);
        online.chain(BatchAlgorithm::all().map(Self::Offline))
    }

    /// Returns those that are compared by default: one of each family that learns online.
    pub fn defaults() -> impl Iterator<Item = Self> {
        let online = Algorithm::all().filter(|known| !known.is_variant());
        online.map(Self::Online)
    }

    /// Returns the algorithm that this alias stands for and the values it sets; `None` for a name that is not an alias.
    pub fn alias_of(&self) -> Option<String> {
        match self {
            Self::Online(algorithm) => {
                let name = algorithm.alias_of()?;
                Some(format!("{name}:{}", algorithm.preset()))
            }
            Self::Offline(_) | Self::Own(_) => None,
        }
    }

    /// Returns a one-line description.
    pub fn description(&self) -> &'static str {
        match self {
            Self::Online(algorithm) => algorithm.description(),
            Self::Offline(algorithm) => algorithm.description(),
            Self::Own(_) => "the caller's own learner",
        }
    }

    /// Returns the source: a paper or a library.
    pub fn paper(&self) -> &'static str {
        match self {
            Self::Online(algorithm) => algorithm.paper(),
            Self::Offline(algorithm) => algorithm.paper(),
            Self::Own(_) => "none",
        }
    }

    /// Returns its limitations, a phrase each.
    pub fn limits(&self) -> &'static [&'static str] {
        match self {
            Self::Online(algorithm) => algorithm.limits(),
            Self::Offline(algorithm) => algorithm.limits(),
            Self::Own(_) => &[],
        }
    }

    /// Returns every parameter it accepts.
    pub fn parameters(&self) -> Vec<Parameter> {
        match self {
            Self::Online(algorithm) => algorithm.parameters(),
            Self::Offline(algorithm) => algorithm.parameters().into_iter().copied().collect(),
            Self::Own(_) => Vec::new(),
        }
    }

    /// Returns the parameters that were set, as name and value.
    pub fn explicit_values(&self) -> Box<dyn Iterator<Item = (&'static str, &str)> + '_> {
        match self {
            Self::Online(algorithm) => Box::new(algorithm.explicit_values()),
            Self::Offline(algorithm) => Box::new(algorithm.explicit_values()),
            Self::Own(_) => Box::new(std::iter::empty()),
        }
    }

    /// Returns the parameters that were set, as data: numbers where JSON has them, else text (`inf`).
    pub(crate) fn params(&self) -> BTreeMap<String, Value> {
        let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        let given = self.explicit_values();
        given
            .map(|(key, text)| (key.to_owned(), value(text)))
            .collect()
    }

    /// Returns the algorithm with these feature weights, if it takes weights and the caller has not set any.
    #[must_use]
    pub fn with_weights(&self, weights: &[f64]) -> Self {
        let parameters = self.parameters();
        let takes_some = parameters
            .iter()
            .any(|parameter| parameter.name == WEIGHTS && parameter.default != "none");
        if !takes_some || self.explicit_values().any(|(name, _)| name == WEIGHTS) {
            return self.clone();
        }
        let separator = if self.explicit_values().next().is_some() {
            ','
        } else {
            ':'
        };
        let weights = Numbers("equal").text(weights);
        let text = format!("{self}{separator}{WEIGHTS}={weights}");
        text.parse().expect("weights are numbers of at least 0")
    }

    /// Returns whether it ignores the features.
    pub fn is_baseline(&self) -> bool {
        matches!(self, Self::Online(algorithm) if algorithm.is_baseline())
    }

    /// Returns whether it sees all training rows at once.
    pub fn is_offline(&self) -> bool {
        match self {
            Self::Online(_) => false,
            Self::Offline(_) => true,
            Self::Own(own) => own.is_offline(),
        }
    }

    /// Returns whether it learns this task.
    pub fn supports(&self, task: TaskKind) -> bool {
        match task {
            TaskKind::Classification => self.does::<Classification>(),
            TaskKind::Regression => self.does::<Regression>(),
        }
    }

    fn does<T: BatchTask>(&self) -> bool {
        match self {
            Self::Online(algorithm) => algorithm.supports::<T>(),
            Self::Offline(algorithm) => algorithm.supports::<T>(),
            Self::Own(own) => own.supports::<T>(),
        }
    }
}

impl fmt::Display for AnyAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Online(algorithm) => algorithm.fmt(f),
            Self::Offline(algorithm) => algorithm.fmt(f),
            Self::Own(own) => f.write_str(own.name()),
        }
    }
}

impl FromStr for AnyAlgorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let online = match text.parse() {
            Err(error @ AlgorithmError::Unknown { .. }) => error,
            online => return online.map(Self::Online),
        };
        let offline = text.parse().map(Self::Offline);
        offline.map_err(|offline| unknown_to_both(online, offline))
    }
}

/// Returns the error for a name in neither table; `offline` is what the offline table reports.
fn unknown_to_both(online: AlgorithmError, offline: AlgorithmError) -> AlgorithmError {
    let AlgorithmError::Unknown { known: online, .. } = online else {
        return offline;
    };
    match offline {
        AlgorithmError::Unknown { name, known, .. } => {
            let known = [online, known].concat();
            AlgorithmError::Unknown {
                suggestion: did_you_mean(&name, known.iter().copied()),
                name,
                known,
            }
        }
        other => other,
    }
}
