//! Learners that take one row at a time, with what every learner does around it.

use serde::{Deserialize, Serialize};

use crate::{Batch, Footprint, InvariantError, OnlineLearner, Rows, Schema, SettingError, Task};

/// The minimum that a learner implements: [`ByRow`] makes an [`OnlineLearner`](crate::OnlineLearner) of it.
pub trait RowLearner<T: Task>: Send + Sync {
    /// Learns row number `seen`, counted from 1.
    fn learn(&mut self, features: &[f32], target: T::Target, seen: u64);

    /// Predicts a row after `seen` rows, one or more: fills `prediction`, which is all 0 before, with one probability per known
    /// class, or with one number.
    fn predict(&self, features: &[f32], seen: u64, prediction: &mut [f64]);

    /// Returns the bytes that it holds when predictions have `width` numbers; 0 by default.
    fn bytes(&self, width: usize) -> usize {
        let _ = width;
        0
    }

    /// Checks that it could have learned `seen` rows of such a stream; by default it could.
    ///
    /// # Errors
    /// What does not hold.
    fn check(&self, seen: u64, schema: &Schema<T>) -> Result<(), InvariantError> {
        let _ = (seen, schema);
        Ok(())
    }
}

/// A [`RowLearner`] as an [`OnlineLearner`](crate::OnlineLearner): input is checked before the learner sees it, and before the
/// first row the prediction is uniform, or 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Serialize", deserialize = "L: Deserialize<'de>"))]
pub struct ByRow<T: Task, L> {
    pub(crate) schema: Schema<T>,
    pub(crate) seen: u64,
    pub(crate) learner: L,
}

impl<T: Task, L: RowLearner<T>> ByRow<T, L> {
    /// Returns a learner for the stream that `schema` describes.
    pub fn new(schema: Schema<T>) -> Self
    where
        L: Default,
    {
        Self::with_learner(L::default(), schema)
    }

    /// Wraps this learner, which has learned nothing yet.
    pub fn with_learner(learner: L, schema: Schema<T>) -> Self {
        let seen = 0;
        Self {
            schema,
            seen,
            learner,
        }
    }

    fn predict_row(&self, features: &[f32], prediction: &mut [f64]) {
        match self.seen {
            0 => T::prior_prediction(prediction),
            seen => self.learner.predict(features, seen, prediction),
        }
    }

    fn take(&mut self, features: &[f32], target: T::Target) {
        self.schema.admit(target);
        self.seen += 1;
        self.learner.learn(features, target, self.seen);
    }
}

impl<T: Task, L: RowLearner<T>> OnlineLearner for ByRow<T, L> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            bytes: self.learner.bytes(self.schema.width()),
            ..Footprint::default()
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)?;
        self.learner.check(self.seen, &self.schema)
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        for (features, target) in batch.iter() {
            self.take(features, target);
        }
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.schema.width().max(1);
        for (features, prediction) in rows.iter().zip(predictions.chunks_exact_mut(width)) {
            self.predict_row(features, prediction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Regression;

    struct Zero;

    impl RowLearner<Regression> for Zero {
        fn learn(&mut self, _: &[f32], _: f64, _: u64) {}
        fn predict(&self, _: &[f32], _: u64, _: &mut [f64]) {}
    }

    #[test]
    fn what_a_learner_does_not_say_is_nothing() {
        let zero = ByRow::with_learner(Zero, Schema::<Regression>::new(1).unwrap());
        assert_eq!(zero.footprint(), Footprint::default());
        zero.check_invariants().unwrap();
    }
}
