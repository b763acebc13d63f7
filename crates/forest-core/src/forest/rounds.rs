//! How trees run through a batch: in rounds, after each of which samples that are not needed are dropped.

use super::boxed::{Context, Kind, Seeded};
use super::trees::Trees;
use crate::batch::PerRow;
use crate::{Batch, PredictionRows, Retention, SampleId, SampleStore, Task, accumulate, threads};

/// Rows that are learned before samples that are not needed are dropped: a batch of any length takes
/// little memory beside the forest.
const ROWS_PER_ROUND: usize = 4096;

/// Number of rows predicted and learned at a time; every tree's votes on them are held.
pub(super) const PREDICTED_ROWS_PER_ROUND: usize = 256;

/// Some rows of a batch, stored for the trees to run through.
pub(super) struct Round<'a, T: Task> {
    pub(super) kind: &'a Kind<T>,
    samples: &'a SampleStore<T>,
    pub(super) batch: &'a Batch<'a, T>,
    /// The outputs known before each row, and after the last.
    outputs: &'a [T::Outputs],
    /// The sample that is forgotten for each row.
    pub(super) replaced: &'a [Option<SampleId>],
    /// Where each row is stored.
    pub(super) ids: &'a [SampleId],
}

impl<T: Task> Round<'_, T> {
    pub(super) fn rows(&self) -> usize {
        self.batch.len()
    }

    /// Returns the outputs known before row `row`, or after the last.
    #[inline]
    pub(super) fn outputs(&self, row: usize) -> T::Outputs {
        self.outputs[row]
    }

    /// Returns the context before row `row`, or after the last.
    pub(super) fn context(&self, row: usize) -> Context<'_, T> {
        Context {
            settings: &*self.kind.settings,
            samples: self.samples,
            outputs: self.outputs[row],
        }
    }

    /// Has every tree run through all rows alone and vote on each before it learns it; calls `each` for each row with the outputs known there and what adds the
    /// votes on it to a sum, in the order of the trees.
    pub(super) fn vote_then_learn(
        &self,
        trees: &mut [Seeded<T>],
        mut each: impl FnMut(&T::Outputs, &dyn Fn(&mut [f64])),
    ) {
        let (rows, units) = (self.rows(), trees.len() * self.rows());
        let width = (self.kind.accumulator_width)(&self.outputs[rows]);
        let per_tree = width * rows;
        let mut votes = vec![0.0; per_tree * trees.len()];
        threads::each_with(trees, &mut votes, per_tree, units, |seeded, votes| {
            seeded
                .tree
                .vote_then_learn(self, &mut seeded.rng, width, votes);
        });
        for (row, outputs) in self.outputs[..rows].iter().enumerate() {
            each(outputs, &|sum| {
                for votes in votes.chunks_exact(per_tree.max(1)) {
                    accumulate(sum, &votes[row * width..]);
                }
            });
        }
    }
}

impl<T: Task> Trees<T> {
    /// Has the trees learn a batch.
    pub(super) fn learn_rounds(&mut self, batch: &Batch<'_, T>) {
        self.rounds(batch, ROWS_PER_ROUND, |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| {
                seeded.tree.learn(round, &mut seeded.rng);
            });
        });
    }

    /// Predicts `width` numbers for each row, and then learns it.
    pub(super) fn predict_then_learn_rounds(
        &mut self,
        batch: &Batch<'_, T>,
        width: impl Fn(&Kind<T>, &T::Outputs) -> usize,
    ) -> PredictionRows {
        let (mut predictions, mut sum) = (PredictionRows::default(), Vec::new());
        self.rounds(batch, PREDICTED_ROWS_PER_ROUND, |round, trees| {
            let (kind, count) = (round.kind, trees.len());
            round.vote_then_learn(trees, |outputs, add| {
                sum.clear();
                sum.resize((kind.accumulator_width)(outputs), 0.0);
                add(&mut sum);
                (kind.finish)(&sum, count, predictions.push(width(kind, outputs)));
            });
        });
        predictions
    }

    /// Does `work` on all rows in rounds of up to `most`. A round ends where compaction is due, so that
    /// the forest does not depend on how the stream is cut into batches.
    pub(super) fn rounds(
        &mut self,
        batch: &Batch<'_, T>,
        most: usize,
        mut work: impl FnMut(&Round<'_, T>, &mut [Seeded<T>]),
    ) {
        let mut start = 0;
        while start < batch.len() {
            let most = most.min(batch.len() - start);
            // Trees that hold no samples leave nothing to compact.
            let replaced = if self.kind.holds_samples {
                self.frame.retention.replaced(&self.frame.samples, most)
            } else {
                (0..most).map(|_| None).collect()
            };
            let end = start + replaced.len();
            self.round(&batch.part(start..end), &replaced, &mut work);
            start = end;
        }
    }

    fn round(
        &mut self,
        batch: &Batch<'_, T>,
        replaced: &[Option<SampleId>],
        work: &mut impl FnMut(&Round<'_, T>, &mut [Seeded<T>]),
    ) {
        let frame = &mut self.frame;
        let (outputs, first) = (batch.outputs(frame.schema.outputs()), frame.samples.slots());
        let mut ids = PerRow::<SampleId>::with_capacity(batch.len());
        for (row, (features, target)) in batch.iter().enumerate() {
            let arrival = frame.seen + row as u64;
            ids.push(
                frame
                    .samples
                    .push(features, target, batch.weight(row), arrival),
            );
        }
        let round = Round {
            kind: &self.kind,
            samples: &frame.samples,
            batch,
            outputs: &outputs,
            replaced,
            ids: &ids,
        };
        work(&round, &mut self.trees);
        frame.schema.set_outputs(outputs[batch.len()]);
        frame.seen += batch.len() as u64;
        if !self.kind.holds_samples {
            frame.samples.truncate(first);
        }
        for &id in replaced.iter().flatten() {
            frame.samples.forget(id);
        }
        self.drop_unreferenced(first);
        self.compact();
    }

    /// Has the trees learn their first rows at once. A forest that retains everything takes all in one round.
    pub(super) fn learn_at_once(&mut self, batch: &Batch<'_, T>, proceed: crate::Proceed<'_>) {
        debug_assert_eq!(self.frame.retention, Retention::Everything);
        self.rounds(batch, batch.len(), |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| {
                seeded.tree.learn_first(round, &mut seeded.rng, proceed);
            });
        });
    }
}
