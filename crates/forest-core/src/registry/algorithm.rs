//! An algorithm by name, with the parameters that were given.

use std::fmt;
use std::str::FromStr;

use crate::parameters::{Parameter, ParameterError, Values, did_you_mean};
use crate::{Classification, ForestSettings, Regression, Schema};

use crate::registry::table::entries;
use crate::registry::{
    AlgorithmError, Alias, AnyLearner, BuildError, Entry, Kind, NamedTask, Role,
};

/// A named algorithm with parameters, such as `mondrian:budget=5,min_points=1`.
///
/// Read with [`FromStr`] from the table of algorithms; everything that can be wrong without knowing the stream
/// (names, values, a parameter given twice) is refused there. [`Display`](fmt::Display) writes the
/// canonical text: the parameters given, in the order of the table, each value as the program would
/// write it. A name may be an [alias](Alias), and stays one.
#[derive(Clone, Debug)]
pub struct Algorithm {
    row: Row,
    given: Values,
}

/// A row of the table, by its own name or by one of its aliases.
#[derive(Clone, Copy, Debug)]
struct Row {
    entry: &'static Entry,
    alias: Option<&'static Alias>,
}

impl Row {
    /// Returns the rows of the table, aliases behind their algorithm.
    fn all() -> impl Iterator<Item = Self> {
        entries().flat_map(|entry| {
            let aliases = entry.aliases.iter().map(Some);
            std::iter::once(None)
                .chain(aliases)
                .map(move |alias| Self { entry, alias })
        })
    }

    fn name(&self) -> &'static str {
        self.alias.map_or(self.entry.name, |alias| alias.name)
    }

    /// Returns the values given, and behind them those of the alias that were not given.
    fn values(&self, given: &Values) -> Values {
        let text = self.alias.map_or("", |alias| alias.preset);
        let known = self.entry.parameters();
        let preset = Values::read(self.name(), &known, text)
            .expect("presets are values that the rules of parameters accept");
        given.clone().or(preset)
    }

    /// Returns the parameter, whose default is the value of the alias.
    fn preset(&self, parameter: &Parameter) -> Parameter {
        let preset = self.alias.and_then(|alias| alias.value(parameter.name));
        preset.map_or(*parameter, |value| parameter.with_default(value))
    }

    /// Returns the kind of learners that these values choose.
    fn kind<T: NamedTask>(&self, given: &Values) -> Option<Kind<T>> {
        let learns = self.alias.is_none_or(Alias::learns::<T>);
        let values = self.values(given);
        self.entry.kind::<T>(&values).filter(|_| learns)
    }

    /// Returns the parameters that mean something in task `T` beside these values.
    fn known_beside<T: NamedTask>(&self, given: &Values) -> Vec<&'static Parameter> {
        self.kind::<T>(given)
            .map_or(Vec::new(), |kind| kind.parameters)
    }

    /// Returns the parameters that mean something in some task beside these values.
    fn known_to_some(&self, given: &Values) -> Vec<&'static Parameter> {
        let mut known = self.known_beside::<Classification>(given);
        for parameter in self.known_beside::<Regression>(given) {
            if known.iter().all(|one| one.name != parameter.name) {
                known.push(parameter);
            }
        }
        known
    }
}

impl Algorithm {
    /// Returns every algorithm of the table with its defaults, by name, aliases behind their algorithm and baselines last.
    pub fn all() -> impl Iterator<Item = Self> {
        Row::all().map(|row| Self::new(row, Values::default()))
    }

    fn new(row: Row, given: Values) -> Self {
        Self { row, given }
    }

