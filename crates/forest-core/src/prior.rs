//! The trivial baseline: the class frequencies, or the mean, of all samples seen.

use serde::{Deserialize, Serialize};

use crate::{
    CheckedBatch, CheckedRows, Footprint, ImplementLearner, InvariantError, PredictionRows, Schema,
    SettingError, Task,
};

/// Learns the targets and ignores the features: every other learner has to beat it.
///
/// Its most probable class is the majority class. `O(1)` per sample.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Prior<T: Task> {
    schema: Schema<T>,
    seen: u64,
    summary: T::Summary,
}

impl<T: Task> Prior<T> {
    /// A baseline for the stream that `schema` describes.
    pub fn new(schema: Schema<T>) -> Self {
        let (seen, summary) = (0, T::Summary::default());
        Self {
            schema,
            seen,
            summary,
        }
    }

    fn answer(&self, prediction: &mut [f64]) {
        match self.seen {
            0 => T::prior_prediction(prediction),
            n => T::predict_from(&self.summary, n, prediction),
        }
    }

    fn take(&mut self, target: T::Target) {
        self.schema.admit(target);
        self.seen += 1;
        T::add_target(&mut self.summary, target, self.seen);
    }
}

impl<T: Task> ImplementLearner for Prior<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let bytes = self.schema.width() * size_of::<u64>();
        Footprint {
            bytes,
            ..Footprint::default()
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)?;
        let mut answer = vec![0.0; self.schema.width()];
        self.answer(&mut answer);
        let finite = answer.iter().all(|value| value.is_finite());
        InvariantError::unless(finite, || "prior", || "an answer is not finite")
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        for &target in batch.targets() {
            self.take(target);
        }
    }

    fn predict_checked(&self, _: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let width = self.schema.width().max(1);
        let rows = answers.chunks_exact_mut(width);
        rows.for_each(|answer| self.answer(answer));
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
