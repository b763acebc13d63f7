//! What makes the learners of a row for one task.

use std::fmt;

use crate::parameters::{Parameter, Values};
use crate::{ForestSettings, Schema, SettingError, Task};

use crate::registry::shared::{self, WINDOW};
use crate::registry::snapshot::{Payload, SnapshotError};
use crate::registry::{Declared, ErasedLearner, Named, NamedTask, VOTE};

/// The learners of a row for one task: one kind, or one for each word of a parameter.
pub type Learners<T> = fn() -> Vec<Kind<T>>;

/// Learners of type `L`, whose settings start from their default, for a row of a table.
pub fn learner<L: Named>() -> Vec<Kind<L::Task>> {
    let start = |_| L::Settings::default();
    vec![Kind::new::<L>([], L::Settings::parameters(), start)]
}

type Boxed<T> = Box<dyn ErasedLearner<T>>;

/// A parameter's name, and its value.
type NamedValue<'a> = (&'a str, &'a str);

/// A learner, and the value of each of the parameters that its settings have.
type Built<T> = (Boxed<T>, Vec<Option<String>>);

type Build<T> = dyn Fn(
    &[NamedValue<'_>],
    &[&'static Parameter],
    Schema<T>,
    ForestSettings,
) -> Result<Built<T>, SettingError>;

/// A parameter that chooses among the kinds of a row, and its value for one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selector {
    parameter: &'static Parameter,
    /// Nothing: any number.
    word: Option<&'static str>,
}

impl Selector {
    /// Chooses the kind if the parameter has this word for its value.
    pub const fn word(parameter: &'static Parameter, word: &'static str) -> Self {
        let word = Some(word);
        Self { parameter, word }
    }

    /// Chooses the kind if the value of the parameter is a number, and no word.
    pub const fn number(parameter: &'static Parameter) -> Self {
        let word = None;
        Self { parameter, word }
    }

    /// Returns whether it chooses the kind at this value of the parameter.
    pub fn is_chosen_by(&self, value: &str) -> bool {
        match self.word {
            Some(word) => value == word,
            None => value.parse::<f64>().is_ok(),
        }
    }

    pub(crate) fn parameter(&self) -> &'static Parameter {
        self.parameter
    }

    /// Returns the value that these values give to the parameter.
    pub(crate) fn value<'a>(&self, values: &'a Values) -> &'a str {
        values
            .text(self.parameter.name)
            .unwrap_or(self.parameter.default)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, word) = (self.parameter.name, self.word.unwrap_or("NUMBER"));
        write!(f, "{name}={word}")
    }
}

/// Learners of one type: their parameters, and what makes them.
pub struct Kind<T: Task> {
    /// What chooses it among the kinds of a row; all must.
    pub(crate) selectors: Vec<Selector>,
    pub(crate) parameters: Vec<&'static Parameter>,
    pub(crate) nesting: u8,
    build: Box<Build<T>>,
    decode: fn(&mut Payload<'_>) -> Result<Boxed<T>, SnapshotError>,
}

impl<T: NamedTask> Kind<T> {
    /// Learners of type `L`. If a row has several kinds, `selectors` choose among them.
    ///
    /// Of `parameters` those are theirs that their settings hold, `window` if they can forget, `vote` if they learn
    /// classes, and the selectors. Settings begin as `start` makes them for points of a number of features; then each
    /// parameter has its default, unless that is a formula or selects the kind, and then what is given.
    pub fn new<L: Named<Task = T>>(
        selectors: impl IntoIterator<Item = Selector>,
        parameters: impl IntoIterator<Item = &'static Parameter>,
        start: impl Fn(usize) -> L::Settings + 'static,
    ) -> Self {
        let settings = start(1);
        let selectors: Vec<_> = selectors.into_iter().collect();
        let selects = |name| {
            selectors
                .iter()
                .any(|selector| selector.parameter.name == name)
        };
        let is_theirs = |parameter: &&Parameter| match parameter.name {
            name if name == VOTE.name && !T::HAS_VOTE => false,
            name if name == WINDOW.name && L::can_forget() => true,
            name if selects(name) => true,
            name => settings.get(name).is_some(),
        };
        Self {
            parameters: parameters.into_iter().filter(is_theirs).collect(),
            selectors,
            nesting: L::NESTING,
            build: Box::new(move |given, parameters, schema, forest| {
                build::<L>(start(schema.features()), given, parameters, schema, forest)
            }),
            decode: |payload| Ok(Box::new(payload.last_value::<L>()?)),
        }
    }
}

impl<T: Task> Kind<T> {
    /// Returns whether it is the one that these values choose.
    pub(crate) fn is_chosen_by(&self, values: &Values) -> bool {
        let mut selectors = self.selectors.iter();
        selectors.all(|selector| selector.is_chosen_by(selector.value(values)))
    }

    /// Returns the word of the selector that is this parameter, if it has one.
    fn word(&self, parameter: &str) -> Option<&'static str> {
        let mut selectors = self.selectors.iter();
        let selector = selectors.find(|selector| selector.parameter.name == parameter);
        selector.and_then(|selector| selector.word)
    }

    fn is_selected_by(&self, parameter: &Parameter) -> bool {
        let mut selectors = self.selectors.iter();
        selectors.any(|selector| selector.parameter.name == parameter.name)
    }

    /// Returns a learner, and the value of each parameter.
    pub(crate) fn build(
        &self,
        values: &Values,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<(Boxed<T>, Values), SettingError> {
        let parameters = self.parameters.iter();
        let is_value = |parameter: &&&Parameter| {
            parameter.accepts(parameter.default) && !self.is_selected_by(parameter)
        };
        let defaults = parameters.filter(is_value).map(|p| (p.name, p.default));
        let values = values.iter().filter(|(name, _)| self.word(name).is_none());
        let given: Vec<_> = defaults.chain(values).collect();
        let (learner, held) = (self.build)(&given, &self.parameters, schema, forest)?;
        let mut stated = Vec::with_capacity(held.len());
        for (&parameter, held) in self.parameters.iter().zip(held) {
            let word = self.word(parameter.name).map(str::to_owned);
            let value = word.or(held);
            let value = value.expect("a kind has only parameters that its settings hold");
            stated.push((parameter, value));
        }
        Ok((learner, stated.into_iter().collect()))
    }

    /// Returns the learner that was encoded as `payload`.
    pub(crate) fn decode(&self, payload: &mut Payload<'_>) -> Result<Boxed<T>, SnapshotError> {
        (self.decode)(payload)
    }
}

impl<T: Task> fmt::Debug for Kind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Kind");
        shown.field("selectors", &self.selectors);
        shown.finish_non_exhaustive()
    }
}

fn build<L: Named>(
    mut settings: L::Settings,
    given: &[NamedValue<'_>],
    parameters: &[&'static Parameter],
    schema: Schema<L::Task>,
    mut forest: ForestSettings,
) -> Result<Built<L::Task>, SettingError> {
    for (name, text) in given {
        if !settings.set(name, text) && *name == WINDOW.name {
            shared::set_window(&mut forest, text);
        }
    }
    let held = parameters.iter().map(|parameter| {
        let is_window = L::can_forget() && parameter.name == WINDOW.name;
        let window = is_window.then(|| shared::window_text(&forest));
        settings.get(parameter.name).or(window)
    });
    let held = held.collect();
    Ok((Box::new(L::build(schema, settings, forest)?), held))
}