    /// Returns the name without parameters.
    pub fn name(&self) -> &'static str {
        self.row.name()
    }

    /// Returns the name of the algorithm that this one is, with values of its own; nothing if the name is not an alias.
    pub fn alias_of(&self) -> Option<&'static str> {
        self.row.alias.map(|_| self.row.entry.name)
    }

    /// Returns the values that the name stands for, as `key=value,…`; empty if the name is not an alias.
    pub fn preset(&self) -> &'static str {
        self.row.alias.map_or("", |alias| alias.preset)
    }

    /// Returns a description in one line.
    pub fn description(&self) -> &'static str {
        let entry = self.row.entry;
        self.row
            .alias
            .map_or(entry.description, |alias| alias.description)
    }

    /// Returns the publication it comes from.
    pub fn paper(&self) -> &'static str {
        let entry = self.row.entry;
        self.row.alias.map_or(entry.paper, |alias| alias.paper)
    }

    /// Returns the number of trees of its learners where none is asked for; [`ForestSettings`] has 10 for every algorithm.
    pub fn trees(&self) -> usize {
        self.row.entry.trees
    }

    /// Returns its limitations, a phrase each.
    pub fn limits(&self) -> &'static [&'static str] {
        self.row.entry.limits
    }

    /// Returns the parameters it takes, given or not: of an alias those that mean something beside its values, which are their
    /// defaults.
    pub fn parameters(&self) -> Vec<Parameter> {
        let applicable = self.row.known_to_some(&Values::default());
        let applies = |name: &str| applicable.iter().any(|known| known.name == name);
        let is_shown = |parameter: &&Parameter| self.row.alias.is_none() || applies(parameter.name);
        let known = self.row.entry.parameters().into_iter();
        known
            .filter(is_shown)
            .map(|parameter| self.row.preset(parameter))
            .collect()
    }

    /// Returns the value of another parameter with which a parameter means something, as `labels=aggregated`; nothing for those that do
    /// already, and for those that the algorithm does not have.
    pub fn condition(&self, parameter: &str) -> Option<String> {
        let has = |known: &[&Parameter]| known.iter().any(|one| one.name == parameter);
        let needs_another =
            has(&self.entry().parameters()) && !has(&self.row.known_to_some(&self.given));
        needs_another.then(|| {
            let values = self.row.values(&self.given);
            let selector = self.entry().selector_without(parameter, &values);
            selector.to_string()
        })
    }

    /// Returns the parameters that mean something in task `T`, beside some values of the others; values of an alias are
    /// their defaults.
    pub fn parameters_of<T: NamedTask>(&self) -> Vec<Parameter> {
        let known = self.row.entry.known_to::<T>().into_iter();
        known.map(|parameter| self.row.preset(parameter)).collect()
    }

    /// Returns the parameters given, as name and canonical value, in the order of [`Algorithm::parameters`].
    pub fn explicit_values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter()
    }

    pub(crate) fn entry(&self) -> &'static Entry {
        self.row.entry
    }

    /// Returns the kind of its learners of task `T`.
    pub(crate) fn kind<T: NamedTask>(&self) -> Option<Kind<T>> {
        self.row.kind::<T>(&self.given)
    }

    /// Returns whether it learns task `T`, and every parameter given has a meaning there.
    pub fn supports<T: NamedTask>(&self) -> bool {
        self.kind::<T>().is_some() && self.foreign_parameter::<T>().is_none()
    }

    /// Returns whether another forest stands for its family.
    pub fn is_variant(&self) -> bool {
        self.row.alias.is_some() || self.row.entry.role == Role::Variant
    }

    /// Returns whether it ignores the features: what every forest has to beat.
    pub fn is_baseline(&self) -> bool {
        self.row.entry.role == Role::Baseline
    }

    /// Returns a learner of this kind for the stream that `schema` describes. A baseline has no trees and
    /// draws nothing, whatever `forest` says.
    ///
    /// # Errors
    /// A task that the algorithm or a given parameter does not know, no trees, or a parameter that
    /// breaks its rule for this schema.
    pub fn build<T: NamedTask>(
        &self,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<AnyLearner<T>, BuildError> {
        let (algorithm, task) = (self.name(), T::NAME);
        let kind = self.kind::<T>();
        let kind = kind.ok_or(BuildError::WrongTask { algorithm, task })?;
        if let Some(parameter) = self.foreign_parameter::<T>() {
            return Err(BuildError::WrongParameter {
                algorithm,
                parameter,
                task,
            });
        }
        let built = kind.build(&self.row.values(&self.given), schema, forest);
        let (held, stated) = built.map_err(|source| BuildError::Setting {
            algorithm: self.to_string(),
            source,
        })?;
        Ok(AnyLearner::new(Self::new(self.row, stated), held))
    }

    /// Returns the same with the values in the order in which learners of a kind state them.
    pub(crate) fn in_order_of(self, kind: &[&'static Parameter]) -> Self {
        Self::new(self.row, self.given.in_order_of(kind))
    }

    /// Returns the bytes of its values.
    pub(crate) fn bytes(&self) -> usize {
        self.given.bytes()
    }

    /// Takes another value of a parameter, in canonical text, if it is stated.
    pub(crate) fn state(&mut self, parameter: &'static Parameter, text: String) {
        self.given.replace(parameter, text);
    }

    /// Returns a parameter that was given and means nothing in task `T`, or has a value that means nothing there.
    fn foreign_parameter<T: NamedTask>(&self) -> Option<&'static str> {
        let known = self.row.known_beside::<T>(&self.given);
        let means_nothing = |(name, value): &(&str, &str)| {
            let mut of_the_name = known.iter().filter(|parameter| parameter.name == *name);
            !of_the_name.any(|parameter| parameter.accepts(value))
        };
        self.explicit_values()
            .find(means_nothing)
            .map(|(name, _)| name)
    }

    /// Refuses a parameter that means something in no task, beside the others that were given.
    fn check(self) -> Result<Self, ParameterError> {
        let known = self.row.known_to_some(&self.given);
        let mut names = self.explicit_values().map(|(name, _)| name);
        let inapplicable = names.find(|name| known.iter().all(|known| known.name != *name));
        drop(names);
        let Some(parameter) = inapplicable else {
            return Ok(self);
        };
        let values = self.row.values(&self.given);
        let selector = self.entry().selector_without(parameter, &values);
        Err(ParameterError::Inapplicable {
            owner: self.name(),
            parameter,
            selector: selector.parameter().name,
            word: selector.value(&values).to_owned(),
        })
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.explicit_values().eq(other.explicit_values())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if self.given.is_empty() {
            return Ok(());
        }
        write!(f, ":{}", self.given)
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let (name, values) = crate::parameters::split(text);
        let row = Row::all().find(|row| row.name() == name);
        let row = row.ok_or_else(|| unknown(name))?;
        let given = Values::read(row.name(), &row.entry.parameters(), values);
        let given = given.map_err(|error| error.listing(&row.known_to_some(&Values::default())))?;
        Ok(Self::new(row, given).check()?)
    }
}

fn unknown(name: &str) -> AlgorithmError {
    let known: Vec<_> = Row::all().map(|row| row.name()).collect();
    AlgorithmError::Unknown {
        name: name.to_owned(),
        suggestion: did_you_mean(name, known.iter().copied()),
        known,
    }
}
