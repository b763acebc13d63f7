//! How the answers of trees are added up: row by row when predicting, tree by tree when trees learn
//! in between.

use ndarray::{Array2, ArrayView2};

use super::rounds::Round;
use super::{Forest, SeededTree};
use crate::{
    Classification, HardVote, InputError, OnlineTree, PredictionRows, Rows, Task, argmax, threads,
};

impl<T: OnlineTree> Forest<T> {
    /// Answers `features`, a row each: the prediction, and behind it what else the trees tell, such as
    /// a variance (see [`OnlineTree::answer_width`]).
    ///
    /// # Errors
    /// As [`predict`](crate::OnlineLearner::predict).
    pub fn answers(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema.features())?;
        let width = T::answer_width(&self.schema.outputs());
        let mut answers = vec![0.0; rows.len() * width];
        self.answer_rows(&rows, width, &mut answers);
        Ok(Array2::from_shape_vec((rows.len(), width), answers).expect("a row for each row"))
    }

    /// Answers every row with `width` numbers.
    pub(super) fn answer_rows(&self, rows: &Rows<'_>, width: usize, answers: &mut [f64]) {
        let (context, trees) = (self.context(), self.trees.len());
        threads::fill_rows(answers, width, rows.len() * trees, |first, share| {
            self.with_accumulators(|accumulator, sum| {
                for (offset, answer) in share.chunks_exact_mut(width.max(1)).enumerate() {
                    sum.fill(0.0);
                    for SeededTree { tree, rng } in &self.trees {
                        tree.vote(rows.row(first + offset), &context, rng, accumulator);
                        add(sum, accumulator);
                    }
                    T::finish(sum, trees, answer);
                }
            });
        });
    }

    /// Lends memory for one accumulator, and for a sum of accumulators.
    fn with_accumulators(&self, work: impl FnOnce(&mut [f64], &mut [f64])) {
        let width = T::accumulator_width(&self.schema.outputs());
        threads::with_buffer(|buffer| {
            buffer.resize(2 * width, 0.0);
            let (accumulator, sum) = buffer.split_at_mut(width);
            work(accumulator, sum);
        });
    }
}

fn add(sum: &mut [f64], accumulator: &[f64]) {
    for (cell, vote) in sum.iter_mut().zip(accumulator) {
        *cell += vote;
    }
}

/// Every tree runs through all rows alone, answering each before it learns it; accumulators are added up
/// afterwards.
pub(super) fn predict_then_learn<T: OnlineTree>(
    round: &Round<'_, T>,
    trees: &mut [SeededTree<T>],
    answers: &mut PredictionRows,
) {
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
    let mut sum = Vec::with_capacity(width);
    for row in 0..rows {
        sum.clear();
        sum.resize(T::accumulator_width(&round.outputs(row)), 0.0);
        for accumulators in all.chunks_exact(per_tree.max(1)) {
            add(&mut sum, &accumulators[row * width..]);
        }
        let answer = answers.push(T::Task::width(&round.outputs(row)));
        T::finish(&sum, trees.len(), answer);
    }
}

impl<T: OnlineTree<Task = Classification>> HardVote for Forest<T> {
    fn hard_votes(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema.features())?;
        let mut votes = Array2::zeros((rows.len(), self.schema.width()));
        if votes.is_empty() {
            return Ok(votes);
        }
        let (context, mut alone) = (self.context(), vec![0.0; self.schema.width()]);
        self.with_accumulators(|accumulator, _| {
            for (row, mut votes) in rows.iter().zip(votes.rows_mut()) {
                for SeededTree { tree, rng } in &self.trees {
                    tree.vote(row, &context, rng, accumulator);
                    T::finish(accumulator, 1, &mut alone);
                    votes[argmax(&alone)] += 1.0 / self.trees.len() as f64;
                }
            }
        });
        Ok(votes)
    }
}
