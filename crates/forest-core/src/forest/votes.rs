//! A forest as a shard: it adds its votes to those of the trees before it.

use std::ops::Range;

use ndarray::ArrayView2;

use super::Forest;
use super::predict::{PREDICTED_ROWS_PER_ROUND, RoundVotes, rows_per_block};
use crate::{
    Batch, InputError, OnlineTree, PredictionRows, Rows, SettingError, Shard, Task, VoteSums,
    VoteWidths, threads,
};

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
