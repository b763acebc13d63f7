//! An algorithm by name, with the parameters that were given.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use forest_core::{Classification, ForestSettings, Regression, Schema};
use parameters::{Parameter, ParameterError, Values, did_you_mean};

use crate::registered::entries;
use crate::{AlgorithmError, AnyLearner, BuildError, Entry, NamedTask, Registry, Role};

/// A named algorithm with parameters, such as `mondrian:budget=5,min_points=1`.
///
/// Read with [`FromStr`] from the table `R`; everything that can be wrong without knowing the stream
/// (names, values, a parameter given twice) is refused there. [`Display`](fmt::Display) writes the
/// canonical text: the parameters given, in the order of the table, each value as the program would
/// write it.
#[derive(Clone, Debug)]
pub struct Algorithm<R> {
    entry: &'static Entry,
    given: Values,
    registry: PhantomData<fn() -> R>,
}

impl<R: Registry> Algorithm<R> {
    /// Every algorithm of the table with its defaults, then those that are registered ([`register`](crate::register)).
    pub fn all() -> impl Iterator<Item = Self> {
        let entries = entries::<R>().into_iter();
        entries.map(|entry| Self::new(entry, Values::default()))
    }

    pub(crate) fn new(entry: &'static Entry, given: Values) -> Self {
        let registry = PhantomData;
        Self {
            entry,
            given,
            registry,
        }
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// What it is, in one line.
    pub fn description(&self) -> &'static str {
        self.entry.description
    }

    /// The publication it comes from.
    pub fn paper(&self) -> &'static str {
        self.entry.paper
    }

    /// What it is not made for, a phrase each.
    pub fn limits(&self) -> &'static [&'static str] {
        self.entry.limits
    }

    /// The parameters it takes, given or not.
    pub fn parameters(&self) -> Vec<&'static Parameter> {
        self.entry.parameters()
    }

    /// The parameters given, as name and canonical value, in the order of [`Algorithm::parameters`].
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter()
    }

    pub(crate) fn values(&self) -> &Values {
        &self.given
    }

    pub(crate) fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Whether it learns task `T`, and every parameter given has a meaning there.
    pub fn supports<T: NamedTask>(&self) -> bool {
        T::learners(self.entry).is_some() && self.foreign_parameter::<T>().is_none()
    }

    /// Whether another forest stands for its family.
    pub fn is_variant(&self) -> bool {
        self.entry.role == Role::Variant
    }

    /// Whether it ignores the features: what every forest has to beat.
    pub fn is_baseline(&self) -> bool {
        self.entry.role == Role::Baseline
    }

    /// A learner of this kind for the stream that `schema` describes. A baseline has no trees and
    /// draws nothing, whatever `forest` says.
    ///
    /// # Errors
    /// A task that the algorithm or a given parameter does not know, no trees, or a parameter that
    /// breaks its rule for this schema.
    pub fn build<T: NamedTask>(
        &self,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<AnyLearner<T, R>, BuildError> {
        let (algorithm, task) = (self.name(), T::NAME);
        let kind = self.entry.kind::<T>(&self.given);
        let kind = kind.ok_or(BuildError::WrongTask { algorithm, task })?;
        if let Some(parameter) = self.foreign_parameter::<T>() {
            return Err(BuildError::WrongParameter {
                algorithm,
                parameter,
                task,
            });
        }
        let built = kind.build(&self.given, schema, forest);
        built
            .map(|learner| AnyLearner::new(self.entry, &kind, learner))
            .map_err(|source| BuildError::Setting {
                algorithm: self.to_string(),
                source,
            })
    }

    /// A parameter that was given and means nothing in task `T`, or has a value that means nothing there.
    fn foreign_parameter<T: NamedTask>(&self) -> Option<&'static str> {
        let known = self.entry.known_beside::<T>(&self.given);
        let means_nothing = |(name, value): &(&str, &str)| {
            let mut of_the_name = known.iter().filter(|parameter| parameter.name == *name);
            !of_the_name.any(|parameter| parameter.accepts(value))
        };
        self.given().find(means_nothing).map(|(name, _)| name)
    }

    /// A parameter that means something in no task, beside the others that were given.
    fn check(self) -> Result<Self, ParameterError> {
        let (entry, given) = (self.entry, &self.given);
        let known = [
            entry.known_beside::<Classification>(given),
            entry.known_beside::<Regression>(given),
        ];
        let known: Vec<_> = known.iter().flatten().map(|known| known.name).collect();
        let mut names = self.given().map(|(name, _)| name);
        let inapplicable = names.find(|name| !known.contains(name));
        drop(names);
        let Some(parameter) = inapplicable else {
            return Ok(self);
        };
        let of_classes = entry.kind::<Classification>(given);
        let of_numbers = || entry.kind::<Regression>(given)?.selector;
        let chosen = of_classes.and_then(|kind| kind.selector);
        let (selector, word) = chosen
            .or_else(of_numbers)
            .expect("a single kind takes every parameter that it has");
        Err(ParameterError::Inapplicable {
            owner: entry.name,
            parameter,
            selector: selector.name,
            word: word.to_owned(),
        })
    }
}

impl<R: Registry> PartialEq for Algorithm<R> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.given().eq(other.given())
    }
}

impl<R: Registry> fmt::Display for Algorithm<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&label(self.entry, &self.given))
    }
}

/// `name:key=value,…`
pub(crate) fn label(entry: &Entry, values: &Values) -> String {
    match values.is_empty() {
        true => entry.name.to_owned(),
        false => format!("{}:{values}", entry.name),
    }
}

impl<R: Registry> FromStr for Algorithm<R> {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let (name, values) = parameters::split(text);
        let mut entries = entries::<R>().into_iter();
        let entry = entries.find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| unknown::<R>(name))?;
        let given = Values::read(entry.name, &entry.parameters(), values)?;
        Ok(Self::new(entry, given).check()?)
    }
}

fn unknown<R: Registry>(name: &str) -> AlgorithmError {
    let known: Vec<_> = entries::<R>().iter().map(|entry| entry.name).collect();
    AlgorithmError::Unknown {
        name: name.to_owned(),
        suggestion: did_you_mean(name, known.iter().copied()),
        known,
    }
}
