//! Forests as shards: they add their votes to those of the trees before them, and shards that learned apart are joined.

use serde::{Deserialize, Serialize};

use super::Trees;
use crate::{Refused, Retention, Task};

/// Sums of the votes of the first trees of a forest on some rows, which one shard hands to the next
/// ([`add_votes`](crate::OnlineLearner::add_votes)).
///
/// Each row has a sum of accumulators ([`OnlineTree`](crate::OnlineTree)), as wide as the outputs known at that row make it. The
/// sums remember how many trees are in them, so that no shard is left out or added twice. Memory: eight bytes for each number and eight for each row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VoteSums {
    pub(super) trees: usize,
    /// The numbers that each row has: in the sum of its votes, and in the prediction that is made of it.
    pub(super) widths: Vec<[u32; 2]>,
    pub(super) values: Vec<f64>,
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

    /// Checks that sums, which may come from another process, are those of this number of trees for such rows.
    pub(super) fn check(&self, trees: usize, fits: bool) -> Result<(), Refused> {
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
            [self.kind().accumulator_width(&outputs), T::width(&outputs)].map(|width| width as u32)
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

    /// Takes the trees of a shard of the same kind; see [`Forest::join`](crate::Forest::join).
    pub(super) fn join(&mut self, next: Self) -> Result<(), Refused> {
        let (own, other) = (&self.frame, &next.frame);
        // Numbers are written with all their digits.
        let same_settings = format!("{:?}", self.settings) == format!("{:?}", next.settings);
        let same = [
            (same_settings, "settings"),
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
        self.frame.retention == Retention::Everything
            && !self.trees.iter().any(|seeded| seeded.tree.holds_samples())
    }
}
