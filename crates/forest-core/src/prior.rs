//! The trivial baseline: the class frequencies, or the mean, of all samples seen.

use serde::{Deserialize, Serialize};

use crate::{
    CheckedBatch, CheckedRows, Classification, Footprint, ImplementLearner, InvariantError,
    PredictionRows, Regression, Schema, SettingError, Task,
};

/// Learns the targets and ignores the features: every other learner has to beat it.
///
/// Its most probable class is the majority class. `O(1)` per sample.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Prior<T: PriorTask> {
    schema: Schema<T>,
    seen: u64,
    summary: T::Summary,
}

/// How a task sums up targets without features.
pub trait PriorTask: Task {
    /// Counts per class, or the running mean.
    type Summary: Clone
        + std::fmt::Debug
        + Default
        + Send
        + Sync
        + Serialize
        + serde::de::DeserializeOwned;

    /// Takes target number `n` (from 1).
    fn take(summary: &mut Self::Summary, target: Self::Target, n: u64);

    /// Fills the prediction after `n` targets, `n` at least 1.
    fn answer(summary: &Self::Summary, n: u64, prediction: &mut [f64]);
}

impl PriorTask for Classification {
    type Summary = Vec<u64>;

    fn take(counts: &mut Vec<u64>, class: u32, _: u64) {
        let class = class as usize;
        counts.resize(counts.len().max(class + 1), 0);
        counts[class] += 1;
    }

    fn answer(counts: &Vec<u64>, n: u64, prediction: &mut [f64]) {
        for (cell, count) in prediction.iter_mut().zip(counts) {
            *cell = *count as f64 / n as f64;
        }
    }
}

impl PriorTask for Regression {
    type Summary = f64;

    fn take(mean: &mut f64, target: f64, n: u64) {
        *mean += (target - *mean) / n as f64;
    }

    fn answer(mean: &f64, _: u64, prediction: &mut [f64]) {
        prediction.fill(*mean);
    }
}

impl<T: PriorTask> Prior<T> {
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
            n => T::answer(&self.summary, n, prediction),
        }
    }

    fn take(&mut self, target: T::Target) {
        self.schema
            .set_outputs(T::admit(self.schema.outputs(), target));
        self.seen += 1;
        T::take(&mut self.summary, target, self.seen);
    }
}

impl<T: PriorTask> ImplementLearner for Prior<T> {
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
