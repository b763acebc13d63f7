//! Pipelines around shards: each transforms rows and adds the votes of its trees.

use std::ops::Range;

use forest_core::registry::{AnyLearner, NamedTask};
use forest_core::{InputError, JoinError, Rows, SettingError, Shard, VoteSums};
use ndarray::ArrayView2;

use super::Pipeline;

impl<T: NamedTask> Pipeline<AnyLearner<T>> {
    /// Returns the learner as a shard; `None` if it cannot be sharded.
    pub fn shard(&self) -> Option<&dyn Shard<Task = T>> {
        self.learner.as_shard()
    }

    /// Continues with some of the trees only, as [`Shard::keep_trees`].
    ///
    /// # Errors
    /// Returns an error, without changes, if it is not a shard or does not have these trees.
    pub fn keep_trees(&mut self, part: Range<usize>) -> Result<(), SettingError> {
        let rule = "must be the whole learner, since it cannot be sharded";
        let text = format!("{part:?}");
        let none = || SettingError::new("part", rule, text);
        self.learner
            .as_shard_mut()
            .ok_or_else(none)?
            .keep_trees(part)
    }

    /// Adds the votes on raw rows, as [`Shard::add_votes`].
    ///
    /// # Errors
    /// Returns an error as [`Shard::add_votes`], or if it is not a shard.
    pub fn add_votes(
        &self,
        rows: ArrayView2<'_, f32>,
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let shard = self.shard().ok_or(InputError::NoShards)?;
        let rows = Rows::for_learner(self, rows)?;
        let rows = self.transformed(rows.matrix());
        shard.add_votes(rows.view(), sums)
    }

    /// Adds the votes on raw rows, each just before it is learned, as [`Shard::add_votes_then_learn`].
    ///
    /// # Errors
    /// Returns an error as [`Shard::add_votes_then_learn`], or if it is not a shard; then nothing was learned.
    pub fn add_votes_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        sums: &mut VoteSums,
    ) -> Result<(), InputError> {
        let checked = Rows::for_learner(self, rows)?;
        let rows = self.transformed(checked.matrix());
        let shard = self.learner.as_shard_mut().ok_or(InputError::NoShards)?;
        shard.add_votes_then_learn(rows.view(), targets, sums)?;
        self.admit(targets);
        Ok(())
    }

    /// Takes the trees of the next shard ([`Forest::join`](forest_core::Forest::join)), which has to be behind the same steps.
    ///
    /// # Errors
    /// Returns an error, without changes, as [`AnyLearner::join`], or for other steps or names of classes.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        let of = [
            (self.schema != next.schema, "numbers of features or classes"),
            (self.steps != next.steps, "steps"),
            (self.class_names != next.class_names, "names of classes"),
        ];
        if let Some((_, what)) = of.into_iter().find(|(different, _)| *different) {
            return Err(JoinError::Different(what));
        }
        self.learner.join(next.learner)
    }
}
