//! Shards that learned apart are joined.

use thiserror::Error;

use super::{Forest, SeededTree};
use crate::{OnlineTree, Retention};

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
