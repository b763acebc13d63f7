//! The forest as a learner of classes or numbers, as the contract of all forests has it.

use forest_core::{
    CheckedBatch, CheckedRows, Footprint, ImplementLearner, InputError, InvariantError,
    PredictionRows, Schema, Task,
};

use crate::{AveragedLabel, BoundaryForest, Metric};

impl<T: Task<Target: AveragedLabel>, M: Metric> ImplementLearner for BoundaryForest<T, M> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        self.schema()
    }

    fn samples_seen(&self) -> u64 {
        self.samples_seen()
    }

    fn footprint(&self) -> Footprint {
        self.footprint()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_invariants()
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.learn_rows(batch.rows(), batch.targets());
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        self.average_rows(&rows, predictions);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        self.average_then_learn(batch.rows(), batch.targets())
    }
}
