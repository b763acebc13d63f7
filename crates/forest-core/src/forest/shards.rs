//! Forests as shards: they add their votes to those of the trees before them, and shards that learned apart are joined.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::rounds::PREDICTED_ROWS_PER_ROUND;
use super::trees::Trees;
use crate::{Batch, PredictionRows, Refused, Retention, SettingError, Task};

/// Sums of the votes of the first trees of a forest on some rows, which one shard hands to the next
/// ([`add_votes`](crate::OnlineLearner::add_votes)).
///
/// Each row has a sum of accumulators ([`OnlineTree`](crate::OnlineTree)), as wide as the outputs known at that row make it. The
/// sums remember how many trees are in them, so that no shard is left out or added twice. Memory: eight bytes for each number and eight for each row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VoteSums {
    trees: usize,
    /// The numbers that each row has: in the sum of its votes, and in the prediction that is made of it.
    widths: Vec<[u32; 2]>,
    values: Vec<f64>,
}

impl VoteSums {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.widths.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// Returns the number of trees whose votes are in the sums.
    pub fn trees(&self) -> usize {
        self.trees
    }

    pub(super) fn close(&mut self, trees: usize) {
        self.trees += trees;
    }

    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Checks that sums, which may come from another process, are those of this number of trees for such rows.
    fn check(&self, trees: usize, fits: bool) -> Result<(), Refused> {
        if fits && self.trees == trees && self.values.len() == self.cells() {
            return Ok(());
        }
        Err(Refused::Argument(format!(
            "the vote sums cover the first {} trees or parts, but {trees} were expected; pass every batch through all shards in order",
            self.trees
        )))
    }

    fn cells(&self) -> usize {
        self.widths.iter().map(|&[sum, _]| sum as usize).sum()
    }
}

impl<T: Task> Trees<T> {
    /// Opens sums for rows at which these outputs are known, all 0 for the first shard; returns the width of the last row's.
    pub(super) fn open(
        &self,
        sums: &mut VoteSums,
        known: impl Iterator<Item = T::Outputs>,
    ) -> Result<usize, Refused> {
        let width = |outputs| {
            [(self.kind.accumulator_width)(&outputs), T::width(&outputs)].map(|width| width as u32)
        };
        let widths: Vec<_> = known.map(width).collect();
        let last = widths.last().map_or(0, |&[sum, _]| sum as usize);
        if self.frame.first_tree > 0 {
            sums.check(self.frame.first_tree, widths == sums.widths)?;
        } else {
            (sums.trees, sums.widths) = (0, widths);
            sums.values.clear();
            sums.values.resize(sums.cells(), 0.0);
        }
        Ok(last)
    }

    pub(super) fn add_votes_then_learn_rounds(
        &mut self,
        batch: &Batch<'_, T>,
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let known = batch.outputs(self.frame.schema.outputs());
        self.open(sums, known[..batch.len()].iter().copied())?;
        let mut rest = sums.values.as_mut_slice();
        self.rounds(batch, PREDICTED_ROWS_PER_ROUND, |round, trees| {
            round.vote_then_learn(trees, |outputs, add| {
                let width = (round.kind.accumulator_width)(outputs);
                let (sum, behind) = std::mem::take(&mut rest).split_at_mut(width);
                rest = behind;
                add(sum);
            });
        });
        sums.close(self.trees.len());
        Ok(())
    }

    pub(super) fn finish_sums(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        let total = self.frame.total_trees;
        sums.check(total, true)?;
        let (mut predictions, mut rest) = (PredictionRows::default(), sums.values.as_slice());
        for &[width, prediction] in &sums.widths {
            let (sum, behind) = rest.split_at(width as usize);
            rest = behind;
            (self.kind.finish)(sum, total, predictions.push(prediction as usize));
        }
        Ok(predictions)
    }

    pub(super) fn keep_part(&mut self, part: Range<usize>) -> Result<(), Refused> {
        let first = self.frame.first_tree;
        let own = first..first + self.trees.len();
        let some = !part.is_empty() && own.start <= part.start && part.end <= own.end;
        let rule = "must be some of the trees that the shard has";
        SettingError::require(some, "part", rule, format!("{part:?} of {own:?}"))?;
        self.trees.truncate(part.end - first);
        self.trees.drain(..part.start - first);
        self.frame.first_tree = part.start;
        self.drop_unreferenced(0);
        Ok(())
    }

    /// Takes the trees of a shard of the same kind; see [`Forest::join`](crate::Forest::join).
    pub(super) fn join(&mut self, next: Self) -> Result<(), Refused> {
        let (own, other) = (&self.frame, &next.frame);
        let same = [
            (self.kind.settings.equal(&*next.kind.settings), "settings"),
            (own.retention == other.retention, "retentions"),
            (own.seed == other.seed, "seeds"),
            (own.total_trees == other.total_trees, "numbers of trees"),
        ];
        let refused = |what: String| Err(Refused::Argument(what));
        if let Some((_, what)) = same.into_iter().find(|(same, _)| !same) {
            return Err(Refused::different(what));
        }
        let expected = own.first_tree + self.trees.len();
        if other.first_tree != expected {
            let got = other.first_tree;
            return refused(format!(
                "the shard starts at number {got}, but number {expected} comes next"
            ));
        }
        let same_stream = own.schema == other.schema && own.seen == other.seen;
        let fits = own.samples == other.samples || self.has_let_go() || next.has_let_go();
        if !(same_stream && fits) {
            let what =
                "the shards hold different samples: let both learn the same stream to the same row";
            return refused(what.to_owned());
        }
        if self.has_let_go() {
            self.frame.samples = next.frame.samples;
        }
        self.trees.extend(next.trees);
        Ok(())
    }

    /// Returns whether the trees decide what is held, and no tree holds a sample any more.
    fn has_let_go(&self) -> bool {
        let decide = self.frame.retention == Retention::Everything && self.kind.holds_samples;
        decide && !self.trees.iter().any(|seeded| seeded.tree.holds_samples())
    }
}
