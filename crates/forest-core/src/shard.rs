//! Some of the trees of a forest, as a learner that adds its votes to those of others.

use std::ops::Range;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::{InputError, OnlineLearner, PredictionRows, SettingError, Task};

/// Learners that are some of the trees of a forest, or all of them: a [`Forest`](crate::Forest) is one.
///
/// A batch that goes through all shards of a forest in the order of their trees gets the predictions of the whole forest, bit for
/// bit: each shard adds its votes to the sums that the shard before it hands over, and
/// [`finish`](Shard::finish) turns the sums of the last one into predictions.
///
/// A learner that is not a forest may have shards, too, if its predictions are made of sums of votes. A tree then means
/// whatever votes in it, such as a learner of some of the rows.
///
/// ```
/// use forest_core::{Shard, InputError, VoteSums, ndarray::ArrayView2, PredictionRows, Regression};
///
/// fn predictions(
///     shards: &[Box<dyn Shard<Task = Regression>>],
///     rows: ArrayView2<'_, f32>,
/// ) -> Result<PredictionRows, InputError> {
///     let mut sums = VoteSums::default();
///     for shard in shards {
///         shard.add_votes(rows, &mut sums)?;
///     }
///     shards[0].finish(&sums)
/// }
/// ```
pub trait Shard: OnlineLearner {
    /// Returns the range of the forest's trees that the shard has, counted from 0.
    fn part(&self) -> Range<usize>;

    /// Returns the number of trees of the whole forest.
    fn total_trees(&self) -> usize;

    /// Keeps only some of its trees, and the samples that these hold: the opposite of
    /// [`Forest::join`](crate::Forest::join).
    ///
    /// # Errors
    /// Trees that it does not have, or none; then nothing changes.
    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), SettingError>;

    /// Returns the places of the trees of `part` among the shard's own trees.
    ///
    /// # Errors
    /// Trees that it does not have, or none.
    fn own_trees(&self, part: &Range<usize>) -> Result<Range<usize>, SettingError> {
        let own = self.part();
        let some = !part.is_empty() && own.start <= part.start && part.end <= own.end;
        let rule = "must be some of the trees that the shard has";
        SettingError::require(some, "part", rule, format!("{part:?} of {own:?}"))?;
        Ok(part.start - own.start..part.end - own.start)
    }

    /// Adds the votes of its trees on `features`, a row each, to `sums`. The shard with the first tree begins them, whatever was
    /// in them. Changes nothing in the learner.
    ///
    /// # Errors
    /// As [`predict_into`](OnlineLearner::predict_into), or sums that the trees before these have not added up for these rows.
    fn add_votes(
        &self,
        features: ArrayView2<'_, f32>,
        sums: &mut VoteSums,
    ) -> Result<(), InputError>;

    /// Test-then-train: adds the votes of its trees on every row, given just before that row is learned.
    ///
    /// # Errors
    /// As [`learn`](OnlineLearner::learn), or sums as [`Shard::add_votes`] refuses them; then nothing was learned.
    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), InputError>;

    /// Returns the predictions of the forest, once all trees have added their votes. Any shard can return them.
    ///
    /// # Errors
    /// Sums without the votes of all trees.
    fn finish(&self, sums: &VoteSums) -> Result<PredictionRows, InputError>;
}

/// Sums of the votes of the first trees of a forest on some rows, which one shard hands to the next.
///
/// Each row has a sum of accumulators ([`OnlineTree`](crate::OnlineTree)), as wide as the outputs known at that row make it. The
/// sums remember how many trees are in them, so that no shard is left out or added twice. The author of a [`Shard`](crate::Shard)
/// opens the sums, adds to their rows, and closes them.
///
/// Memory: eight bytes for each number and eight for each row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VoteSums {
    trees: usize,
    widths: Vec<u32>,
    prediction_widths: Vec<u32>,
    values: Vec<f64>,
}

/// How many numbers a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoteWidths {
    /// In the sum of its votes.
    pub sum: usize,
    /// In the prediction that is made of the sum.
    pub prediction: usize,
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

    /// The sums that trees from number `first` on may add to, for these rows: all 0 for the first.
    ///
    /// # Errors
    /// Sums of other rows, or without the votes of all trees before `first`.
    pub fn open(
        &mut self,
        first: usize,
        rows: impl Iterator<Item = VoteWidths>,
    ) -> Result<(), InputError> {
        if first > 0 {
            let widths = rows.map(|row| row.sum as u32);
            return self.check(first, widths.eq(self.widths.iter().copied()));
        }
        self.widths.clear();
        self.prediction_widths.clear();
        for row in rows {
            self.widths.push(row.sum as u32);
            self.prediction_widths.push(row.prediction as u32);
        }
        self.values.clear();
        self.values.resize(self.total(), 0.0);
        self.trees = 0;
        Ok(())
    }

    /// Records that `trees` more trees have added their votes.
    pub fn close(&mut self, trees: usize) {
        self.trees += trees;
    }

    /// Returns all sums, one after another.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Returns the sum of each row.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let mut rest = self.values.as_mut_slice();
        self.widths.iter().map(move |&width| {
            let (row, behind) = std::mem::take(&mut rest).split_at_mut(width as usize);
            rest = behind;
            row
        })
    }

    /// Returns the predictions of a forest of `trees` trees, all of which have voted; `finish` turns a sum into a prediction, which is all 0 before.
    ///
    /// # Errors
    /// Sums without the votes of all trees.
    pub fn finish(
        &self,
        trees: usize,
        mut finish: impl FnMut(&[f64], &mut [f64]),
    ) -> Result<PredictionRows, InputError> {
        self.check(trees, self.prediction_widths.len() == self.len())?;
        let (mut predictions, mut rest) = (PredictionRows::default(), self.values.as_slice());
        for (&width, &prediction_width) in self.widths.iter().zip(&self.prediction_widths) {
            let (sum, behind) = rest.split_at(width as usize);
            rest = behind;
            finish(sum, predictions.push(prediction_width as usize));
        }
        Ok(predictions)
    }

    /// Checks that sums from another process cover these rows and this number of trees.
    fn check(&self, trees: usize, rows: bool) -> Result<(), InputError> {
        if rows && self.trees == trees && self.values.len() == self.total() {
            Ok(())
        } else {
            Err(InputError::VotesMismatch {
                expected: trees,
                got: self.trees,
            })
        }
    }

    fn total(&self) -> usize {
        self.widths.iter().map(|&width| width as usize).sum()
    }
}
