//! The tree as a forest's tree.

use forest_core::{
    CanForget, Footprint, ForestContext, IdRemap, InvariantError, OnlineTree, RetentionMask, Rows,
    SampleId, Schema, TreeRng,
};

use super::{DynamicTree, Parts};
use crate::{DynamicSettings, Labels, votes};

impl<T: Labels> OnlineTree for DynamicTree<T> {
    type Task = T;
    type Settings = DynamicSettings;
    type Forgets = CanForget;

    fn build(_: usize, _: usize, _: &Schema<T>, _: &DynamicSettings) -> Self {
        Self {
            seed: None,
            parts: Parts::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context.samples, context.settings, |growth, root| {
            growth.learn(root, id);
        });
    }

    fn forget(
        &mut self,
        id: SampleId,
        context: &ForestContext<'_, Self>,
        _: &mut TreeRng,
        CanForget: CanForget,
    ) {
        self.change(context.samples, context.settings, |growth, root| {
            growth.forget(root, id);
        });
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        votes::vote(&self.parts, features, context.samples, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        votes::add_votes(&self.parts, rows, context.samples, accumulator, sums);
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        self.parts.nodes.remap(names);
        self.parts.links.remap(names);
    }

    fn footprint(&self) -> Footprint {
        let nodes = self.parts.nodes.used();
        let bytes = size_of::<Self>() + self.parts.bytes();
        Footprint {
            nodes,
            stored_samples: 0,
            bytes,
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.check_parts(context.samples, context.settings)
    }
}
