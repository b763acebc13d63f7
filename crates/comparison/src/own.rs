//! The caller's own learners.

use std::fmt;
use std::sync::Arc;

use forest_core::{
    ByRow, Classification, ForestSettings, OnlineLearner, Regression, RowLearner, Schema,
    SettingError, Task,
};

use crate::{AnyAlgorithm, BatchLearner, BatchTask, RunError};

/// Makes an online learner of task `T` for a stream of this shape.
pub type Build<T> = dyn Fn(Schema<T>, ForestSettings) -> Result<Box<dyn OnlineLearner<Task = T>>, RunError>
    + Send
    + Sync;

/// A learner outside of the tables, under a name: it learns row by row, or sees all training rows at once, for one task or for both.
#[derive(Clone)]
pub struct OwnAlgorithm {
    name: Arc<str>,
    pub(crate) classifier: Option<OwnBuild<Classification>>,
    pub(crate) regressor: Option<OwnBuild<Regression>>,
}

/// What makes the learners of a task.
pub enum OwnBuild<T: Task> {
    /// Makes learners that learn row by row.
    Online(Arc<Build<T>>),
    /// Fits to all training rows at once.
    Offline(Arc<dyn BatchLearner<T> + Send + Sync>),
}

impl OwnAlgorithm {
    /// Returns a name without a learner; [`OwnAlgorithm::with`] adds them.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            classifier: None,
            regressor: None,
        }
    }

    /// Adds the learners of a task.
    #[must_use]
    pub fn with<T: BatchTask>(mut self, build: OwnBuild<T>) -> Self {
        *T::own_mut(&mut self) = Some(build);
        self
    }

    /// Wraps a learner that `build` makes again for every run.
    pub fn new<L: OnlineLearner + 'static>(
        name: &str,
        build: impl Fn(Schema<L::Task>, ForestSettings) -> Result<L, SettingError>
        + Send
        + Sync
        + 'static,
    ) -> Self
    where
        L::Task: BatchTask,
    {
        let boxed = move |schema, settings| {
            let learner = build(schema, settings)?;
            Ok(Box::new(learner) as Box<dyn OnlineLearner<Task = L::Task>>)
        };
        Self::named(name).with(OwnBuild::Online(Arc::new(boxed)))
    }

    /// Wraps a [`RowLearner`], which starts every run from its default.
    pub fn by_row<T: BatchTask, L: RowLearner<T> + Default + 'static>(name: &str) -> Self {
        Self::new(name, |schema, _| Ok(ByRow::<T, L>::new(schema)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether its learners see all training rows at once.
    pub(crate) fn is_offline(&self) -> bool {
        matches!(self.classifier, Some(OwnBuild::Offline(_)))
            || matches!(self.regressor, Some(OwnBuild::Offline(_)))
    }

    /// Returns what makes the learners of task `T`.
    pub(crate) fn of_task<T: BatchTask>(&self) -> Result<&OwnBuild<T>, RunError> {
        let wrong_task =
            || RunError::Failed(format!("`{}` does not support {}", self.name, T::NAME));
        T::own(self).as_ref().ok_or_else(wrong_task)
    }

    pub(crate) fn build<T: BatchTask>(
        &self,
        schema: Schema<T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn OnlineLearner<Task = T>>, RunError> {
        match self.of_task()? {
            OwnBuild::Online(build) => build(schema, settings),
            OwnBuild::Offline(_) => Err(RunError::offline_stream()),
        }
    }

    pub(crate) fn supports<T: BatchTask>(&self) -> bool {
        T::own(self).is_some()
    }
}

impl From<OwnAlgorithm> for AnyAlgorithm {
    fn from(own: OwnAlgorithm) -> Self {
        Self::Own(own)
    }
}

impl<T: Task> Clone for OwnBuild<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Online(build) => Self::Online(build.clone()),
            Self::Offline(learner) => Self::Offline(learner.clone()),
        }
    }
}

impl fmt::Debug for OwnAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnAlgorithm").field(&self.name).finish()
    }
}
