//! The stream-partitioned tree.

mod active;
mod check;
mod fringe;
mod leaf;
mod learn;
mod queue;
mod view;

use forest_core::{
    Arena, Footprint, ForestContext, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::features::{Axes, FeatureSpace};
use crate::label_rows::LabelRows;
use crate::labels::Labels;
use crate::nodes::Nodes;
use crate::settings::{PointRole, StreamSettings};
use crate::split_statistics::Scratch;
use active::ActiveLeaf;
use leaf::Leaf;
use queue::Queue;

pub use view::NodeView;

/// A tree whose partition is shaped by structure points and whose leaves predict with estimation
/// points (Algorithm 1).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamTree<T: Labels, S: FeatureSpace = Axes> {
    nodes: Nodes<S>,
    leaves: Arena<Leaf>,
    /// Yᵉ of each leaf: the labels of its estimation points.
    estimation_labels: LabelRows<T::Cell>,
    /// The labels of its structure points.
    structure_labels: LabelRows<T::Cell>,
    /// The active leaves.
    fringe: Arena<ActiveLeaf<T, S>>,
    /// The leaves that wait to become active.
    queue: Queue,
    /// Estimation points that the tree has received.
    estimation_points: u64,
    #[serde(skip)]
    scratch: Scratch<T>,
}

impl<T: Labels, S: FeatureSpace> OnlineTree for StreamTree<T, S> {
    type Task = T;
    type Settings = StreamSettings<S>;
    const HOLDS_SAMPLES: bool = false;

    /// Creates one leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn build(_: usize, _: usize, schema: &Schema<T>, _: &StreamSettings<S>) -> Self {
        let width = T::width(&schema.outputs());
        Self {
            nodes: Nodes::root(),
            leaves: vec![Leaf::root()].into(),
            estimation_labels: LabelRows::one(width),
            structure_labels: LabelRows::one(width),
            fringe: Arena::default(),
            queue: Queue::with_root(),
            estimation_points: 0,
            scratch: Scratch::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let (point, target) = (context.samples.features(id), context.samples.target(id));
        // First, whatever the tree looks like: the streams must be independent of it.
        let role = context.settings.streams.role(rng.uniform());
        if self.fringe.is_empty() {
            self.fill_fringe(context, rng);
        }
        let width = T::width(&context.outputs);
        // Both, although one of them gets the label: a split adds cells of either stream, as wide as the prediction.
        self.estimation_labels.widen(width);
        self.structure_labels.widen(width);
        match role {
            PointRole::Structure => self.learn_structure(point, target, context, rng),
            PointRole::Estimation => self.learn_estimation(point, target, context),
            PointRole::Ignored => {}
        }
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

    /// Checks the tree. Every check relies on the ones before it.
    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let depths = self.nodes.check(&context.settings.features, width)?;
        self.check_leaves(&depths, context)?;
        self.check_fringe(context)?;
        self.check_queue(context)
    }
}
