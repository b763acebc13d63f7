//! How trees run through a batch: in rounds, after each of which samples that are not needed are dropped.

use super::{Seeded, Trees};
use crate::sample_weight::PerRow;
use crate::tree::Round;
use crate::{Batch, PredictionRows, Task, accumulate, threads};

/// Rows that are learned before samples that are not needed are dropped.
pub(super) const ROWS_PER_ROUND: usize = 4096;

/// The maximum number of rows predicted and learned at a time; every tree's votes on them are held.
const PREDICTED_ROWS_PER_ROUND: usize = 256;

/// The maximum number of votes held, 32 MiB: with thousands of classes those of all rows would take gigabytes.
const VOTES_PER_ROUND: usize = 1 << 22;

impl<T: Task> Round<'_, T> {
    /// Has every tree run through all rows alone and vote on each before it learns it; calls `each` for each row with
    /// the outputs known there and what adds the votes on it to a sum, in the order of the trees.
    pub(super) fn vote_then_learn(
        &self,
        trees: &mut [Seeded<T>],
        mut each: impl FnMut(&T::Outputs, &[Seeded<T>], &dyn Fn(&mut [f64])),
    ) {
        let (rows, units) = (self.ids.len(), trees.len() * self.ids.len());
        let width = trees[0].tree.accumulator_width(&self.outputs[rows]);
        let per_tree = width * rows;
        let mut votes = vec![0.0; per_tree * trees.len()];
        let of_trees = votes.chunks_mut(per_tree.max(1));
        let mut pairs: Vec<_> = trees.iter_mut().zip(of_trees).collect();
        threads::each(&mut pairs, units, |(Seeded { tree, rng }, votes)| {
            tree.vote_then_learn_round(self, rng, width, votes);
        });
        for (row, outputs) in self.outputs[..rows].iter().enumerate() {
            each(outputs, trees, &|sum| {
                for votes in votes.chunks_exact(per_tree.max(1)) {
                    accumulate(sum, &votes[row * width..]);
                }
            });
        }
    }
}

impl<T: Task> Trees<T> {
    /// Returns the number of rows that are predicted and learned at a time.
    pub(super) fn predicted_rows_per_round(&self) -> usize {
        let width = self.kind().accumulator_width(&self.frame.schema.outputs());
        let rows = VOTES_PER_ROUND / (width * self.trees.len()).max(1);
        rows.clamp(1, PREDICTED_ROWS_PER_ROUND)
    }

    /// Predicts each row, with full predictions if they are wanted, and then learns it.
    pub(super) fn predict_then_learn_rounds(
        &mut self,
        batch: &Batch<'_, T>,
        width: impl Fn(&Seeded<T>, &T::Outputs) -> usize,
    ) -> PredictionRows {
        let (mut predictions, mut sum) = (PredictionRows::default(), Vec::new());
        self.rounds(batch, self.predicted_rows_per_round(), |round, trees| {
            round.vote_then_learn(trees, |outputs, trees, add| {
                sum.clear();
                sum.resize(trees[0].tree.accumulator_width(outputs), 0.0);
                add(&mut sum);
                let row = predictions.push(width(&trees[0], outputs));
                trees[0].tree.finish(&sum, trees.len(), row);
            });
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
            let (outputs, first) = (batch.outputs(frame.schema.outputs()), frame.samples.slots());
            let mut ids = PerRow::with_capacity(batch.len());
            for (row, (features, target)) in batch.iter().enumerate() {
                let (weight, arrival) = (batch.weight(row), frame.seen + row as u64);
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
