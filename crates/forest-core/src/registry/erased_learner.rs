//! Any named learner behind a pointer.

use std::any::Any;
use std::fmt::Debug;

use crate::registry::Named;
use crate::registry::snapshot::{SnapshotError, encode_value};
use crate::{JoinError, OnlineLearner, Task};

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
    fn join(&mut self, next: Box<dyn Any>) -> Result<(), JoinError>;
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

    fn join(&mut self, next: Box<dyn Any>) -> Result<(), JoinError> {
        match next.downcast() {
            Ok(next) => Named::join(self, *next),
            Err(_) => Err(JoinError::Different("algorithms")),
        }
    }
}
