//! The stream-partitioned tree as a tree of a forest: what the contract asks of it.

use forest_core::{
    CannotForget, Footprint, Ground, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};

use super::{Leaf, Standing, StreamTree};
use crate::FeatureSpace;
use crate::labels::{Labels, Work};
use crate::nodes::{LeafId, Nodes};
use crate::queue::Queue;
use crate::rows::Rows;
use crate::settings::StreamSettings;

impl<T: Labels, S: FeatureSpace> OnlineTree for StreamTree<T, S> {
    type Task = T;
    type Settings = StreamSettings<S>;
    type Forgets = CannotForget;

    /// One leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn plant(_: usize, _: usize, schema: &Schema<T>, _: &StreamSettings<S>) -> Self {
        let cells = T::cells(&schema.outputs());
        let root = Leaf {
            depth: 0,
            standing: Standing::Waiting,
            voters: 0,
            born: 0.0,
        };
        let mut queue = Queue::default();
        queue.push(LeafId(0), 0.0);
        Self {
            nodes: Nodes::root(),
            leaves: vec![root],
            votes: Rows::one(cells),
            doubts: Rows::one(cells),
            fringe: Vec::new(),
            queue,
            clock: 0,
            work: Work::default(),
        }
    }

    /// The first draw of a sample decides its stream, whatever the tree and the sample are.
    fn learn(&mut self, id: SampleId, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        let stream = ground.settings.streams.draw(rng);
        if self.fringe.is_empty() {
            self.fill(ground, rng);
        }
        let sample = (ground.samples.features(id), ground.samples.target(id));
        self.take(stream, sample, ground, rng);
    }

    fn forget(&mut self, _: SampleId, _: &Ground<'_, Self>, _: &mut TreeRng, proof: CannotForget) {
        match proof {}
    }

    fn vote(&self, features: &[f32], ground: &Ground<'_, Self>, _: &TreeRng, ballot: &mut [f64]) {
        let (_, leaf) = self.nodes.find(&ground.settings.features, features);
        ballot.fill(0.0);
        T::cast(self.votes.row(leaf.index()), ground.settings.vote, ballot);
    }

    fn ballot_width(outputs: &T::Outputs) -> usize {
        <T as Labels>::ballot_width(outputs)
    }

    fn tally(ballot: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::tally(ballot, prediction);
    }

    fn footprint(&self) -> Footprint {
        let active: usize = self.fringe.iter().map(|active| active.bytes()).sum();
        let leaves = size_of_val(self.leaves.as_slice()) + self.votes.bytes() + self.doubts.bytes();
        Footprint {
            nodes: self.nodes.len(),
            stored_samples: 0,
            bytes: size_of::<Self>() + self.nodes.bytes() + leaves + active + self.queue.bytes(),
        }
    }

    fn check(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(ground)
    }
}
