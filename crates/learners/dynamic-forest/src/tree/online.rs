//! The tree as a forest's tree.

use forest_core::{
    FeatureValues, Footprint, ForestContext, ForgetTree, Forgetting, IdRemap, InvariantError,
    OnlineTree, Proceed, RetentionMask, Rows, SampleId, Schema, TreeRng,
};

use super::{DynamicTree, either};
use crate::{DynamicSettings, Labels, votes};

impl<T: Labels> ForgetTree for DynamicTree<T> {
    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| {
                growth.forget(root, id);
            });
        });
    }
}

impl<T: Labels> OnlineTree for DynamicTree<T> {
    type Task = T;
    type Settings = DynamicSettings;

    const FEATURE_VALUES: FeatureValues = FeatureValues::NumbersAndCategories;

    fn build(_: usize, _: usize, _: &Schema<T>, _: &DynamicSettings) -> Self {
        Self::new(None)
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        either!(&mut self.0, tree => tree.seed.get_or_insert_with(|| rng.bits()));
        self.0.prepare(id, context.samples, context.settings);
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| {
                growth.learn(root, id);
            });
        });
    }

    fn look_ahead(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        context: &ForestContext<'_, Self>,
    ) {
        either!(&self.0, tree => votes::walk_ahead(&tree.parts, ids, context.samples));
    }

    /// The batch tree of the samples. With `recheck` = 0 it equals the tree that learns them one after another; otherwise its cuts are those of all
    /// samples, where learned one by one they lag behind by up to this share.
    fn learn_first(
        &mut self,
        ids: impl Iterator<Item = SampleId> + Clone,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        either!(&mut self.0, tree => tree.seed.get_or_insert_with(|| rng.bits()));
        ids.clone()
            .for_each(|id| self.0.prepare(id, context.samples, context.settings));
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| {
                growth.grow_all(root, ids, proceed);
            });
        });
    }

    fn forgetting() -> Option<Forgetting<Self>> {
        Some(Forgetting::by_trees())
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        either!(&self.0, tree => {
            votes::vote(&tree.parts, features, context.samples, accumulator);
        });
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        either!(&self.0, tree => {
            votes::add_votes(&tree.parts, rows, context.samples, accumulator, sums);
        });
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        either!(&mut self.0, tree => tree.remap(names));
    }

    fn footprint(&self) -> Footprint {
        either!(&self.0, tree => tree.footprint(size_of::<Self>()))
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.0.check_parts(context.samples, context.settings)
    }
}
