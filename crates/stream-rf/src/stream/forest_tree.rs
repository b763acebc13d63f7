//! The stream-partitioned tree as a tree of a forest.

use forest_core::{
    Arena, Footprint, ForestContext, HoldsNone, InvariantError, OnlineTree, SampleId, Schema,
    TreeRng,
};

use super::leaf::Leaf;
use super::queue::Queue;
use super::tree::StreamTree;
use crate::features::FeatureSpace;
use crate::label_rows::LabelRows;
use crate::labels::Labels;
use crate::nodes::Nodes;
use crate::settings::StreamSettings;
use crate::split_statistics::Scratch;

impl<T: Labels, S: FeatureSpace> OnlineTree for StreamTree<T, S> {
    type Task = T;
    type Settings = StreamSettings<S>;
    type Forgets = HoldsNone;

    /// One leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn build(_: usize, _: usize, schema: &Schema<T>, _: &StreamSettings<S>) -> Self {
        let cells = T::cells(&schema.outputs());
        Self {
            nodes: Nodes::root(),
            leaves: vec![Leaf::root()].into(),
            estimation_labels: LabelRows::one(cells),
            structure_labels: LabelRows::one(cells),
            fringe: Arena::default(),
            queue: Queue::of_root(),
            estimation_points: 0,
            row_key: None,
            scratch: Scratch::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let sample = (context.samples.features(id), context.samples.target(id));
        self.learn_sample(sample, context, rng);
    }

    fn forget(
        &mut self,
        _: SampleId,
        _: &ForestContext<'_, Self>,
        _: &mut TreeRng,
        proof: HoldsNone,
    ) {
        match proof {}
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        let (_, leaf) = self.nodes.find(&context.settings.features, features);
        let labels = self.estimation_labels.row(leaf.index());
        T::vote(labels, context.settings.vote, accumulator);
    }

    fn accumulator_width(outputs: &T::Outputs) -> usize {
        <T as Labels>::accumulator_width(outputs)
    }

    fn finish(accumulator: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::finish(accumulator, prediction);
    }

    fn footprint(&self) -> Footprint {
        let statistics = self.fringe.iter().map(|active| active.bytes());
        let labels = self.estimation_labels.bytes() + self.structure_labels.bytes();
        let leaves = self.leaves.bytes() + self.queue.bytes() + labels;
        let fringe = self.fringe.bytes() + statistics.sum::<usize>();
        Footprint {
            nodes: self.nodes.len(),
            stored_samples: 0,
            bytes: size_of::<Self>() + self.nodes.bytes() + leaves + fringe,
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(context)
    }
}
