//! The forest as a learner of classes or numbers, as the contract of all forests has it.

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{
    CheckedBatch, CheckedRows, Classification, Footprint, HardVote, ImplementLearner, InputError,
    InvariantError, PredictionRows, Rows, Schema, Task,
};

use crate::distances::Scratch;
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

impl<M: Metric> HardVote for BoundaryForest<Classification, M> {
    fn hard_votes(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema().features())?;
        let mut votes = Array2::zeros((rows.len(), self.schema().width()));
        let vote = 1.0 / self.trees().len() as f64;
        Scratch::with(|scratch| {
            for (row, mut votes) in rows.iter().zip(votes.rows_mut()) {
                for (sample, _) in self.nearest_by_tree(row, scratch) {
                    let class = self.samples().label(sample)[0];
                    votes[class as usize] += vote;
                }
            }
        });
        // Trees without samples vote for the first class, as a tie does.
        if self.samples().is_empty() && self.schema().width() > 0 {
            votes.column_mut(0).fill(1.0);
        }
        Ok(votes)
    }
}
