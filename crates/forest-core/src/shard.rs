//! Parts of a forest: shards that learn apart and are joined, and trees that are replaced.

use std::ops::Range;

use thiserror::Error;

use crate::forest::SeededTree;
use crate::{Forest, ForestSettings, OnlineTree, Schema, SettingError, Settings};

/// Why two shards cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// The shards are of different forests.
    #[error("the shards were built with different {0}: build them with the same")]
    Different(&'static str),
    /// Trees between the shards are missing, or trees are in both.
    #[error("the shard starts at tree {got}, but tree {expected} comes next")]
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

/// A forest has no tree of this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no tree {index}: the forest has {trees}, counted from 0")]
pub struct NoSuchTree {
    /// The index.
    pub index: usize,
    /// Number of trees.
    pub trees: usize,
}

impl<T: OnlineTree> Forest<T> {
    /// The trees `part` of the forest that `forest` describes. Shards that have learned the same stream
    /// make up the whole forest, bit for bit, when they are joined.
    ///
    /// # Errors
    /// No trees, trees that the forest does not have, or a setting that breaks its rule.
    pub fn shard(
        schema: Schema<T::Task>,
        settings: T::Settings,
        forest: ForestSettings,
        part: Range<usize>,
    ) -> Result<Self, SettingError> {
        forest.check()?;
        settings.check(&schema)?;
        if part.is_empty() || part.end > forest.trees {
            let rule = "must be some of the forest's trees, counted from 0";
            return Err(SettingError::new("part", rule, format!("{part:?}")));
        }
        Ok(Self::of_trees(schema, settings, forest, part))
    }

    /// Takes the trees of `next`, the shard of the same forest that follows this one.
    ///
    /// # Errors
    /// If it is not; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.check_next(&next)?;
        self.trees.extend(next.trees);
        Ok(())
    }

    fn check_next(&self, next: &Self) -> Result<(), JoinError> {
        let expected = self.first_tree + self.trees.len();
        if self.settings != next.settings || self.retention != next.retention {
            return Err(JoinError::Different("settings"));
        }
        if self.of_trees != next.of_trees {
            return Err(JoinError::Different("numbers of trees"));
        }
        if next.first_tree != expected {
            let got = next.first_tree;
            return Err(JoinError::NotNext { expected, got });
        }
        if self.schema != next.schema || self.seen != next.seen || self.samples != next.samples {
            return Err(JoinError::OtherStream);
        }
        Ok(())
    }

    /// Replaces a tree by a fresh one that learns the samples that are held, in their order, with the
    /// random stream of `seed`. Samples that no tree keeps any more are dropped.
    ///
    /// # Errors
    /// If there is no such tree.
    pub fn replace_tree(&mut self, index: usize, seed: u64) -> Result<(), NoSuchTree> {
        let trees = self.trees.len();
        if index >= trees {
            return Err(NoSuchTree { index, trees });
        }
        let number = self.first_tree + index;
        let mut fresh =
            SeededTree::<T>::new(number, self.of_trees, &self.schema, &self.settings, seed);
        let SeededTree { tree, rng } = &mut fresh;
        let context = self.context();
        self.samples()
            .ids()
            .for_each(|id| tree.learn(id, &context, rng));
        self.trees[index] = fresh;
        self.drop_unneeded(0);
        Ok(())
    }
}
