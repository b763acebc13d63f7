//! A forest: settings once, samples once, and one tree with one random stream per index.

mod learner;
mod rounds;
mod shards;

use std::any::Any;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use ndarray::ArrayView2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use smallvec::SmallVec;

use crate::{
    Ability, ForestContext, ForestSettings, InputError, InvariantError, OnlineLearner as _,
    OnlineTree, Refused, Retention, RetentionMask, Rows, SampleId, SampleStore, Schema,
    SettingError, Settings, Task, TreeRng, threads,
};

/// Independent trees that learn the same stream, each with its own random stream, and vote.
///
/// Trees learn a batch in parallel; rows are predicted in parallel. A sample is stored once; [`Retention`] says which
/// are. Wraps [`Trees`], whose code is compiled once for all kinds of trees, and adds the type of its trees.
#[derive(Debug)]
pub struct Forest<K: OnlineTree> {
    trees: Trees<K::Task>,
    kind: PhantomData<fn() -> K>,
}

/// The trees of a [`Forest`] without their type, and everything that a forest does. Callers cannot change a tree.
#[derive(Clone, Debug)]
pub struct Trees<T: Task> {
    frame: Frame<T>,
    settings: Arc<dyn Settings<T>>,
    trees: Vec<Seeded<T>>,
}

/// The data of a forest besides its trees and their settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Frame<T: Task> {
    schema: Schema<T>,
    samples: SampleStore<T>,
    retention: Retention,
    seen: u64,
    /// The whole forest's seed and number of trees.
    seed: u64,
    total_trees: usize,
    /// The index of the first of the trees in the whole forest.
    first_tree: usize,
}

impl<T: Task> Frame<T> {
    fn context<'a>(&'a self, settings: &'a dyn Settings<T>) -> ForestContext<'a, T> {
        ForestContext {
            settings,
            samples: &self.samples,
            outputs: self.schema.outputs(),
        }
    }
}

/// A tree and its random stream.
#[derive(Debug)]
struct Seeded<T: Task> {
    tree: Box<dyn OnlineTree<Task = T>>,
    rng: TreeRng,
}

impl<T: Task> Clone for Seeded<T> {
    fn clone(&self) -> Self {
        Self {
            tree: self.tree.boxed(),
            rng: self.rng.clone(),
        }
    }
}

impl<K: OnlineTree> Forest<K> {
    /// Returns a forest for the stream that `schema` describes; `settings` are those of its trees.
    ///
    /// # Errors
    /// Returns the setting that breaks its rule, among them a retention that these trees cannot follow.
    pub fn new(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::shard(schema, settings, forest, 0..forest.trees)
    }

    /// Returns a forest of the trees `part`, a range of indices, of the forest that `forest` describes. Shards that
    /// have learned the same stream make up the whole forest, bit for bit, when they are [joined](Forest::join).
    ///
    /// # Errors
    /// As [`Forest::new`], or if the forest does not have these trees.
    pub fn shard(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
        part: Range<usize>,
    ) -> Result<Self, SettingError> {
        ForestSettings::check_trees(forest.trees)?;
        settings.check(&schema)?;
        if part.is_empty() || part.end > forest.trees {
            let rule = "must be some of the forest's trees, counted from 0";
            return Err(SettingError::new("part", rule, format!("{part:?}")));
        }
        let frame = Frame {
            schema,
            samples: SampleStore::new(schema.features()),
            retention: forest.retention,
            seen: 0,
            seed: forest.seed,
            total_trees: forest.trees,
            first_tree: part.start,
        };
        let mut trees = Vec::with_capacity(part.len());
        for index in part {
            let rng = TreeRng::new(forest.seed, index);
            trees.push((K::build(index, &schema, &settings), rng));
        }
        let forest = Self::of_parts(frame, settings, trees);
        forest.trees.check_settings()?;
        Ok(forest)
    }

