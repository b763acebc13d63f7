//! Learners whose settings are parameters with names.

use std::fmt::Debug;

use crate::{ForestSettings, JoinError, OnlineLearner, Schema, SettingError};
use serde::{Serialize, de::DeserializeOwned};

use crate::registry::{Declared, NamedTask};

/// A learner that rows of a table make ([`learner`](crate::registry::learner)): it is built from a text, and saved and loaded
/// ([`crate::registry::snapshot`]) with that text. A [forest](crate::Forest) is one if the settings of its trees are [`Declared`].
pub trait Named:
    OnlineLearner<Task: NamedTask> + Clone + Debug + Serialize + DeserializeOwned + 'static
{
    /// Everything that is chosen before the first sample, but for what [`ForestSettings`] say.
    type Settings: Declared;

    /// How many levels of learners of a table are inside, at most. A learner holds those of lower levels only, so that a
    /// snapshot cannot nest any deeper.
    const NESTING: u8 = 0;

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
}
