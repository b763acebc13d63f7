//! A forest as a shard: it adds its votes to those of the trees before it, and shards that learned apart are joined.

use std::ops::Range;

use ndarray::ArrayView2;
use thiserror::Error;

use super::predict::{PREDICTED_ROWS_PER_ROUND, RoundVotes, rows_per_block};
use super::{Forest, SeededTree};
use crate::{
    Batch, InputError, OnlineTree, PredictionRows, Retention, Rows, SettingError, Shard, Task,
    VoteSums, VoteWidths, threads,
};

/// Why two shards cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// The shards are of different forests.
    #[error("the shards were built with different {0}: build them with the same")]
    Different(&'static str),
    /// The learners cannot be sharded.
    #[error(
        "this learner cannot be sharded: only forests of independent trees can, \
         with fitted preprocessing"
    )]
    NoShards,
    /// Trees between the shards are missing, or trees are in both.
    #[error("the shard starts at number {got}, but number {expected} comes next")]
    NotNext {
        /// The tree that comes next.
        expected: usize,
        /// The first tree of the other shard.
        got: usize,
    },
    /// The shards have not learned the same stream.
    #[error("the shards hold different samples: let both learn the same stream to the same row")]
    OtherStream,
}

/// The forest does not have a tree of this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no tree {index}: the forest has {trees}, counted from 0")]
pub struct NoSuchTree {
    /// The index.
    pub index: usize,
    /// Number of trees.
    pub trees: usize,
}

impl<T: OnlineTree> Forest<T> {
    /// Takes the trees of `next`, the shard of the same forest that follows this one. Both must hold the same
    /// samples, as they do unless each tree holds only some; or one no longer holds any, because its trees are full.
    ///
    /// # Errors
    /// If it is not, or they do not; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.check_next(&next)?;
        if self.has_let_go() {
            self.samples = next.samples;
        }
        self.trees.extend(next.trees);
        Ok(())
    }

    /// Returns whether the trees decide what is held, and no tree holds a sample any more.
    fn has_let_go(&self) -> bool {
        let everything = self.retention == Retention::Everything;
        let holds = |seeded: &SeededTree<T>| seeded.tree.holds_samples();
        everything && T::HOLDS_SAMPLES && !self.trees.iter().any(holds)
    }

    fn check_next(&self, next: &Self) -> Result<(), JoinError> {
        let expected = self.first_tree + self.trees.len();
        let of = [
            (self.settings != next.settings, "settings"),
            (self.retention != next.retention, "retentions"),
            (self.seed != next.seed, "seeds"),
            (self.total_trees != next.total_trees, "numbers of trees"),
        ];
        if let Some((_, what)) = of.into_iter().find(|(different, _)| *different) {
            return Err(JoinError::Different(what));
        }
        if next.first_tree != expected {
            let got = next.first_tree;
            return Err(JoinError::NotNext { expected, got });
        }
        let same_stream = self.schema == next.schema && self.seen == next.seen;
        let fits = self.samples == next.samples || self.has_let_go() || next.has_let_go();
        if same_stream && fits {
            Ok(())
        } else {
            Err(JoinError::OtherStream)
        }
    }
}

impl<T: OnlineTree> Shard for Forest<T> {
    fn part(&self) -> Range<usize> {
        self.first_tree..self.first_tree + self.trees.len()
    }

    fn total_trees(&self) -> usize {
        self.total_trees
    }

    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), SettingError> {
        let kept = self.own_trees(&part)?;
        self.trees.truncate(kept.end);
        self.trees.drain(..kept.start);
        self.first_tree = part.start;
        self.drop_unreferenced(0);
        Ok(())
    }

    fn add_votes(
        &self,
        features: ArrayView2<'_, f32>,
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let rows = Rows::for_learner(self, features)?;
        let outputs = self.schema.outputs();
        let same = std::iter::repeat_n(widths::<T>(outputs), rows.len());
        sums.open(self.first_tree, same)?;
        self.add_rows(&rows, T::accumulator_width(&outputs), sums.values_mut());
        sums.close(self.trees.len());
        Ok(())
    }

    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<T::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let batch = Batch::for_learner(self, features, targets)?;
        let known = batch.outputs(self.schema.outputs());
        let before = known[..batch.len()].iter().copied();
        sums.open(self.first_tree, before.map(widths::<T>))?;
        let mut rows = sums.rows_mut();
        self.rounds(&batch, PREDICTED_ROWS_PER_ROUND, |round, trees| {
            let votes = RoundVotes::of(round, trees);
            let of_round = rows.by_ref().take(round.rows()).enumerate();
            of_round.for_each(|(row, sum)| votes.add(row, sum));
        });
        drop(rows);
        sums.close(self.trees.len());
        Ok(())
    }

    fn finish(&self, sums: &VoteSums) -> Result<PredictionRows, InputError> {
        sums.finish(self.total_trees, |sum, prediction| {
            T::finish(sum, self.total_trees, prediction);
        })
    }
}

/// Returns the widths of a row at which these outputs are known.
fn widths<T: OnlineTree>(known: <T::Task as Task>::Outputs) -> VoteWidths {
    VoteWidths {
        sum: T::accumulator_width(&known),
        prediction: T::Task::width(&known),
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Adds votes on every row to its `width` sums, as [`Forest::predict_full`] does before it finishes them.
    fn add_rows(&self, rows: &Rows<'_>, width: usize, sums: &mut [f64]) {
        let units = rows.len() * self.trees.len();
        let (width, together) = (width.max(1), rows_per_block(width));
        let context = self.context();
        threads::fill_rows(sums, width, units, |first, share| {
            let end = first + share.len() / width;
            for start in (first..end).step_by(together) {
                let block = rows.part(start..end.min(start + together));
                let sums = &mut share[(start - first) * width..][..block.len() * width];
                self.with_accumulators(1, |_, accumulator| {
                    self.add_block(&block, &context, accumulator, sums);
                });
            }
        });
    }
}
