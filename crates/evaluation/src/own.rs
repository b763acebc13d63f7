//! Learners of the caller's own.

use std::fmt;
use std::sync::Arc;

use forest_core::{
    CheckedBatch, CheckedRows, Footprint, ForestSettings, ImplementLearner, InvariantError,
    OnlineLearner, PredictionRows, Schema, SettingError, Task,
};

use crate::{AnyAlgorithm, BatchTask, RunError};

/// Makes a learner of task `T` for a stream of this shape.
pub type Build<T> = dyn Fn(Schema<T>, ForestSettings) -> Result<Box<dyn OnlineLearner<Task = T>>, SettingError>
    + Send
    + Sync;

/// A learner that is in no table: any [`OnlineLearner`], under a name.
#[derive(Clone)]
pub struct OwnAlgorithm {
    name: Arc<str>,
    build: OwnBuild,
}

/// How the learners of one task are made.
#[derive(Clone)]
pub enum OwnBuild {
    /// Of classes.
    Classifier(Arc<Build<forest_core::Classification>>),
    /// Of numbers.
    Regressor(Arc<Build<forest_core::Regression>>),
}

impl OwnAlgorithm {
    /// A learner made anew by `build` for every run.
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

    /// A [`RowLearner`], which begins as its default in every run.
    pub fn by_row<T: BatchTask, L: RowLearner<T> + Default + 'static>(name: &str) -> Self {
        Self::new(name, |schema, _| {
            Ok(ByRow::<T, L>::new(schema, L::default()))
        })
    }

    /// What it is called.
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

/// The least that a learner of one's own has to do.
pub trait RowLearner<T: Task>: Send + Sync {
    /// Learns one row.
    fn learn(&mut self, features: &[f32], target: T::Target);

    /// Answers one row: as many class probabilities as classes are known, or one number. `answer` is all 0 before.
    fn answer(&self, features: &[f32], answer: &mut [f64]);

    /// Bytes that it holds, if it tells.
    fn bytes(&self) -> usize {
        0
    }
}

/// A [`RowLearner`] as an [`OnlineLearner`]: input is checked before it comes.
#[derive(Clone, Debug)]
pub struct ByRow<T: Task, L> {
    schema: Schema<T>,
    seen: u64,
    learner: L,
}

impl<T: Task, L: RowLearner<T>> ByRow<T, L> {
    /// For the stream that `schema` describes.
    pub fn new(schema: Schema<T>, learner: L) -> Self {
        let seen = 0;
        Self {
            schema,
            seen,
            learner,
        }
    }

    fn take(&mut self, features: &[f32], target: T::Target) {
        self.schema.admit(target);
        self.seen += 1;
        self.learner.learn(features, target);
    }
}

impl<T: Task, L: RowLearner<T>> ImplementLearner for ByRow<T, L> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            bytes: self.learner.bytes(),
            ..Footprint::default()
        }
    }

    /// It knows of none beyond the schema.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        for (features, target) in batch.iter() {
            self.take(features, target);
        }
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let width = self.schema.width().max(1);
        for (features, answer) in rows.iter().zip(answers.chunks_exact_mut(width)) {
            self.learner.answer(features, answer);
        }
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        for (features, target) in batch.iter() {
            self.learner
                .answer(features, answers.push(self.schema.width()));
            self.take(features, target);
        }
        answers
    }
}
