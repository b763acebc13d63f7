//! What makes the learners of a row for one task.

use std::any::TypeId;
use std::fmt;

use forest_core::{ForestSettings, Schema, SettingError, Task};
use parameters::{Parameter, Values};

use crate::snapshot::{Payload, SnapshotError};
use crate::window::{self, WINDOW};
use crate::{Declared, ErasedLearner, Named, NamedTask, VOTE};

/// The learners of a row for one task: one kind, or one for each word of a parameter.
pub type Learners<T> = fn() -> Vec<Kind<T>>;

/// Learners of type `L`, whose settings start from their default, for a row of a table.
pub fn learner<L: Named>() -> Vec<Kind<L::Task>> {
    let start = |_| L::Settings::default();
    vec![Kind::new::<L>(None, L::Settings::parameters(), start)]
}

type Boxed<T> = Box<dyn ErasedLearner<T>>;

/// A parameter's name, and its value.
type Given<'a> = (&'a str, &'a str);

type Build<T> = dyn Fn(&[Given<'_>], Schema<T>, ForestSettings) -> Result<Boxed<T>, SettingError>;

/// Learners of one type: their parameters, and what makes them.
pub struct Kind<T: Task> {
    /// The parameter that chooses among the kinds of a row, and its word for this one.
    pub(crate) selector: Option<(&'static Parameter, &'static str)>,
    pub(crate) parameters: Vec<&'static Parameter>,
    pub(crate) nesting: u8,
    pub(crate) learner: TypeId,
    build: Box<Build<T>>,
    decode: fn(&mut Payload<'_>) -> Result<Boxed<T>, SnapshotError>,
}

impl<T: NamedTask> Kind<T> {
    /// Learners of type `L`. If a row has several kinds, `selector` is the parameter that chooses among them, and its word for
    /// this one.
    ///
    /// Of `parameters` those are theirs that their settings hold, `window` if they can forget, `vote` if they learn
    /// classes, and the selector. Settings begin as `start` makes them for points of a number of features; then each
    /// parameter has its default, unless that is a formula, and then what is given.
    pub fn new<L: Named<Task = T>>(
        selector: Option<(&'static Parameter, &'static str)>,
        parameters: impl IntoIterator<Item = &'static Parameter>,
        start: impl Fn(usize) -> L::Settings + 'static,
    ) -> Self {
        let settings = start(1);
        let is_theirs = |parameter: &&Parameter| match parameter.name {
            name if name == VOTE.name && !T::HAS_VOTE => false,
            name if name == WINDOW.name && L::CAN_FORGET => true,
            name if selector.is_some_and(|(selector, _)| selector.name == name) => true,
            name => settings.get(name).is_some(),
        };
        Self {
            selector,
            parameters: parameters.into_iter().filter(is_theirs).collect(),
            nesting: L::NESTING,
            learner: TypeId::of::<L>(),
            build: Box::new(move |given, schema, forest| {
                build::<L>(start(schema.features()), given, schema, forest)
            }),
            decode: |payload| Ok(Box::new(payload.last_value::<L>()?)),
        }
    }
}

impl<T: Task> Kind<T> {
    /// The selector's word, if there is a selector.
    pub(crate) fn word(&self) -> Option<&'static str> {
        self.selector.map(|(_, word)| word)
    }

    /// Whether it is the one that these values choose.
    pub(crate) fn is_chosen_by(&self, values: &Values) -> bool {
        self.selector.is_none_or(|(parameter, word)| {
            values.text(parameter.name).unwrap_or(parameter.default) == word
        })
    }

    pub(crate) fn build(
        &self,
        values: &Values,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Boxed<T>, SettingError> {
        let parameters = self.parameters.iter();
        let is_value = |parameter: &&&Parameter| parameter.accepts(parameter.default);
        let defaults = parameters.filter(is_value).map(|p| (p.name, p.default));
        let given: Vec<_> = defaults.chain(values.iter()).collect();
        (self.build)(&given, schema, forest)
    }

    /// The learner that was encoded as `payload`.
    pub(crate) fn decode(&self, payload: &mut Payload<'_>) -> Result<Boxed<T>, SnapshotError> {
        (self.decode)(payload)
    }

    /// The value of each parameter, as a learner of this kind has it.
    pub(crate) fn stated(&self, learner: &dyn ErasedLearner<T>) -> Values {
        let value = |parameter: &&'static Parameter| match self.selector {
            Some((selector, word)) if selector.name == parameter.name => word.to_owned(),
            _ => learner
                .value(parameter.name)
                .expect("a kind has only parameters that its learners hold"),
        };
        let parameters = self.parameters.iter();
        parameters.map(|one| (*one, value(one))).collect()
    }
}

impl<T: Task> fmt::Debug for Kind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Kind");
        shown.field("selector", &self.selector);
        shown.finish_non_exhaustive()
    }
}

fn build<L: Named>(
    mut settings: L::Settings,
    given: &[Given<'_>],
    schema: Schema<L::Task>,
    mut forest: ForestSettings,
) -> Result<Boxed<L::Task>, SettingError> {
    for (name, text) in given {
        if !settings.set(name, text) && *name == WINDOW.name {
            window::set(&mut forest, text);
        }
    }
    Ok(Box::new(L::build(schema, settings, forest)?))
}
