//! The tree as a forest's tree.

use forest_core::{
    FeatureValues, Footprint, ForestContext, ForgetTree, Forgetting, IdRemap, InvariantError,
    OnlineTree, RetentionMask, SampleId, Schema, Supports, TreeRng, Weights,
};

use super::ReadingTree;
use crate::tree::{Kind, Parts, Tree, either};
use crate::{DynamicSettings, Labels, votes};

/// Gains and predictions weight samples; limits on the number of samples count them.
impl<T: Labels> Supports<Weights> for ReadingTree<T> {}

impl<T: Labels> ForgetTree for ReadingTree<T> {
    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| {
                growth.forget(root, id);
            });
        });
    }
}

impl<T: Labels> OnlineTree for ReadingTree<T> {
    type Task = T;
    type Settings = DynamicSettings;

    const FEATURE_VALUES: FeatureValues = FeatureValues::NumbersAndCategories;

    fn build(_: usize, _: usize, _: &Schema<T>, _: &DynamicSettings) -> Self {
        let (seed, parts) = (None, Parts::default());
        Self(Kind::Plain(Tree { seed, parts }))
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        either!(&mut self.0, tree => if tree.seed.is_none() {
            let seed = rng.bits();
            (tree.seed, tree.parts.silence) = (Some(seed), T::silence(seed));
        });
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

    /// Makes a share of the samples silent: `share`, from 0 to 1, of all.
    fn refine_to(&mut self, share: f64, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        either!(&mut self.0, tree => {
            let (before, has_seed) = (tree.parts.silence, tree.seed.is_some());
            let after = before.with_share(share);
            if has_seed && before != after {
                tree.change(context.samples, context.settings, |growth, root| {
                    growth.silence(root, after, after.is_more_than(before));
                });
            }
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
        self.read(features, None, context.samples, accumulator);
    }

    fn accumulator_width(outputs: &T::Outputs) -> usize {
        Self::full_width(outputs)
    }

    /// A prediction for each of [`ReadingTree::SIZES`].
    fn full_width(outputs: &T::Outputs) -> usize {
        Self::SIZES.len() * T::width(outputs)
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
