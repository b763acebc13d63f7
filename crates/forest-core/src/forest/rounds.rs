//! How trees run through a batch: in rounds, after each of which samples that are not needed are dropped.

use super::{Seeded, Trees};
use crate::sample_weight::PerRow;
use crate::tree::Round;
use crate::{Batch, OnlineTree, PredictionRows, Task, accumulate, threads};

/// Rows that are learned before samples that are not needed are dropped.
pub(super) const ROWS_PER_ROUND: usize = 4096;

/// The maximum number of rows predicted and learned at a time; every tree's votes on them are held.
const PREDICTED_ROWS_PER_ROUND: usize = 256;

/// The maximum number of votes held, 32 MiB: with thousands of classes those of all rows would take gigabytes.
const VOTES_PER_ROUND: usize = 1 << 22;

/// The votes of all trees on the rows of a round.
pub(super) struct Votes {
    /// Tree after tree, and of each row after row.
    accumulators: Vec<f64>,
    /// The cells of a row: those of the last one, which may be more than the other rows need.
    width: usize,
    /// The cells of a tree.
    per_tree: usize,
}

impl Votes {
    /// Adds the votes on a row to `sum`, as wide as its accumulators, in the order of the trees.
    pub(super) fn add_to(&self, row: usize, sum: &mut [f64]) {
        for of_tree in self.accumulators.chunks_exact(self.per_tree.max(1)) {
            accumulate(sum, &of_tree[row * self.width..]);
        }
    }
}

impl<T: Task> Round<'_, T> {
    /// Has every tree run through all rows alone, vote on each and then learn it.
    pub(super) fn vote_then_learn(&self, trees: &mut [Seeded<T>]) -> Votes {
        let rows = self.ids.len();
        let width = trees[0].tree.accumulator_width(&self.outputs[rows]);
        let per_tree = width * rows;
        let mut accumulators = vec![0.0; per_tree * trees.len()];
        let units = trees.len() * rows;
        let of_trees = accumulators.chunks_mut(per_tree.max(1));
        let mut pairs: Vec<_> = trees.iter_mut().zip(of_trees).collect();
        threads::each(&mut pairs, units, |(Seeded { tree, rng }, votes)| {
            tree.vote_then_learn_round(self, rng, width, votes);
        });
        Votes {
            accumulators,
            width,
            per_tree,
        }
    }
}

impl<T: Task> Trees<T> {
    /// Returns the number of rows of a batch that are predicted and learned at a time.
    pub(super) fn predicted_rows_per_round(&self, batch: &Batch<'_, T>) -> usize {
        let mut known = self.frame.schema.outputs();
        for &target in batch.targets() {
            known = T::admit(known, target);
        }
        let width = self.kind().accumulator_width(&known);
        let rows = VOTES_PER_ROUND / (width * self.trees.len()).max(1);
        rows.clamp(1, PREDICTED_ROWS_PER_ROUND)
    }

    /// Predicts each row, `width` numbers of it, and then learns it.
    pub(super) fn predict_then_learn_rounds(
        &mut self,
        batch: &Batch<'_, T>,
        width: impl Fn(&dyn OnlineTree<Task = T>, &T::Outputs) -> usize,
    ) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        let mut sum = Vec::new();
        let most = self.predicted_rows_per_round(batch);
        self.rounds(batch, most, |round, trees| {
            let votes = round.vote_then_learn(trees);
            let kind = &*trees[0].tree;
            for row in 0..round.ids.len() {
                let outputs = &round.outputs[row];
                sum.clear();
                sum.resize(kind.accumulator_width(outputs), 0.0);
                votes.add_to(row, &mut sum);
                let prediction = predictions.push(width(kind, outputs));
                kind.finish(&sum, trees.len(), prediction);
            }
        });
        predictions
    }

    /// Does `work` on all rows in rounds of up to `most`, which end where compaction is due.
    pub(super) fn rounds(
        &mut self,
        batch: &Batch<'_, T>,
        most: usize,
        mut work: impl FnMut(&Round<'_, T>, &mut [Seeded<T>]),
    ) {
        let mut start = 0;
        while start < batch.len() {
            let frame = &mut self.frame;
            let rows = most.min(batch.len() - start);
            let replaced = frame.retention.replaced(&frame.samples, rows);
            let batch = &batch.part(start..start + replaced.len());
            start += replaced.len();
            let outputs = batch.outputs(frame.schema.outputs());
            let first = frame.samples.slots();
            let mut ids = PerRow::with_capacity(batch.len());
            for (row, (features, target)) in batch.iter().enumerate() {
                let weight = batch.weight(row);
                let arrival = frame.seen + row as u64;
                ids.push(frame.samples.push(features, target, weight, arrival));
            }
            let round = Round {
                context: frame.context(&*self.settings),
                outputs: &outputs,
                replaced: &replaced,
                ids: &ids,
            };
            work(&round, &mut self.trees);
            frame.schema.outputs = outputs[batch.len()];
            frame.seen += batch.len() as u64;
            for &id in replaced.iter().flatten() {
                frame.samples.forget(id);
            }
            self.drop_unreferenced(first);
            self.compact();
        }
    }
}
