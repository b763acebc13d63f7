//! The tree as a forest's tree.

use forest_core::{
    ClassSpace, Classification, FeatureValues, Footprint, ForestContext, ForgetTree, Forgetting,
    IdRemap, InvariantError, OnlineTree, RetentionMask, SampleId, Schema, Task, TreeRng,
};

use super::ReadingTree;
use crate::DynamicSettings;
use crate::tree::{Parts, Tree};

impl ForgetTree for ReadingTree {
    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        self.0
            .change(context.samples, context.settings, |growth, root| {
                growth.forget(root, id);
            });
    }
}

impl OnlineTree for ReadingTree {
    type Task = Classification;
    type Settings = DynamicSettings;

    const FEATURE_VALUES: FeatureValues = FeatureValues::NumbersAndCategories;

    fn build(_: usize, _: usize, _: &Schema<Classification>, _: &DynamicSettings) -> Self {
        let (seed, parts) = (None, Parts::default());
        Self(Tree { seed, parts })
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        self.0.seed.get_or_insert_with(|| rng.bits());
        self.0
            .change(context.samples, context.settings, |growth, root| {
                growth.learn(root, id);
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
        self.read(features, context.samples, accumulator);
    }

    fn accumulator_width(classes: &ClassSpace) -> usize {
        Self::full_width(classes)
    }

    /// A row of classes for each of [`ReadingTree::SIZES`].
    fn full_width(classes: &ClassSpace) -> usize {
        Self::SIZES.len() * Classification::width(classes)
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        self.0.remap(names);
    }

    fn footprint(&self) -> Footprint {
        self.0.footprint(size_of::<Self>())
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.0.check_parts(context.samples, context.settings)
    }
}
