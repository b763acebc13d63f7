//! Learners that look at the targets alone: every other learner has to beat them.

mod moving_mean;
mod no_change;
mod prior;

use std::fmt::Debug;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    CheckedBatch, CheckedRows, Footprint, ImplementLearner, InvariantError, PredictionRows, Schema,
    SettingError, Task,
};

pub use moving_mean::{MovingMean, Recent};
pub use no_change::{Latest, NoChange};
pub use prior::{Prior, Summary};

/// What a baseline keeps of the targets so far.
pub trait TargetMemory<T: Task>:
    Clone + Debug + Send + Sync + Serialize + DeserializeOwned
{
    /// Takes target number `seen`, counted from 1.
    fn take(&mut self, target: T::Target, seen: u64);

    /// Overwrites `prediction` with the answer after `seen` targets, one or more.
    fn answer(&self, seen: u64, prediction: &mut [f64]);

    /// Bytes that it takes where predictions have `width` numbers.
    fn bytes(&self, width: usize) -> usize;

    /// Checks that this could be what is kept of `seen` targets of such a stream.
    ///
    /// # Errors
    /// What does not hold.
    fn check(&self, seen: u64, schema: &Schema<T>) -> Result<(), InvariantError>;
}

/// Learns the targets into `M` and ignores the features. Before the first target it answers as a learner that
/// knows nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TargetsAlone<T: Task, M: TargetMemory<T>> {
    schema: Schema<T>,
    seen: u64,
    memory: M,
}

impl<T: Task, M: TargetMemory<T> + Default> TargetsAlone<T, M> {
    /// A baseline for the stream that `schema` describes.
    pub fn new(schema: Schema<T>) -> Self {
        Self::with_memory(schema, M::default())
    }
}

impl<T: Task, M: TargetMemory<T>> TargetsAlone<T, M> {
    fn with_memory(schema: Schema<T>, memory: M) -> Self {
        let seen = 0;
        Self {
            schema,
            seen,
            memory,
        }
    }

    fn answer(&self, prediction: &mut [f64]) {
        match self.seen {
            0 => T::prior_prediction(prediction),
            seen => self.memory.answer(seen, prediction),
        }
    }

    fn take(&mut self, target: T::Target) {
        self.schema.admit(target);
        self.seen += 1;
        self.memory.take(target, self.seen);
    }
}

impl<T: Task, M: TargetMemory<T>> ImplementLearner for TargetsAlone<T, M> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            bytes: self.memory.bytes(self.schema.width()),
            ..Footprint::default()
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)?;
        self.memory.check(self.seen, &self.schema)
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        for &target in batch.targets() {
            self.take(target);
        }
    }

    fn predict_checked(&self, _: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let width = self.schema.width().max(1);
        let mut rows = answers.chunks_exact_mut(width);
        if let Some(first) = rows.next() {
            self.answer(first);
            rows.for_each(|answer| answer.copy_from_slice(first));
        }
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        for &target in batch.targets() {
            self.answer(answers.push(self.schema.width()));
            self.take(target);
        }
        answers
    }
}
