//! The stream-partitioned tree.

mod active;
mod fringe;

use forest_core::{
    Arena, Footprint, ForestContext, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidate;
use crate::features::Feature;
use crate::label_rows::LabelRows;
use crate::labels::Labels;
use crate::nodes::{LeafId, Node, Nodes};
use crate::settings::StreamSettings;
use crate::split_search::Scratch;
use active::{ActiveLeaf, Decision};
use fringe::Queue;

/// A tree whose partition is shaped by structure points and whose leaves predict with estimation
/// points (Algorithm 1).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamTree<T: Labels> {
    nodes: Nodes,
    leaves: Arena<Leaf>,
    /// Yᵉ of each leaf: the labels of its estimation points.
    estimation_labels: LabelRows<T::Cell>,
    /// The labels of its structure points.
    structure_labels: LabelRows<T::Cell>,
    /// The active leaves.
    fringe: Arena<ActiveLeaf<T>>,
    /// The leaves that wait to become active.
    queue: Queue,
    /// Estimation points that the tree has received.
    estimation_points: u64,
    #[serde(skip)]
    scratch: Scratch<T>,
}

/// What is known of a leaf besides its labels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Leaf {
    depth: u32,
    state: LeafState,
    /// Nᵉ: estimation points counted in its lifetime.
    estimation_points: u64,
    /// How many estimation points the tree had when the leaf began to count.
    created: f64,
    /// How often it was active and given up, since no candidate split became valid.
    failed: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum LeafState {
    /// At a place of the fringe.
    Active(u32),
    /// In the queue, with an upper bound of ŝ.
    Waiting(f64),
}

impl Leaf {
    /// p̂: the share of the tree's estimation points that reach the leaf.
    fn share(&self, tree_points: u64) -> f64 {
        self.estimation_points as f64 / (tree_points as f64 - self.created)
    }

    /// Returns a child with `estimation_points` of the `counted` estimation points that its candidate split
    /// had counted when the tree had `tree_points`.
    ///
    /// The candidate split has counted only some of the leaf's points, and p̂ of the children must add
    /// up to p̂ of the parent. So the time of their creation is set back to where a leaf with the
    /// parent's p̂ would have received as many points.
    fn child(&self, estimation_points: u64, counted: u64, tree_points: u64) -> Self {
        let lifetime = tree_points as f64 - self.created;
        let share = counted as f64 / self.estimation_points as f64;
        Self {
            depth: self.depth + 1,
            // A placeholder: a child waits next, which sets its state.
            state: self.state,
            estimation_points,
            created: tree_points as f64 - share * lifetime,
            failed: 0,
        }
    }
}

impl<T: Labels> OnlineTree for StreamTree<T> {
    type Task = T;
    type Settings = StreamSettings;
    const HOLDS_SAMPLES: bool = false;

    /// Creates one leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn build(_: usize, schema: &Schema<T>, _: &StreamSettings) -> Self {
        let width = T::width(&schema.outputs());
        let root = Leaf {
            depth: 0,
            state: LeafState::Waiting(0.0),
            estimation_points: 0,
            created: 0.0,
            failed: 0,
        };
        Self {
            nodes: Nodes::root(),
            leaves: vec![root].into(),
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
        // `I_t`. First, whatever the tree looks like: the streams must be independent of it.
        let shapes = rng.uniform() < context.settings.structure;
        if self.fringe.is_empty() {
            self.fill_fringe(context, rng);
        }
        let width = T::width(&context.outputs);
        // Both, although one of them gets the label: a split adds cells of either stream, as wide as the prediction.
        self.estimation_labels.widen(width);
        self.structure_labels.widen(width);
        if shapes {
            self.learn_structure(point, target, context, rng);
        } else {
            self.learn_estimation(point, target, context);
        }
    }

    fn vote(&self, features: &[f32], context: &ForestContext<'_, Self>, accumulator: &mut [f64]) {
        let (_, leaf) = self.nodes.find(features);
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

    /// Checks the shape, of a tree that was decoded: a record for each leaf, places and candidates that there are.
    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let depths = self.nodes.check(width)?;
        let (count, all) = (depths.len(), self.estimation_points);
        let fits = self.leaves.len() == count
            && self.estimation_labels.fits(count)
            && self.structure_labels.fits(count)
            && self.queue.is_of(count)
            && all < 1 << 53;
        InvariantError::require(fits, "leaves", "not one record for each")?;
        for (index, (leaf, depth)) in self.leaves.iter().zip(depths).enumerate() {
            let placed = match leaf.state {
                LeafState::Active(place) => (place as usize) < self.fringe.len(),
                LeafState::Waiting(_) => true,
            };
            let sound = leaf.depth == depth && leaf.estimation_points <= all && placed;
            let what = "an impossible depth, age or place";
            InvariantError::require(sound, format_args!("leaf {index}"), what)?;
        }
        let mut active = self.fringe.iter();
        active.try_for_each(|active| active.check(width, &context.outputs))
    }
}

