//! Some of the parts as a shard of all.

use std::iter;
use std::ops::Range;

use forest_core::{
    InputError, JoinError, OnlineLearner, PredictionRows, Rows, Schema, SettingError, Shard,
    VoteSums, VoteWidths,
};
use ndarray::ArrayView2;
use registry::NamedTask;

use crate::RowParts;
use crate::predictions::mean;

impl<T: NamedTask> Shard for RowParts<T> {
    fn part(&self) -> Range<usize> {
        let first = self.parts[0].number() as usize;
        first..first + self.parts.len()
    }

    fn total_trees(&self) -> usize {
        self.settings.parts as usize
    }

    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), SettingError> {
        let kept = self.own_trees(&part)?;
        self.parts.truncate(kept.end);
        self.parts.drain(..kept.start);
        Ok(())
    }

    fn add_votes(
        &self,
        features: ArrayView2<'_, f32>,
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let rows = Rows::for_learner(self, features)?;
        let widths = widths(&self.schema);
        sums.open(self.part().start, iter::repeat_n(widths, rows.len()))?;
        self.add_predictions(rows.matrix(), sums.values_mut(), widths.sum);
        let voters = self.voters().len();
        sums.rows_mut().for_each(|sum| count(sum, voters));
        sums.close(self.parts.len());
        Ok(())
    }

    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let rows = Rows::for_learner(self, features)?;
        self.schema.check_targets(rows.len(), targets)?;
        self.check_room(rows.len())?;
        let mut known = self.schema;
        let widths = targets.iter().map(|&target| {
            let widths = widths(&known);
            known.admit(target);
            widths
        });
        sums.open(self.part().start, widths)?;
        let mut all = sums.rows_mut();
        self.predict_rows_then_learn(rows.matrix(), targets, |of_parts| {
            let sum = all.next().expect("sums were opened for these rows");
            let (_, votes) = sum.split_last_mut().expect("the last one counts");
            let voters = of_parts.add(votes);
            count(sum, voters);
        });
        drop(all);
        sums.close(self.parts.len());
        Ok(())
    }

    fn finish(&self, sums: &VoteSums) -> Result<PredictionRows, InputError> {
        sums.finish(self.total_trees(), |sum, prediction| {
            let (voters, votes) = sum.split_last().expect("the last one counts");
            prediction.copy_from_slice(votes);
            mean::<T>(*voters, prediction);
        })
    }
}

/// Returns the widths of a row of sums: the sum of the predictions, followed by their number.
fn widths<T: NamedTask>(known: &Schema<T>) -> VoteWidths {
    let prediction = known.width();
    let sum = prediction + 1;
    VoteWidths { sum, prediction }
}

fn count(sum: &mut [f64], voters: usize) {
    if let Some(last) = sum.last_mut() {
        *last += voters as f64;
    }
}

impl<T: NamedTask> RowParts<T> {
    /// Appends the parts of `next`, the shard that follows this one and has learned the same rows of the stream.
    ///
    /// # Errors
    /// Returns an error and changes nothing if it does not follow, or has not learned the same rows.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        let of = [
            (self.settings != next.settings, "settings"),
            (self.forest != next.forest, "trees, seeds or retentions"),
        ];
        if let Some((_, what)) = of.into_iter().find(|(different, _)| *different) {
            return Err(JoinError::Different(what));
        }
        let (expected, got) = (self.part().end, next.part().start);
        if got != expected {
            return Err(JoinError::NotNext { expected, got });
        }
        if (self.schema, self.seen) != (next.schema, next.seen) {
            return Err(JoinError::OtherStream);
        }
        self.parts.extend(next.parts);
        Ok(())
    }
}
