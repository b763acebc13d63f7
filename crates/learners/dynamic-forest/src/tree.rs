//! One tree, as a tree of a forest.

use std::fmt::Debug;
use std::sync::Arc;

use forest_core::{
    Ability, ExportedTree, FeatureValues, Footprint, ForestContext, IdRemap, InvariantError,
    LARGER_THAN_A_CACHE, OnlineTree, Proceed, RetentionMask, Rows, SampleId, SampleLists,
    SampleStore, Schema, SettingError, Settings, Task, TreeRng, accumulate,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::grow::{Growth, Place};
use crate::hash::NodeKey;
use crate::labels::Coded;
use crate::nodes::{Link, Nodes, Pool};
use crate::numbers::Unit;
use crate::samples::SCRATCH;
use crate::silent::Silent;
use crate::statistics::Statistics;
use crate::{DynamicSettings, Labels, votes};

/// What trees keep of their samples, and how they are read. Sealed.
pub trait Variant: Clone + Debug + Default + Send + Sync + 'static {
    /// Classification or regression.
    type Task: Labels;
    /// What inner nodes keep of the samples below them: one, or none.
    type Totals: Copy
        + Debug
        + Default
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + AsRef<[Counts]>
        + AsMut<[Counts]>;

    /// The predictions that a tree makes of a point.
    const READINGS: usize = 1;

    /// What the changes of a cut's samples are counted in: parts of one that counts as much as any other.
    const A_CHANGE: u32 = 1;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize {
        <Self::Task as Labels>::candidates(width)
    }

    /// Returns the samples that are silent in tree number `index` from the beginning.
    fn silence(_index: usize) -> Silent {
        Silent::default()
    }

    /// Overwrites `accumulator` with the predictions at a point.
    fn vote(
        tree: &ExtraTree<Self>,
        x: &[f32],
        store: &SampleStore<Self::Task>,
        accumulator: &mut [f64],
    ) {
        votes::predict_in_leaf(tree, votes::leaf_of(tree, x), store, accumulator);
    }
}

/// A tree that is read at its leaves.
impl<T: Labels> Variant for T {
    type Task = T;
    type Totals = [Counts; 0];
}

/// The number of the sums of a node's samples, where those of leaves are, and the number of samples on each side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub(crate) sums: u32,
    pub(crate) sides: [u32; 2],
}

/// A tree that is a function of its seed and of the samples it holds, up to a share ε of the samples of each node (see
/// [`DynamicSettings::recheck`]). `V` is what it keeps of them and how it is read: [`DynamicTree`](crate::DynamicTree),
/// [`ReadingTree`](crate::ReadingTree), [`HonestTree`](crate::HonestTree).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ExtraTree<V: Variant> {
    /// Drawn before the first sample.
    pub(crate) seed: Option<u64>,
    /// Whether samples count as their weights say: from the first on whose weight is not 1.
    pub(crate) is_weighted: bool,
    pub(crate) silence: Silent,
    pub(crate) nodes: Nodes<V::Totals>,
    pub(crate) links: SampleLists,
    pub(crate) unit: Unit,
    pub(crate) leaves: <V::Task as Labels>::Leaves,
    pub(crate) statistics: Pool<Statistics<V::Task>>,
}

pub(crate) type TargetOf<V> = <<V as Variant>::Task as Task>::Target;

pub(crate) type CodeOf<V> = <<V as Variant>::Task as Labels>::Code;

impl<V: Variant> ExtraTree<V> {
    /// Returns the code of a sample, and how often it counts.
    #[inline]
    pub(crate) fn coded(&self, store: &SampleStore<V::Task>, id: SampleId) -> Coded<V::Task> {
        let code = V::Task::code(store.target(id), &self.unit);
        let units = if self.is_weighted {
            store.weight(id).units()
        } else {
            1
        };
        Coded { code, units }
    }

    /// Returns whether a cache does not hold the nodes, so that it saves time to ask for memory before it is read.
    pub(crate) fn is_large(&self) -> bool {
        self.nodes.array.bytes() > LARGER_THAN_A_CACHE
    }

    /// Changes the tree with the working memory of the thread.
    fn change(
        &mut self,
        context: &ForestContext<'_, V::Task>,
        work: impl FnOnce(&mut Growth<'_, V>),
    ) {
        let store = context.samples;
        let key = NodeKey::root(self.seed.expect("drawn before the first sample"));
        SCRATCH.with_borrow_mut(|all| {
            let scratch = V::Task::scratch(all);
            scratch.set.begin(self.is_weighted);
            scratch.search.order.fit(store.width());
            let (link, settings) = (Link::Root, context.settings::<DynamicSettings>());
            work(&mut Growth {
                tree: self,
                store,
                scratch,
                root: Place { link, key },
                rules: settings.rules::<V>(store.width()),
            });
        });
    }
}

impl<V: Variant> OnlineTree for ExtraTree<V> {
    type Task = V::Task;
    type Settings = DynamicSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = V::Task>> {
        Box::new(self.clone())
    }

    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn can(&self, ability: Ability) -> bool {
        use Ability::{AtOnce, Explain, Forget, Weights};
        matches!(ability, AtOnce | Explain | Forget | Weights)
    }

