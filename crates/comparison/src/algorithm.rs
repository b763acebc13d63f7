//! A batch learner by name, with the parameters that the caller set.

use std::fmt;
use std::str::FromStr;

use forest_core::parameters::{Parameter, Values, did_you_mean};
use forest_core::registry::{AlgorithmError, BuildError};

use crate::{BatchEntry, BatchLearner, BatchTask, batch_learners};

/// A named batch learner with parameters, such as `batch-urtf:budget=2`: a row of [`batch_learners`].
///
/// [`Display`](fmt::Display) writes what [`FromStr`] reads: the parameters given, in canonical text.
#[derive(Clone, Debug)]
pub struct BatchAlgorithm {
    entry: &'static BatchEntry,
    given: Values,
}

impl BatchAlgorithm {
    /// Returns every algorithm of the table with its defaults.
    pub fn all() -> impl Iterator<Item = Self> {
        let given = Values::default();
        batch_learners().into_iter().map(move |entry| Self {
            entry,
            given: given.clone(),
        })
    }

    /// Returns the name without parameters.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// Returns a one-line description.
    pub fn description(&self) -> &'static str {
        self.entry.description
    }

    /// Returns the source: a paper or a library.
    pub fn paper(&self) -> &'static str {
        self.entry.paper
    }

    /// Returns its limitations, a phrase each.
    pub fn limits(&self) -> &'static [&'static str] {
        self.entry.limits
    }

    /// Returns every parameter it accepts.
    pub fn parameters(&self) -> Vec<&'static Parameter> {
        (self.entry.parameters)()
    }

    /// Returns the parameters that were set, as name and canonical value.
    pub fn explicit_values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter()
    }

    /// Returns the same algorithm with every parameter written out.
    #[must_use]
    pub fn with_all_values(&self) -> Self {
        let given = self.given.clone().or_defaults(&self.parameters());
        Self { given, ..*self }
    }

    /// Returns whether it supports task `T`.
    pub fn supports<T: BatchTask>(&self) -> bool {
        T::make(self.entry).is_some()
    }

    /// Makes the learner for task `T`.
    ///
    /// # Errors
    /// Returns [`BuildError::WrongTask`] if the algorithm does not support `T`.
    pub fn learner<T: BatchTask>(&self) -> Result<Box<dyn BatchLearner<T>>, BuildError> {
        let (algorithm, task) = (self.name(), T::NAME);
        let make = T::make(self.entry).ok_or_else(|| BuildError::wrong_task(algorithm, task))?;
        Ok(make(&self.given))
    }
}

impl PartialEq for BatchAlgorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.given == other.given
    }
}

impl fmt::Display for BatchAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.given.is_empty() {
            f.write_str(self.name())
        } else {
            write!(f, "{}:{}", self.name(), self.given)
        }
    }
}

impl FromStr for BatchAlgorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let (name, values) = forest_core::parameters::split(text);
        let entry = batch_learners()
            .into_iter()
            .find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| unknown(name))?;
        let given = Values::read(entry.name, &(entry.parameters)(), values)?;
        Ok(Self { entry, given })
    }
}

fn unknown(name: &str) -> AlgorithmError {
    let known: Vec<_> = batch_learners().iter().map(|entry| entry.name).collect();
    AlgorithmError::Unknown {
        name: name.to_owned(),
        suggestion: did_you_mean(name, known.iter().copied()),
        known,
    }
}
