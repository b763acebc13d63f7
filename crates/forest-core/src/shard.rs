//! Some of the trees of a forest, as a learner that adds its votes to those of others.

use std::ops::Range;

use ndarray::ArrayView2;

use crate::{InputError, OnlineLearner, PredictionRows, SettingError, Task, VoteSums};

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