    fn build(index: usize, _: &Schema<V::Task>, _: &DynamicSettings) -> Self {
        let silence = V::silence(index);
        Self {
            silence,
            ..Self::default()
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, V::Task>, rng: &mut TreeRng) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context, |growth| growth.learn(id));
    }

    fn look_ahead(&mut self, ids: &[SampleId], context: &ForestContext<'_, V::Task>) {
        votes::walk_ahead(self, ids, context.samples);
    }

    /// The batch tree of the samples. With `recheck` = 0 it equals the tree that learns them one after another; otherwise its cuts are those of all
    /// samples, where learned one by one they lag behind by up to this share.
    fn learn_first(
        &mut self,
        ids: &[SampleId],
        context: &ForestContext<'_, V::Task>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context, |growth| growth.grow_all(ids, proceed));
    }

    /// Makes a share of the samples silent, of trees in which some can be.
    fn refine_to(&mut self, share: f64, context: &ForestContext<'_, V::Task>, _: &mut TreeRng) {
        let silence = self.silence.with_share(share);
        if self.seed.is_none() {
            self.silence = silence;
        } else if silence != self.silence {
            self.change(context, |growth| growth.silence(silence));
        }
    }

    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, V::Task>, _: &mut TreeRng) {
        self.change(context, |growth| growth.forget(id));
    }

    fn retarget(
        &mut self,
        changes: &[(SampleId, TargetOf<V>)],
        context: &ForestContext<'_, V::Task>,
    ) {
        self.change(context, |growth| growth.retarget(changes));
    }

    fn widened(
        &self,
        settings: &Arc<dyn Settings<V::Task>>,
        _: usize,
    ) -> Result<Arc<dyn Settings<V::Task>>, SettingError> {
        Ok(settings.clone())
    }

    /// The number of candidates that is chosen by the task follows the number of features, and the order of a node's candidates is another one. So an exact tree
    /// is built again, `O(n·K·log n)`; a lazy one keeps its cuts until they are reconsidered, with all features.
    fn widen(&mut self, _: usize, context: &ForestContext<'_, V::Task>) {
        if context.settings::<DynamicSettings>().recheck == 0.0 && !context.samples.is_empty() {
            let ids: Vec<_> = context.samples.ids().collect();
            self.change(context, |growth| growth.grow_all(&ids, || true));
        }
    }

    fn export(&self, context: &ForestContext<'_, V::Task>) -> Option<ExportedTree> {
        Some(self.exported(context))
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, V::Task>,
        accumulator: &mut [f64],
    ) {
        V::vote(self, features, context.samples, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, V::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        if V::READINGS == 1 {
            return votes::add_votes(self, rows, context.samples, accumulator, sums);
        }
        let width = accumulator.len().max(1);
        for (x, sum) in rows.iter().zip(sums.chunks_exact_mut(width)) {
            V::vote(self, x, context.samples, accumulator);
            accumulate(sum, accumulator);
        }
    }

    fn accumulator_width(&self, outputs: &<V::Task as Task>::Outputs) -> usize {
        self.full_width(outputs)
    }

    fn full_width(&self, outputs: &<V::Task as Task>::Outputs) -> usize {
        V::READINGS * V::Task::width(outputs)
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        self.nodes.remap(names);
        self.links.remap(names);
        let statistics = self.statistics.values.iter_mut();
        let asides = statistics.flat_map(|one| &mut one.aside);
        let children = asides.flat_map(|aside| &mut aside.children);
        children.for_each(|child| child.remap(names));
    }

    fn footprint(&self) -> Footprint {
        let statistics: usize = self.statistics.values.iter().map(Statistics::bytes).sum();
        let nodes = self.nodes.array.bytes() + self.links.bytes();
        let sums = V::Task::leaves_bytes(&self.leaves) + self.statistics.bytes();
        Footprint {
            nodes: self.nodes.used,
            stored_samples: 0,
            bytes: size_of::<Self>() + nodes + sums + statistics,
        }
    }

    fn check(&self, context: &ForestContext<'_, V::Task>) -> Result<(), InvariantError> {
        self.check_shape(context.samples, V::Task::width(&context.outputs))
    }
}
