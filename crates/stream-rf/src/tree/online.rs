//! The stream-partitioned tree as a tree of a forest: what the contract asks of it.

use forest_core::{
    Arena, Footprint, ForestContext, HoldsNone, InvariantError, OnlineTree, SampleId, Schema,
    TreeRng,
};

use super::{Leaf, LeafState, StreamTree};
use crate::FeatureSpace;
use crate::labels::{Labels, Work};
use crate::nodes::{LeafId, Nodes};
use crate::queue::Queue;
use crate::rows::Rows;
use crate::settings::StreamSettings;

impl<T: Labels, S: FeatureSpace> OnlineTree for StreamTree<T, S> {
    type Task = T;
    type Settings = StreamSettings<S>;
    type Forgets = HoldsNone;

    /// One leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn build(_: usize, _: usize, schema: &Schema<T>, _: &StreamSettings<S>) -> Self {
        let cells = T::cells(&schema.outputs());
        let root = Leaf {
            depth: 0,
            state: LeafState::Waiting,
            estimation_points: 0,
            created: 0.0,
            failed: 0,
        };
        let mut queue = Queue::default();
        queue.push(LeafId(0), 0.0);
        Self {
            nodes: Nodes::root(),
            leaves: vec![root].into(),
            estimation_labels: Rows::one(cells),
            structure_labels: Rows::one(cells),
            fringe: Arena::default(),
            queue,
            clock: 0,
            row_key: None,
            work: Work::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let sample = (context.samples.features(id), context.samples.target(id));
        let stream = self.stream_of(sample.0, context.settings.streams, rng);
        if self.fringe.is_empty() {
            self.fill(context, rng);
        }
        self.take(stream, sample, context, rng);
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
        accumulator.fill(0.0);
        T::cast(
            self.estimation_labels.row(leaf.index()),
            context.settings.vote,
            accumulator,
        );
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
