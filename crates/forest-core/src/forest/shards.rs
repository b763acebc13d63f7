//! Shards of a forest: each adds its votes to those of the trees before it, and shards are joined.

use super::Trees;
use crate::{Refused, Retention, Task, VoteSums};

impl<T: Task> Trees<T> {
    /// Opens sums for rows with these known outputs, 0 for the first shard; returns the width of the last row's.
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
        let fits = own.samples == other.samples
            || self.has_dropped_samples()
            || next.has_dropped_samples();
        if !(same_stream && fits) {
            let what =
                "the shards hold different samples: let both learn the same stream to the same row";
            return refused(what.to_owned());
        }
        if self.has_dropped_samples() {
            self.frame.samples = next.frame.samples;
        }
        self.trees.extend(next.trees);
        Ok(())
    }

    /// Returns whether the trees decide what is held, and no tree holds a sample any more.
    fn has_dropped_samples(&self) -> bool {
        self.frame.retention == Retention::Everything
            && !self.trees.iter().any(|seeded| seeded.tree.holds_samples())
    }
}
