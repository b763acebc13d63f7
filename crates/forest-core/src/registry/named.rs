//! Learners whose settings are parameters with names.

use std::fmt::Debug;

use crate::{ForestSettings, JoinError, Schema, SettingError};
use serde::{Serialize, de::DeserializeOwned};

use crate::registry::{Capable, Declared, Entry, NamedTask};

/// A learner that rows of a table make ([`learner`](crate::registry::learner)).
///
/// It can be built from a text and reports the text it could be built from; it is saved and loaded
/// ([`crate::registry::snapshot`]) whether it was built by name or with typed settings. A forest is one if its trees are
/// ([`NamedTree`](crate::registry::NamedTree)).
pub trait Named:
    Capable<Task: NamedTask> + Clone + Debug + Serialize + DeserializeOwned + 'static
{
    /// Everything that is chosen before the first sample, but for what [`ForestSettings`] say.
    type Settings: Declared;

    /// How many levels of learners of a table are inside, at most. A learner holds those of lower levels only, so that a
    /// snapshot cannot nest any deeper.
    const NESTING: u8 = 0;

    /// Returns the rows that make such learners, perhaps among others. A learner that was built with typed settings is saved
    /// under the name of the first one, and loaded as its type from any.
    fn rows() -> &'static [&'static Entry];

    /// Returns whether the parameter [`WINDOW`](crate::registry::WINDOW) can bound the samples it remembers; by default it cannot.
    fn can_forget() -> bool {
        false
    }

    /// Returns a learner for the stream that `schema` describes.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    fn build(
        schema: Schema<Self::Task>,
        settings: Self::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError>;

    /// Returns the settings it was built with.
    fn settings(&self) -> Self::Settings;

    /// Returns the number of trees; 0 for a baseline, which has none.
    fn trees(&self) -> usize;

    /// Takes the trees of the shard that follows this one ([`Forest::join`](crate::Forest::join)).
    ///
    /// # Errors
    /// Learners that are not shards of the same forest; then nothing changes.
    fn join(&mut self, next: Self) -> Result<(), JoinError> {
        drop(next);
        Err(JoinError::NoShards)
    }

    /// Returns the number of latest samples that it remembers, if it forgets the others.
    fn window(&self) -> Option<usize> {
        None
    }
}
