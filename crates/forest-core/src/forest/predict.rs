//! How the votes of trees are added up: row by row when predicting, tree by tree when trees learn
//! in between.

use ndarray::{Array2, ArrayView2};

use super::rounds::Round;
use super::{Forest, SeededTree};
use crate::tree::accumulate;
use crate::{Batch, ForestContext, InputError, OnlineTree, PredictionRows, Rows, Task, threads};

/// Number of rows predicted and learned at a time; every tree's votes on them are held.
pub(super) const PREDICTED_ROWS_PER_ROUND: usize = 256;

type Outputs<T> = <<T as OnlineTree>::Task as Task>::Outputs;

/// Returns the number of rows that a thread predicts together. A tree is read into cache once for each block, so a row costs less in a
/// larger block, as long as the sums of all its rows leave the tree some room.
pub(super) fn rows_per_block(width: usize) -> usize {
    ((1 << 17) / width.max(1)).clamp(512, 8192)
}

impl<T: OnlineTree> Forest<T> {
    /// Predicts `features`, a row each: the prediction, followed by whatever else the trees estimate, such as
    /// a variance (see [`OnlineTree::full_width`]).
    ///
    /// # Errors
    /// As [`predict`](crate::OnlineLearner::predict).
    pub fn predict_full(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let mut predictions = Vec::new();
        self.predict_full_into(features, &mut predictions)?;
        let shape = (features.nrows(), T::full_width(&self.schema.outputs()));
        Ok(Array2::from_shape_vec(shape, predictions).expect("a row for each row"))
    }

    /// Overwrites `predictions` with [`Forest::predict_full`], one row after another.
    ///
    /// # Errors
    /// As [`predict_into`](crate::OnlineLearner::predict_into).
    pub fn predict_full_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let rows = Rows::for_learner(self, features)?;
        let width = T::full_width(&self.schema.outputs());
        predictions.clear();
        predictions.resize(rows.len() * width, 0.0);
        self.fill_rows(&rows, width, predictions);
        Ok(())
    }

    /// Test-then-train: [`Forest::predict_full`] for every row, just before that row is learned.
    ///
    /// # Errors
    /// As [`learn`](crate::OnlineLearner::learn).
    pub fn predict_full_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<T::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        let batch = Batch::for_learner(self, features, targets)?;
        Ok(self.predict_rows_then_learn(&batch, T::full_width))
    }

    /// Predicts `width` numbers for each row, and then learns it.
    pub(super) fn predict_rows_then_learn(
        &mut self,
        batch: &Batch<'_, T::Task>,
        width: fn(&Outputs<T>) -> usize,
    ) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.rounds(batch, PREDICTED_ROWS_PER_ROUND, |round, trees| {
            predict_round(round, trees, width, &mut predictions);
        });
        predictions
    }

    /// Predicts `width` numbers for every row: block by block, in a block tree by tree, so that a tree stays in
    /// cache while it votes. The sum of a row is taken in the order of the trees all the same.
    pub(super) fn fill_rows(&self, rows: &Rows<'_>, width: usize, predictions: &mut [f64]) {
        let units = rows.len() * self.trees.len();
        let width = width.max(1);
        let together = rows_per_block(width);
        threads::fill_rows(predictions, width, units, |first, share| {
            let end = first + share.len() / width;
            for start in (first..end).step_by(together) {
                let block = rows.part(start..end.min(start + together));
                let predictions = &mut share[(start - first) * width..][..block.len() * width];
                self.predict_block(&block, predictions.chunks_exact_mut(width));
            }
        });
    }

    fn predict_block<'a>(
        &self,
        block: &Rows<'_>,
        predictions: impl Iterator<Item = &'a mut [f64]>,
    ) {
        let context = self.context();
        self.with_accumulators(1 + block.len(), |width, all| {
            let (accumulator, sums) = all.split_at_mut(width);
            self.add_block(block, &context, accumulator, sums);
            for (sum, prediction) in sums.chunks_exact(width.max(1)).zip(predictions) {
                T::finish(sum, self.trees.len(), prediction);
            }
        });
    }

    /// Adds the votes of the trees on the rows of a block, tree by tree.
    pub(super) fn add_block(
        &self,
        block: &Rows<'_>,
        context: &ForestContext<'_, T>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        for SeededTree { tree, rng } in &self.trees {
            tree.add_votes(block, context, rng, accumulator, sums);
        }
    }

    /// Lends memory for `count` accumulators, all 0, and passes on their width.
    pub(super) fn with_accumulators(&self, count: usize, work: impl FnOnce(usize, &mut [f64])) {
        let width = T::accumulator_width(&self.schema.outputs());
        threads::with_buffer(|buffer| {
            buffer.resize(count * width, 0.0);
            work(width, buffer);
        });
    }
}

fn predict_round<T: OnlineTree>(
    round: &Round<'_, T>,
    trees: &mut [SeededTree<T>],
    full_width: fn(&Outputs<T>) -> usize,
    predictions: &mut PredictionRows,
) {
    let votes = RoundVotes::of(round, trees);
    let mut sum = Vec::with_capacity(votes.width);
    for row in 0..round.rows() {
        sum.clear();
        sum.resize(T::accumulator_width(&round.outputs(row)), 0.0);
        votes.add(row, &mut sum);
        let prediction = predictions.push(full_width(&round.outputs(row)));
        T::finish(&sum, trees.len(), prediction);
    }
}

/// The vote of every tree on every row of a round.
pub(super) struct RoundVotes {
    all: Vec<f64>,
    width: usize,
    per_tree: usize,
}

impl RoundVotes {
    /// Returns every tree runs through all rows alone, voting on each before it learns it.
    pub(super) fn of<T: OnlineTree>(round: &Round<'_, T>, trees: &mut [SeededTree<T>]) -> Self {
        let (rows, units) = (round.rows(), trees.len() * round.rows());
        let width = T::accumulator_width(&round.outputs(rows));
        let per_tree = width * rows;
        let mut all = vec![0.0; per_tree * trees.len()];
        threads::each_with(trees, &mut all, per_tree, units, |seeded, accumulators| {
            for row in 0..rows {
                let width_then = T::accumulator_width(&round.outputs(row));
                round.vote(seeded, row, &mut accumulators[row * width..][..width_then]);
                round.learn(seeded, row);
            }
        });
        Self {
            all,
            width,
            per_tree,
        }
    }

    /// Adds the accumulators of a row, tree by tree.
    pub(super) fn add(&self, row: usize, sum: &mut [f64]) {
        for accumulators in self.all.chunks_exact(self.per_tree.max(1)) {
            accumulate(sum, &accumulators[row * self.width..]);
        }
    }
}
