//! The caller's own learners.

use std::fmt;
use std::sync::Arc;

use forest_core::{ByRow, ForestSettings, OnlineLearner, RowLearner, Schema, SettingError};

use crate::{AnyAlgorithm, BatchTask, RunError};

/// Makes a learner of task `T` for a stream of this shape.
pub type Build<T> = dyn Fn(Schema<T>, ForestSettings) -> Result<Box<dyn OnlineLearner<Task = T>>, SettingError>
    + Send
    + Sync;

/// A learner outside of the tables: any [`OnlineLearner`], under a name.
#[derive(Clone)]
pub struct OwnAlgorithm {
    name: Arc<str>,
    build: OwnBuild,
}

/// The function that makes learners, by task.
#[derive(Clone)]
pub enum OwnBuild {
    /// Of classes.
    Classifier(Arc<Build<forest_core::Classification>>),
    /// Of numbers.
    Regressor(Arc<Build<forest_core::Regression>>),
}

impl OwnAlgorithm {
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
        Self {
            name: name.into(),
            build: L::Task::keep(Arc::new(boxed)),
        }
    }

    /// Wraps a [`RowLearner`], which starts every run from its default.
    pub fn by_row<T: BatchTask, L: RowLearner<T> + Default + 'static>(name: &str) -> Self {
        Self::new(name, |schema, _| Ok(ByRow::<T, L>::new(schema)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn build<T: BatchTask>(
        &self,
        schema: Schema<T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn OnlineLearner<Task = T>>, RunError> {
        let wrong_task = || RunError::OwnTask {
            name: self.name.to_string(),
            task: T::NAME,
        };
        let build = T::own(&self.build).ok_or_else(wrong_task)?;
        Ok(build(schema, settings)?)
    }

    pub(crate) fn supports<T: BatchTask>(&self) -> bool {
        T::own(&self.build).is_some()
    }
}

impl From<OwnAlgorithm> for AnyAlgorithm {
    fn from(own: OwnAlgorithm) -> Self {
        Self::Own(own)
    }
}

impl fmt::Debug for OwnAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnAlgorithm").field(&self.name).finish()
    }
}