    fn of_parts(frame: Frame<K::Task>, settings: K::Settings, trees: Vec<(K, TreeRng)>) -> Self {
        // Collected, they would keep the memory of unboxed trees.
        let mut seeded = Vec::with_capacity(trees.len());
        for (tree, rng) in trees {
            let tree: Box<dyn OnlineTree<Task = K::Task>> = Box::new(tree);
            seeded.push(Seeded { tree, rng });
        }
        let trees = Trees {
            frame,
            settings: Arc::new(settings),
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
        self.trees.settings.of_type()
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &K> {
        self.trees.trees.iter().map(|seeded| {
            let tree: &dyn Any = &*seeded.tree;
            tree.downcast_ref().expect("trees of one kind")
        })
    }

    /// Takes over the trees of `next`, the shard of the same forest that follows this one. Both must hold the same
    /// samples, or one no longer holds any, because its trees are full.
    ///
    /// # Errors
    /// Returns an error if `next` is another shard, or has other samples; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.trees.join(next.trees)
    }
}

impl<K: OnlineTree> Clone for Forest<K> {
    fn clone(&self) -> Self {
        Self {
            trees: self.trees.clone(),
            kind: PhantomData,
        }
    }
}

/// Methods of all forests.
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

impl<K: OnlineTree + Serialize> Serialize for Forest<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let streams = self.trees.trees.iter().map(|seeded| &seeded.rng);
        let trees: Vec<(&K, &TreeRng)> = self.trees().zip(streams).collect();
        (&self.trees.frame, self.settings(), trees).serialize(serializer)
    }
}

impl<'de, K: OnlineTree + Deserialize<'de>> Deserialize<'de> for Forest<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (frame, settings, trees): (_, _, Vec<(K, TreeRng)>) =
            Deserialize::deserialize(deserializer)?;
        if trees.is_empty() {
            return Err(de::Error::custom("a forest has no trees"));
        }
        Ok(Self::of_parts(frame, settings, trees))
    }
}

impl<T: Task> Trees<T> {
    /// Returns the samples held.
    pub fn samples(&self) -> &SampleStore<T> {
        &self.frame.samples
    }

    /// Performs the deferred work of every tree up to `budget`
    /// ([`OnlineTree::refine_to`](crate::OnlineTree::refine_to)), in parallel, each with its own random stream.
    pub fn refine_to(&mut self, budget: f64) {
        self.change(usize::MAX, |tree, context, rng| {
            tree.refine_to(budget, context, rng);
        });
    }

    /// Replaces targets of samples, each named once, for trees that [support it](crate::OnlineTree::retarget).
    pub fn retarget(&mut self, changes: &[(SampleId, T::Target)]) {
        let mut before = SmallVec::<[_; 8]>::with_capacity(changes.len());
        for &(id, target) in changes {
            before.push((id, self.frame.samples.retarget(id, target)));
        }
        let units = before.len() * self.trees.len();
        self.change(units, |tree, context, _| tree.retarget(&before, context));
    }

