//! The tree as a tree of a forest.

use std::sync::Arc;

use forest_core::{
    Ability, ExportedTree, FeatureValues, Footprint, ForestContext, IdRemap, InvariantError,
    OnlineTree, Proceed, RetentionMask, Rows, SampleId, Schema, SettingError, Settings, Task,
    TreeRng, accumulate,
};

use crate::grow::Growth;
use crate::hash::NodeKey;
use crate::nodes::Link;
use crate::samples::{Place, Scratch};
use crate::statistics::Statistics;
use crate::tree::{DynamicTree, TargetOf, Variant};
use crate::{DynamicSettings, Labels, votes};

type ContextOf<'a, V> = ForestContext<'a, <V as Variant>::Task>;

impl<V: Variant> DynamicTree<V> {
    /// Changes the tree with the working memory of the thread.
    fn change(&mut self, context: &ContextOf<'_, V>, work: impl FnOnce(&mut Growth<'_, V>)) {
        let width = context.samples.width();
        let settings = context.settings::<DynamicSettings>();
        let root = Place {
            link: Link::Root,
            key: NodeKey::root(self.seed.expect("drawn before the first sample")),
        };
        Scratch::lent(|scratch| {
            scratch.set.begin(self.is_weighted);
            scratch.search.order.fit(width);
            work(&mut Growth {
                tree: self,
                store: context.samples,
                scratch,
                root,
                rules: settings.rules(V::candidates(width)),
            });
        });
    }
}

impl<V: Variant> OnlineTree for DynamicTree<V> {
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
        Self {
            silence: V::silence(index),
            ..Self::default()
        }
    }

    fn learn(&mut self, id: SampleId, context: &ContextOf<'_, V>, rng: &mut TreeRng) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context, |growth| growth.learn(id));
    }

    fn look_ahead(&mut self, ids: &[SampleId], context: &ContextOf<'_, V>) {
        votes::walk_ahead(self, ids, context.samples);
    }

    /// Builds the batch tree of the samples, which equals the tree that learns them one by one if `recheck` is 0.
    fn learn_first(
        &mut self,
        ids: &[SampleId],
        context: &ContextOf<'_, V>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context, |growth| growth.grow_all(ids, proceed));
    }

    /// Makes a share of the samples silent, if this tree can have silent samples.
    fn refine_to(&mut self, share: f64, context: &ContextOf<'_, V>, _: &mut TreeRng) {
        let silence = self.silence.with_share(share);
        if self.seed.is_none() {
            self.silence = silence;
        } else if silence != self.silence {
            self.change(context, |growth| growth.silence(silence));
        }
    }

    fn forget(&mut self, id: SampleId, context: &ContextOf<'_, V>, _: &mut TreeRng) {
        self.change(context, |growth| growth.forget(id));
    }

    fn retarget(&mut self, changes: &[(SampleId, TargetOf<V>)], context: &ContextOf<'_, V>) {
        self.change(context, |growth| growth.retarget(changes));
    }

    fn widened(
        &self,
        settings: &Arc<dyn Settings<V::Task>>,
        _: usize,
    ) -> Result<Arc<dyn Settings<V::Task>>, SettingError> {
        Ok(settings.clone())
    }

    /// With another number of features a node has other candidates. So an exact tree is rebuilt, `O(n·K·log n)`; a lazy
    /// one keeps its splits until they are reconsidered.
    fn widen(&mut self, _: usize, context: &ContextOf<'_, V>) {
        if context.settings::<DynamicSettings>().recheck == 0.0 && !context.samples.is_empty() {
            let ids: Vec<_> = context.samples.ids().collect();
            self.change(context, |growth| growth.grow_all(&ids, || true));
        }
    }

    fn export(&self, context: &ContextOf<'_, V>) -> Option<ExportedTree> {
        Some(self.exported(context))
    }

    fn vote(&self, x: &[f32], context: &ContextOf<'_, V>, accumulator: &mut [f64]) {
        V::vote(self, x, context.samples, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ContextOf<'_, V>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        if V::READINGS == 1 {
            return votes::add_votes(self, rows, context.samples, accumulator, sums);
        }
        // Before the first class there is nothing to add to.
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

    fn check(&self, context: &ContextOf<'_, V>) -> Result<(), InvariantError> {
        self.check_shape(context.samples, V::Task::width(&context.outputs))
    }
}
