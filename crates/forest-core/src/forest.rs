//! A forest: settings once, samples once, and one tree with one random stream per index.

mod boxed;
mod rounds;
mod shards;
mod trees;

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Batch, ForestContext, ForestSettings, OnlineLearner, OnlineTree, Refused, Retention, Rows,
    SampleStore, Schema, SettingError, TreeRng,
};
use boxed::{Kind, Seeded, Tree};
use trees::Frame;

pub use shards::VoteSums;
pub use trees::Trees;

/// Independent trees that learn the same stream, each from its own random stream, and vote.
///
/// Learning a batch runs every tree through all of it, trees in parallel; predicting runs rows in
/// parallel. A sample is stored once; [`Retention`] says which are.
///
/// It is its [`Trees`], which are compiled once for all kinds of trees, with the type of its trees.
pub struct Forest<K: OnlineTree> {
    trees: Trees<K::Task>,
    kind: PhantomData<fn() -> K>,
}

impl<K: OnlineTree> Forest<K> {
    /// Returns a forest for the stream that `schema` describes; `settings` are those of its trees.
    ///
    /// # Errors
    /// No trees, a setting that breaks its rule, or a retention that these trees cannot follow.
    pub fn new(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::shard(schema, settings, forest, 0..forest.trees)
    }

    /// Returns the trees `part` of the forest that `forest` describes. Shards that have learned the same stream
    /// make up the whole forest, bit for bit, when they are [joined](Forest::join).
    ///
    /// # Errors
    /// As [`Forest::new`], or trees that the forest does not have.
    pub fn shard(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
        part: Range<usize>,
    ) -> Result<Self, SettingError> {
        let kind = Kind::of::<K>(settings.clone());
        Trees::check_settings(&schema, &kind, &forest)?;
        if part.is_empty() || part.end > forest.trees {
            let rule = "must be some of the forest's trees, counted from 0";
            return Err(SettingError::new("part", rule, format!("{part:?}")));
        }
        let build = |index| {
            (
                K::build(index, &schema, &settings),
                TreeRng::new(forest.seed, index),
            )
        };
        let trees = part.clone().map(build).collect();
        let frame = Frame {
            schema,
            samples: SampleStore::new(schema.features()),
            retention: forest.retention,
            seen: 0,
            seed: forest.seed,
            total_trees: forest.trees,
            first_tree: part.start,
        };
        Ok(Self::of_parts(frame, settings, trees))
    }

    fn of_parts(frame: Frame<K::Task>, settings: K::Settings, trees: Vec<(K, TreeRng)>) -> Self {
        // Collected, they would keep the memory of unboxed trees.
        let mut seeded = Vec::with_capacity(trees.len());
        for (tree, rng) in trees {
            let tree: Box<dyn Tree<_>> = Box::new(tree);
            seeded.push(Seeded { tree, rng });
        }
        let trees = Trees {
            frame,
            kind: Kind::of::<K>(settings),
            trees: seeded,
        };
        Self {
            trees,
            kind: PhantomData,
        }
    }

    /// Returns the rule by which the forest retains samples.
    pub fn retention(&self) -> Retention {
        self.trees.frame.retention
    }

    /// Returns the settings that all trees share.
    pub fn settings(&self) -> &K::Settings {
        self.trees.context().settings::<K>()
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &K> {
        self.trees.trees.iter().map(|seeded| {
            seeded
                .tree
                .as_any()
                .downcast_ref()
                .expect("trees of one kind")
        })
    }

    /// Returns the context in which the trees work at this moment.
    pub fn context(&self) -> ForestContext<'_, K> {
        self.trees.context().of()
    }

    /// Takes the trees of `next`, the shard of the same forest that follows this one. Both must hold the same
    /// samples, as they do unless each tree holds only some; or one no longer holds any, because its trees are full.
    ///
    /// # Errors
    /// If it is not, or they do not; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.trees.join(next.trees)
    }
}

impl<K: OnlineTree> Clone for Forest<K> {
    fn clone(&self) -> Self {
        let (trees, kind) = (self.trees.clone(), PhantomData);
        Self { trees, kind }
    }
}

impl<K: OnlineTree> fmt::Debug for Forest<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trees: Vec<&K> = self.trees().collect();
        f.debug_struct("Forest")
            .field("frame", &self.trees.frame)
            .field("settings", self.settings())
            .field("trees", &trees)
            .finish()
    }
}

/// What all forests can do.
impl<K: OnlineTree> Deref for Forest<K> {
    type Target = Trees<K::Task>;

    fn deref(&self) -> &Trees<K::Task> {
        &self.trees
    }
}

impl<K: OnlineTree> DerefMut for Forest<K> {
    fn deref_mut(&mut self) -> &mut Trees<K::Task> {
        &mut self.trees
    }
}

impl<K: OnlineTree> Serialize for Forest<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let streams = self.trees.trees.iter().map(|seeded| &seeded.rng);
        let trees: Vec<(&K, &TreeRng)> = self.trees().zip(streams).collect();
        (&self.trees.frame, self.settings(), trees).serialize(serializer)
    }
}

impl<'de, K: OnlineTree> Deserialize<'de> for Forest<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (frame, settings, trees) = Deserialize::deserialize(deserializer)?;
        Ok(Self::of_parts(frame, settings, trees))
    }
}

impl<K: OnlineTree> OnlineLearner for Forest<K> {
    type Task = K::Task;

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = K::Task>> {
        Some(&self.trees)
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = K::Task>> {
        Some(&mut self.trees)
    }

    fn trees(&self) -> usize {
        self.tree_count()
    }

    fn join(&mut self, next: Box<dyn Any>) -> Result<(), Refused> {
        let next = next.downcast::<Self>();
        let next = next.map_err(|_| Refused::different("algorithms"))?;
        self.trees.join(next.trees)
    }

    fn schema(&self) -> &Schema<K::Task> {
        &self.trees.frame.schema
    }

    fn samples_seen(&self) -> u64 {
        self.trees.frame.seen
    }

    fn learn_batch(&mut self, batch: &Batch<'_, K::Task>) {
        self.trees.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.trees.predict_rows(rows, predictions);
    }
}