    /// Overwrites `predictions` with full predictions, one row after another: each the prediction, followed by whatever
    /// else the trees estimate, such as a variance ([`OnlineTree::full_width`](crate::OnlineTree::full_width)).
    ///
    /// # Errors
    /// As [`predict_into`](crate::OnlineLearner::predict_into).
    pub fn predict_full_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let rows = self.check_rows(features)?;
        let width = self.kind().full_width(&self.frame.schema.outputs());
        predictions.clear();
        predictions.resize(rows.len() * width, 0.0);
        self.fill_rows(&rows, width, predictions);
        Ok(())
    }

    /// Returns the context in which the trees work at this moment.
    pub fn context(&self) -> ForestContext<'_, T> {
        self.frame.context(&*self.settings)
    }

    /// Returns a tree that stands for all of its kind.
    fn kind(&self) -> &dyn OnlineTree<Task = T> {
        &*self.trees[0].tree
    }

    /// Changes all trees, in parallel if `units` of work are worth it.
    fn change(
        &mut self,
        units: usize,
        work: impl Fn(&mut dyn OnlineTree<Task = T>, &ForestContext<'_, T>, &mut TreeRng) + Send + Sync,
    ) {
        let context = self.frame.context(&*self.settings);
        threads::each(&mut self.trees, units, |Seeded { tree, rng }| {
            work(&mut **tree, &context, rng);
        });
    }

    /// Predicts `width` numbers for every row: block by block, tree by tree, so that a tree stays in cache.
    fn fill_rows(&self, rows: &Rows<'_>, width: usize, predictions: &mut [f64]) {
        let context = self.context();
        let cells = self.kind().accumulator_width(&context.outputs);
        self.in_blocks(rows, width, predictions, |block, predictions| {
            threads::with_buffer(|buffer| {
                buffer.resize((1 + block.len()) * cells, 0.0);
                let (accumulator, sums) = buffer.split_at_mut(cells);
                for Seeded { tree, .. } in &self.trees {
                    tree.add_votes(block, &context, accumulator, sums);
                }
                let rows = predictions.chunks_exact_mut(width.max(1));
                for (sum, prediction) in sums.chunks_exact(cells.max(1)).zip(rows) {
                    self.kind().finish(sum, self.trees.len(), prediction);
                }
            });
        });
    }

    /// Does `work` on blocks of rows and their parts of `table`, which has `width` cells a row. A row costs less in a
    /// larger block, as long as the sums of all its rows leave a tree some room in cache.
    fn in_blocks(
        &self,
        rows: &Rows<'_>,
        width: usize,
        table: &mut [f64],
        work: impl Fn(&Rows<'_>, &mut [f64]) + Sync + Send,
    ) {
        let width = width.max(1);
        let units = rows.len() * self.trees.len();
        // A table of 1 MiB.
        let rows_per_block = ((1 << 17) / width).clamp(512, 8192);
        threads::fill_rows(table, width, units, |first, share| {
            let end = first + share.len() / width;
            for (block, share) in share.chunks_mut(rows_per_block * width).enumerate() {
                let start = first + block * rows_per_block;
                work(&rows.part(start..end.min(start + rows_per_block)), share);
            }
        });
    }

    /// Checks that the trees can follow the settings.
    fn check_settings(&self) -> Result<(), SettingError> {
        ForestSettings::check_trees(self.frame.total_trees)?;
        let can_forget = self.kind().can(Ability::Forget);
        self.frame.retention.check(can_forget)?;
        self.settings.check(&self.frame.schema)?;
        if self.frame.retention != Retention::Everything {
            self.settings.check_forgetting()?;
        }
        Ok(())
    }

    /// Forgets samples that are held; trees of this kind can.
    fn forget_all(&mut self, ids: &[SampleId]) {
        self.change(usize::MAX, |tree, context, rng| {
            ids.iter().for_each(|&id| tree.forget(id, context, rng));
        });
        for &id in ids {
            self.frame.samples.forget(id);
        }
        self.compact();
    }

    /// Drops the samples from index `first` on that no tree holds, if the trees decide what is held.
    fn drop_unreferenced(&mut self, first: usize) {
        let samples = &mut self.frame.samples;
        if self.frame.retention != Retention::Everything {
            return;
        }
        if !self.trees.iter().any(|seeded| seeded.tree.holds_samples()) {
            return samples.drop_all();
        }
        let mut kept = RetentionMask::empty(first, samples.slots() - first);
        for seeded in &self.trees {
            seeded.tree.keep(&mut kept);
            if kept.all() {
                return;
            }
        }
        let remap = samples.retain(&kept);
        self.change(usize::MAX, |tree, _, _| tree.remap(&remap));
    }

    fn compact(&mut self) {
        if let Some(remap) = self.frame.samples.compact() {
            self.change(usize::MAX, |tree, _, _| tree.remap(&remap));
        }
    }

    /// Checks what the constructor checked: of interest for a forest that was decoded.
    fn check_frame(&self) -> Result<(), InvariantError> {
        let frame = &self.frame;
        let rule = |error: SettingError| InvariantError::new("settings", error);
        frame.schema.check().map_err(rule)?;
        self.check_settings().map_err(rule)?;
        let end = frame.first_tree.checked_add(self.trees.len());
        let is_part = end.is_some_and(|end| end <= frame.total_trees);
        let what = "it has more trees than the whole forest";
        InvariantError::require(is_part, "forest", what)?;
        let accepted = self.kind().feature_values();
        frame.samples.check(&frame.schema, accepted)?;
        let counted = frame.samples.last_arrival() < Some(frame.seen) && frame.seen <= u64::MAX / 2;
        InvariantError::require(counted, "forest", "the samples seen are miscounted")?;
        let holds_more = matches!(frame.retention, Retention::Latest(n) if frame.samples.len() > n);
        InvariantError::require(!holds_more, frame.retention, "the store holds more")
    }
}
