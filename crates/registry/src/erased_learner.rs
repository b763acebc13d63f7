//! Any named learner behind a pointer.

use std::any::Any;
use std::fmt::Debug;

use forest_core::{Forget, OnlineLearner, Task};
use parameters::Values;

use crate::snapshot::{SnapshotError, codec};
use crate::{Capabilities, Entry, IntervalLearner, Named, Refine};

/// A [`Named`] learner whose type is not known; every one of them is such a learner.
pub trait ErasedLearner<T: Task>: OnlineLearner<Task = T> + Debug {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn ErasedLearner<T>>;

    /// As [`Named::stated`].
    fn stated(&self) -> (&'static Entry, Values);

    /// As [`Named::trees`].
    fn trees(&self) -> usize;

    /// As bytes that [`Maker::decode`](crate::Maker::decode) reads.
    ///
    /// # Errors
    /// What the codec cannot write.
    fn encode(&self) -> Result<Vec<u8>, SnapshotError>;

    /// As [`Named::capabilities`].
    fn capabilities(&self) -> Capabilities<'_>;

    /// As [`Named::as_forget_mut`].
    fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = T>>;

    /// As [`Named::as_interval_learner_mut`].
    fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner>;

    /// As [`Named::as_refine_mut`].
    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine>;

    /// The learner, to be asked for its type.
    fn as_any(&self) -> &dyn Any;
}

impl<L: Named> ErasedLearner<L::Task> for L {
    fn boxed_clone(&self) -> Box<dyn ErasedLearner<L::Task>> {
        Box::new(self.clone())
    }

    fn stated(&self) -> (&'static Entry, Values) {
        Named::stated(self)
    }

    fn trees(&self) -> usize {
        Named::trees(self)
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        codec::encode(self)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Named::capabilities(self)
    }

    fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = L::Task>> {
        Named::as_forget_mut(self)
    }

    fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner> {
        Named::as_interval_learner_mut(self)
    }

    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        Named::as_refine_mut(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
