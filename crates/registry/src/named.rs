//! Learners whose settings are parameters with names.

use std::fmt::Debug;

use forest_core::{ForestSettings, Forget, OnlineLearner, Schema, SettingError};
use parameters::{Field, Values};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Capabilities, Entry, IntervalLearner, Refine};

/// A learner that is known by name.
///
/// It can be built from a text and tells the text it could be built from; it is saved and loaded
/// ([`crate::snapshot`]) whether it was built by name or with typed settings. A forest is one if its trees are
/// ([`NamedTree`](crate::NamedTree)).
pub trait Named: OnlineLearner + Clone + Debug + Serialize + DeserializeOwned + 'static {
    /// Everything that is chosen before the first sample, number of trees and seed aside.
    type Settings: 'static;

    /// How many levels of learners of a table are inside, at most. A learner holds those of lower levels only, so that a
    /// snapshot cannot nest any deeper.
    const NESTING: u8 = 0;

    /// The names under which such learners are known, each with its parameters.
    fn configurations() -> &'static [Configuration<Self::Settings>];

    /// A learner for the stream that `schema` describes.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    fn build(
        schema: Schema<Self::Task>,
        settings: Self::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError>;

    /// The settings it was built with.
    fn settings(&self) -> Self::Settings;

    /// Number of trees; 0 for a baseline, which has none.
    fn trees(&self) -> usize;

    /// What only some learners can do, if it does not change them.
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities::default()
    }

    /// Forgetting samples, if it can.
    fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = Self::Task>> {
        None
    }

    /// Means and variances just before samples are learned, if it tells.
    fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner> {
        None
    }

    /// Bringing every leaf up to a growing budget, if it can.
    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        None
    }

    /// The algorithm and the value of each of its parameters.
    fn stated(&self) -> (&'static Entry, Values) {
        let settings = self.settings();
        let mut known = Self::configurations().iter();
        let configuration = known.find(|known| (known.includes)(&settings));
        let configuration = configuration.expect("some configuration includes any settings");
        (
            configuration.entry,
            Values::of(&settings, configuration.fields()),
        )
    }
}

/// A name of learners with settings `S`, and the parameters that go with it.
#[derive(Debug)]
pub struct Configuration<S: 'static> {
    /// The row of the table.
    pub entry: &'static Entry,
    /// The settings if nothing is given, for points of this number of features.
    pub default: fn(usize) -> S,
    /// Whether settings belong to this configuration; the first one that includes them gives the name.
    pub includes: fn(&S) -> bool,
    /// The parameters, in groups.
    pub fields: &'static [&'static [Field<S>]],
}

impl<S> Configuration<S> {
    /// The parameters, in the order in which they are listed to users.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field<S>> + use<S> {
        self.fields.iter().copied().flatten()
    }
}
