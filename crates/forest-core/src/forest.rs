//! A forest: settings once, samples once, and one tree with one random stream per index.

mod forget;
mod learner;
mod predict;
mod rounds;
mod shards;
mod widen;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    ForestContext, ForestSettings, IdRemap, InvariantError, OnlineTree, Retention, RetentionMask,
    SampleStore, Schema, SettingError, Settings, TreeRng, threads,
};

pub use forget::Forgetting;
pub use shards::{JoinError, NoSuchTree};

/// Independent trees that learn the same stream, each from its own random stream, and vote.
///
/// Learning a batch runs every tree through all of it, trees in parallel; predicting runs rows in
/// parallel. A sample is stored once; [`Retention`] says which are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Forest<T: OnlineTree> {
    schema: Schema<T::Task>,
    settings: T::Settings,
    samples: SampleStore<T::Task>,
    retention: Retention,
    seen: u64,
    /// The whole forest's seed and number of trees.
    seed: u64,
    total_trees: usize,
    /// The index of the first of the trees in the whole forest.
    first_tree: usize,
    trees: Vec<SeededTree<T>>,
}

/// A tree and its random stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct SeededTree<T: OnlineTree> {
    tree: T,
    rng: TreeRng,
}

impl<T: OnlineTree> Forest<T> {
    /// Returns a forest for the stream that `schema` describes; `settings` are those of its trees.
    ///
    /// # Errors
    /// No trees, a setting that breaks its rule, or a retention that these trees cannot follow.
    pub fn new(
        schema: Schema<T::Task>,
        settings: T::Settings,
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
        schema: Schema<T::Task>,
        settings: T::Settings,
        forest: ForestSettings,
        part: Range<usize>,
    ) -> Result<Self, SettingError> {
        Self::check_settings(&schema, &settings, &forest)?;
        if part.is_empty() || part.end > forest.trees {
            let rule = "must be some of the forest's trees, counted from 0";
            return Err(SettingError::new("part", rule, format!("{part:?}")));
        }
        let ForestSettings { trees, seed, .. } = forest;
        let build = |index| SeededTree {
            tree: T::build(index, trees, &schema, &settings),
            rng: TreeRng::new(seed, index),
        };
        Ok(Self {
            first_tree: part.start,
            trees: part.map(build).collect(),
            total_trees: trees,
            seed,
            retention: forest.retention,
            samples: SampleStore::new(schema.features()),
            schema,
            settings,
            seen: 0,
        })
    }

    fn check_settings(
        schema: &Schema<T::Task>,
        settings: &T::Settings,
        forest: &ForestSettings,
    ) -> Result<(), SettingError> {
        forest.check(T::forgetting().is_some())?;
        settings.check(schema)?;
        match forest.retention {
            Retention::Latest(_) => settings.check_forgetting(),
            Retention::Everything => Ok(()),
        }
    }

    /// Returns the rule by which the forest retains samples.
    pub fn retention(&self) -> Retention {
        self.retention
    }

    /// Returns the settings that all trees share.
    pub fn settings(&self) -> &T::Settings {
        &self.settings
    }

    /// Returns the samples held.
    pub fn samples(&self) -> &SampleStore<T::Task> {
        &self.samples
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &T> {
        self.trees.iter().map(|seeded| &seeded.tree)
    }

    /// Returns the context in which the trees work at this moment.
    pub fn context(&self) -> ForestContext<'_, T> {
        ForestContext {
            settings: &self.settings,
            samples: &self.samples,
            outputs: self.schema.outputs(),
        }
    }

    fn for_each_tree(
        &mut self,
        change: impl Fn(&mut T, &ForestContext<'_, T>, &mut TreeRng) + Send + Sync,
    ) {
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
            outputs: self.schema.outputs(),
        };
        threads::each(&mut self.trees, usize::MAX, |seeded| {
            change(&mut seeded.tree, &context, &mut seeded.rng);
        });
    }

    /// Drops the samples from index `first` on that no tree holds, if the trees decide what is held.
    fn drop_unreferenced(&mut self, first: usize) {
        if self.retention != Retention::Everything || !T::HOLDS_SAMPLES {
            return;
        }
        if !self.trees.iter().any(|seeded| seeded.tree.holds_samples()) {
            return self.samples.drop_all();
        }
        let mut kept = RetentionMask::empty(first, self.samples.slots() - first);
        for seeded in &self.trees {
            seeded.tree.keep(&mut kept);
            if kept.all() {
                return;
            }
        }
        let names = self.samples.retain(&kept);
        self.remap(&names);
    }

    fn compact(&mut self) {
        if let Some(names) = self.samples.compact() {
            self.remap(&names);
        }
    }

    fn remap(&mut self, names: &IdRemap) {
        if T::HOLDS_SAMPLES {
            self.for_each_tree(|tree, _, _| tree.remap(names));
        }
    }

    /// Checks what the constructor checked: of interest for a forest that was decoded.
    fn check_frame(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let forest = ForestSettings::default()
            .with_trees(self.total_trees)
            .with_seed(self.seed)
            .with_retention(self.retention);
        Self::check_settings(&self.schema, &self.settings, &forest).map_err(rule)?;
        let end = self.first_tree.checked_add(self.trees.len());
        let some = !self.trees.is_empty() && end.is_some_and(|end| end <= self.total_trees);
        let what = "it has no trees, or more than the whole forest";
        InvariantError::require(some, "forest", what)?;
        self.samples.check(&self.schema, T::FEATURE_VALUES)?;
        let counted = self.samples.last_arrival() < Some(self.seen) && self.seen <= u64::MAX / 2;
        let what = "the samples seen are miscounted";
        InvariantError::require(counted, "forest", what)?;
        self.retention.check_held(&self.samples)
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Has every tree do what it has put off, up to `budget` ([`OnlineTree::refine_to`]), in parallel, each with its own random
    /// stream.
    ///
    /// Nobody but the author of a tree can change the trees of a forest, so no caller can put a tree at odds with its forest's
    /// samples:
    ///
    /// ```compile_fail,E0624
    /// use forest_core::{Forest, OnlineTree};
    ///
    /// fn put_in<T: OnlineTree>(forest: &mut Forest<T>, tree_of_another_forest: &T) {
    ///     forest.for_each_tree(|tree, _, _| *tree = tree_of_another_forest.clone());
    /// }
    /// ```
    pub fn refine_to(&mut self, budget: f64) {
        self.for_each_tree(|tree, context, rng| tree.refine_to(budget, context, rng));
    }
}