/// One point: Algorithms 1 and 2.
impl<T: Labels> StreamTree<T> {
    /// `I_t` = estimation: it votes in its leaf, and is counted on a side of each candidate split.
    fn learn_estimation(
        &mut self,
        point: &[f32],
        target: T::Target,
        context: &ForestContext<'_, Self>,
    ) {
        let (_, leaf) = self.nodes.find(point);
        self.estimation_points += 1;
        self.leaves[leaf.index()].estimation_points += 1;
        T::add(self.estimation_labels.row_mut(leaf.index()), target, 1);
        match self.leaves[leaf.index()].state {
            LeafState::Active(place) => {
                self.fringe[place as usize].add_estimation(point, target, &mut self.scratch);
            }
            LeafState::Waiting(bound) => self.raise(leaf, bound, context),
        }
    }

    /// `I_t` = structure: it shapes the candidate splits of its leaf, and may have it split.
    fn learn_structure(
        &mut self,
        point: &[f32],
        target: T::Target,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let scratch = &mut self.scratch;
        let (node, leaf) = self.nodes.find(point);
        T::add(self.structure_labels.row_mut(leaf.index()), target, 1);
        let known = &self.leaves[leaf.index()];
        let place = match known.state {
            LeafState::Active(place) => place,
            LeafState::Waiting(bound) => return self.raise(leaf, bound, context),
        };
        let active = &mut self.fringe[place as usize];
        active.add_structure(point, target, scratch);
        match active.decide(known.estimation_points, context.settings.tau, scratch) {
            Decision::Wait => return,
            Decision::Split(candidate) => self.split(node, leaf, place, candidate),
            Decision::GiveUp => self.give_up(leaf),
        }
        self.refill_fringe(place, context, rng);
    }

    /// Algorithm 2: the leaf becomes a split; its children start with the points that their
    /// candidates have counted, and wait.
    fn split(&mut self, node: usize, leaf: LeafId, place: u32, at: Candidate) {
        let active = &self.fringe[place as usize];
        let candidates = &active.search.candidates;
        let right_leaf = self.nodes.split(node, leaf, candidates.split(at));
        let structure = &active.search.statistics;
        structure.add_sides(candidates, at, self.structure_labels.split(leaf.index()));
        let rows = self.estimation_labels.split(leaf.index());
        let [left, right] = active.estimation.add_sides(candidates, at, rows);
        let parent = self.leaves[leaf.index()];
        let child = |points| parent.child(points, left + right, self.estimation_points);
        self.leaves[leaf.index()] = child(left);
        self.leaves.push(child(right));
        self.wait(leaf);
        self.wait(right_leaf);
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeView {
    /// A point goes right if its feature exceeds the threshold.
    Split {
        /// The feature that is compared with the threshold.
        feature: Feature,
        /// The largest value that goes left.
        threshold: f32,
        /// The child for values up to the threshold, by its index among the nodes; that for values beyond it follows.
        left: usize,
    },
    /// A cell of the partition.
    Leaf {
        /// Splits above it.
        depth: u32,
        /// Nᵉ: estimation points it predicts with.
        estimation_points: u64,
        /// Whether it collects statistics about candidate splits.
        is_active: bool,
    },
}

/// Read-only inspection.
impl<T: Labels> StreamTree<T> {
    /// Returns all nodes in the order they were made, the root first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeView> {
        (0..self.nodes.len()).map(|index| self.node(index))
    }

    /// Returns the node whose cell holds `point`, a leaf.
    pub fn leaf_of(&self, point: &[f32]) -> NodeView {
        self.node(self.nodes.find(point).0)
    }

    fn node(&self, index: usize) -> NodeView {
        match self.nodes.get(index) {
            Node::Leaf(leaf) => {
                let leaf = &self.leaves[leaf.index()];
                NodeView::Leaf {
                    depth: leaf.depth,
                    estimation_points: leaf.estimation_points,
                    is_active: matches!(leaf.state, LeafState::Active(_)),
                }
            }
            Node::Split {
                feature,
                threshold,
                left,
            } => NodeView::Split {
                feature: self.nodes.feature(feature),
                threshold,
                left: left as usize,
            },
        }
    }
}
