//! Learners whose settings are parameters with names.

use std::any::Any;
use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use crate::registry::snapshot::{SnapshotError, encode_value};
use crate::registry::{Declared, NamedTask};
use crate::{
    Ability, Forest, ForestSettings, OnlineLearner, OnlineTree, Refused, Schema, SettingError, Task,
};

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
    fn join(&mut self, next: Self) -> Result<(), Refused> {
        drop(next);
        Err(Refused::sharding())
    }
}

impl<K: OnlineTree<Task: NamedTask, Settings: Declared>> Named for Forest<K> {
    type Settings = K::Settings;

    fn can_forget() -> bool {
        K::can(Ability::Forget)
    }

    fn build(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.tree_count()
    }

    fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.join(next)
    }
}

/// A [`Named`] learner whose type is not known; every one of them is such a learner.
pub(crate) trait ErasedLearner<T: Task>: OnlineLearner<Task = T> + Debug {
    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn ErasedLearner<T>>;

    /// As [`Named::trees`].
    fn trees(&self) -> usize;

    /// As bytes of a snapshot's payload.
    ///
    /// # Errors
    /// What the codec cannot write.
    fn encode(&self) -> Result<Vec<u8>, SnapshotError>;

    /// Returns the learner, to be asked for its type.
    fn as_any(&self) -> &dyn Any;

    /// Returns the learner, to be taken as its type.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;

    /// As [`Named::join`], with a learner of the same type.
    ///
    /// # Errors
    /// A learner of another type, or as [`Named::join`].
    fn join(&mut self, next: Box<dyn Any>) -> Result<(), Refused>;
}

impl<L: Named> ErasedLearner<L::Task> for L {
    fn boxed_clone(&self) -> Box<dyn ErasedLearner<L::Task>> {
        Box::new(self.clone())
    }

    fn trees(&self) -> usize {
        Named::trees(self)
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        encode_value(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn join(&mut self, next: Box<dyn Any>) -> Result<(), Refused> {
        match next.downcast() {
            Ok(next) => Named::join(self, *next),
            Err(_) => Err(Refused::different("algorithms")),
        }
    }
}
