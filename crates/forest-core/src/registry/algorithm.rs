//! An algorithm by name, with the parameters that were given.

use std::fmt;
use std::str::FromStr;

use crate::Task;
use crate::parameters::{Parameter, ParameterError, Values, did_you_mean, split};
use crate::registry::entry::{Alias, entries};
use crate::registry::{Entry, Role};

/// A named algorithm with parameters, such as `mondrian:budget=5,min_points=1`.
///
/// [`FromStr`] refuses everything that can be wrong without knowing the stream (names, values, a parameter given
/// twice). [`Display`](fmt::Display) writes the canonical text: the parameters given, in the order of the table, each
/// value as the program would write it. A name may be an [alias](Alias), and stays one.
#[derive(Clone, Debug)]
pub struct Algorithm {
    pub(super) entry: &'static Entry,
    pub(super) alias: Option<&'static Alias>,
    pub(super) values: Values,
}

impl Algorithm {
    /// Returns every algorithm with its defaults, by name, its aliases behind it, baselines and offline ones last.
    pub fn all() -> impl Iterator<Item = Self> {
        entries().iter().flat_map(|&entry| {
            let names = std::iter::once(None).chain(entry.aliases.iter().map(Some));
            names.map(move |alias| Self {
                entry,
                alias,
                values: Values::default(),
            })
        })
    }

    /// Returns the name without parameters.
    pub fn name(&self) -> &'static str {
        self.alias.map_or(self.entry.name, |alias| alias.name)
    }

    /// Returns the name of the algorithm that the alias stands for; `None` if the name is not an alias.
    pub fn alias_of(&self) -> Option<&'static str> {
        self.alias.map(|_| self.entry.name)
    }

    /// Returns the values that the name stands for, as `key=value,…`; empty if the name is not an alias.
    pub fn preset(&self) -> &'static str {
        self.alias.map_or("", |alias| alias.preset)
    }

    /// Returns a description in one line.
    pub fn description(&self) -> &'static str {
        self.alias
            .map_or(self.entry.description, |alias| alias.description)
    }

    /// Returns the publication it comes from.
    pub fn paper(&self) -> &'static str {
        self.alias.map_or(self.entry.paper, |alias| alias.paper)
    }

    /// Returns the number of trees of its learners where none is asked for.
    pub fn trees(&self) -> usize {
        self.entry.trees
    }

    /// Returns its limitations, a phrase each.
    pub fn limits(&self) -> &'static [&'static str] {
        self.entry.limits
    }

    /// Returns whether it is a variant: comparisons use another forest of its family by default.
    pub fn is_variant(&self) -> bool {
        self.alias.is_some() || self.entry.role == Role::Variant
    }

    /// Returns whether it is a baseline, which ignores the features.
    pub fn is_baseline(&self) -> bool {
        self.entry.role == Role::Baseline
    }

    /// Returns whether it is an offline learner, which sees all rows at once: only comparisons can fit it.
    pub fn is_offline(&self) -> bool {
        self.entry.role == Role::Offline
    }

    /// Returns its parameters, given or not; of an alias those that have an effect with its values, which are their
    /// defaults. Of two parameters of one name, one for each task, the second counts.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut known = self.known(|_| true);
        if self.alias.is_some() {
            let values = Values::defaults(&known);
            known.retain(|parameter| no_effect_with(parameter, &values).is_none());
        }
        known
    }

    /// Returns the parameters that have an effect in task `T` with some values of the others.
    pub fn parameters_of<T: Task>(&self) -> Vec<Parameter> {
        self.known(|task| task == T::NAME)
    }

    /// Returns what a parameter needs to have an effect, as `labels=aggregated`; `None` if it has one, or is unknown.
    pub fn condition(&self, parameter: &str) -> Option<String> {
        let known = self.known(|_| true);
        let parameter = known.iter().find(|known| known.name == parameter)?;
        let (other, values) = parameter.beside?;
        no_effect_with(parameter, &Values::defaults(&known).giving(&self.values))?;
        Some(format!("{other}={}", values.join(" or ")))
    }

    /// Returns the parameters given, as name and canonical value, in the order of the table.
    pub fn explicit_values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.given()
    }

    /// Returns whether it learns task `T`, and every parameter given has an effect there.
    pub fn supports<T: Task>(&self) -> bool {
        self.learns::<T>() && self.foreign_to::<T>().is_none()
    }

    pub(super) fn learns<T: Task>(&self) -> bool {
        let task = self.alias.and_then(|alias| alias.task);
        self.entry.build::<T>().is_some() && task.is_none_or(|only| only == T::NAME)
    }

    /// Returns a parameter that was given and has no effect in task `T`, or has a value that is not accepted there.
    pub(super) fn foreign_to<T: Task>(&self) -> Option<&'static str> {
        let known = self.parameters_of::<T>();
        let mut given = self.values.given();
        let accepts = |name, value| known.iter().any(|k| k.name == name && k.accepts(value));
        Some(given.find(|&(name, value)| !accepts(name, value))?.0)
    }

    /// Returns the parameters of the tasks that are asked for, of an alias only of those that it has.
    fn known(&self, is_asked: impl Fn(&str) -> bool) -> Vec<Parameter> {
        let only = self.alias.and_then(|alias| alias.task);
        let pairs = self.preset().split(',');
        let preset: Vec<_> = pairs.filter_map(|pair| pair.split_once('=')).collect();
        let mut known: Vec<Parameter> = Vec::new();
        for &(mut parameter) in self.entry.parameters.iter().copied().flatten() {
            let foreign = |task: &str| !is_asked(task) || only.is_some_and(|only| only != task);
            if parameter.task.is_some_and(foreign) {
                continue;
            }
            if let Some(&(_, value)) = preset.iter().find(|(name, _)| *name == parameter.name) {
                parameter.default = value;
            }
            match known.iter_mut().find(|known| known.name == parameter.name) {
                Some(known) => *known = parameter,
                None => known.push(parameter),
            }
        }
        known
    }
}

/// Returns another parameter and its value, with which this one has no effect; `None` if it has one.
fn no_effect_with<'a>(
    parameter: &Parameter,
    values: &'a Values,
) -> Option<(&'static str, &'a str)> {
    let (other, effective) = parameter.beside?;
    let value = values.peek(other)?;
    (!effective.contains(&value)).then_some((other, value))
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.values.given().eq(other.values.given())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.to_string();
        let colon = if values.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{values}", self.name())
    }
}

impl FromStr for Algorithm {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (name, values) = split(text);
        let Some(mut algorithm) = Self::all().find(|known| known.name() == name) else {
            let known: Vec<_> = Self::all().map(|known| known.name()).collect();
            let nearest = did_you_mean(name, known.iter().copied());
            let known = known.join(", ");
            let what = format!("unknown algorithm `{name}`{nearest}; available: {known}");
            return Err(ParameterError(what));
        };
        let known = algorithm.known(|_| true);
        algorithm.values = Values::read(name, &known, values)?;
        for parameter in &known {
            let mut given = algorithm.values.given();
            if given.all(|(name, _)| name != parameter.name) {
                continue;
            }
            if let Some((other, value)) = no_effect_with(parameter, &algorithm.values) {
                let parameter = parameter.name;
                let what = format!("{name} has no parameter `{parameter}` with {other}={value}");
                return Err(ParameterError(what));
            }
        }
        Ok(algorithm)
    }
}
