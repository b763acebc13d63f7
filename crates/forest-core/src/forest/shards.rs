//! Shards of a forest: each adds its votes to those of the trees before it, and shards are joined.

use super::Trees;
use crate::{Refused, Retention, Task, VoteSums};

impl<T: Task> Trees<T> {
    /// Returns how many numbers a row with these known outputs has: in the sum of its votes, and in its prediction.
    pub(super) fn vote_widths(&self, outputs: &T::Outputs) -> [u32; 2] {
        [self.kind().accumulator_width(outputs), T::width(outputs)].map(|width| width as u32)
    }

    /// Prepares sums for rows with these known outputs: zeros before the first tree, and otherwise those of the trees
    /// before.
    pub(super) fn prepare(
        &self,
        sums: &mut VoteSums,
        known: impl Iterator<Item = T::Outputs>,
    ) -> Result<(), Refused> {
        let widths: Vec<_> = known.map(|outputs| self.vote_widths(&outputs)).collect();
        if self.frame.first_tree > 0 {
            return sums.check(self.frame.first_tree, &widths);
        }
        sums.trees = 0;
        sums.widths = widths;
        sums.values.clear();
        sums.values.resize(sums.cells(), 0.0);
        Ok(())
    }

    /// Takes the trees of a shard of the same kind; see [`Forest::join`](crate::Forest::join).
    pub(super) fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.check_next(&next)?;
        if self.has_dropped_samples() {
            self.frame.samples = next.frame.samples;
        }
        self.trees.extend(next.trees);
        Ok(())
    }

    /// Checks that `next` is the shard of the same forest that follows this one, after the same stream.
    fn check_next(&self, next: &Self) -> Result<(), Refused> {
        let own = &self.frame;
        let other = &next.frame;
        // Numbers are written with all their digits.
        let same_settings = format!("{:?}", self.settings) == format!("{:?}", next.settings);
        for (is_same, what) in [
            (same_settings, "settings"),
            (own.retention == other.retention, "retentions"),
            (own.seed == other.seed, "seeds"),
            (own.total_trees == other.total_trees, "numbers of trees"),
        ] {
            if !is_same {
                return Err(Refused::different(what));
            }
        }
        let expected = own.first_tree + self.trees.len();
        if other.first_tree != expected {
            let got = other.first_tree;
            return Err(Refused::Argument(format!(
                "the shard starts at tree {got}, but tree {expected} comes next"
            )));
        }
        let same_stream = own.schema == other.schema && own.seen == other.seen;
        let same_samples = own.samples == other.samples
            || self.has_dropped_samples()
            || next.has_dropped_samples();
        if !(same_stream && same_samples) {
            let what =
                "the shards hold different samples: let both learn the same stream to the same row";
            return Err(Refused::Argument(what.to_owned()));
        }
        Ok(())
    }

    /// Returns whether the trees decide what is held, and no tree holds a sample any more.
    fn has_dropped_samples(&self) -> bool {
        self.frame.retention == Retention::Everything
            && !self.trees.iter().any(|seeded| seeded.tree.holds_samples())
    }
}
