//! Regression: means that drift along the path (Lakshminarayanan, Roy, Teh 2016, section 3).
//!
//! | paper | here |
//! |---|---|
//! | μ_ε, above the root | the mean of the targets |
//! | μ_j given μ_parent ~ N(μ_parent, φ·(σ(slope·T_j) − σ(slope·t_parent))), σ the logistic function | `Hyperparameters::variance` |
//! | y given its leaf ~ N(μ_leaf, noise) | `Hyperparameters::noise` |
//! | upward message of j to its parent: the product of its children's, spread by j's variance | [`Belief::and`], [`Belief::spread`] |
//! | downward message to j: the parent's × the sibling's upward message, spread by j's variance | [`LabelModel::predict`] |
//!
//! A node keeps the product of its children's messages, *before* its own variance is added: so it stays as it is
//! when another parent is put above it. A new or forgotten sample changes what is kept on its path alone, `O(depth)`.
//!
//! A point that branches off above node j at time t has a parent whose mean lies between those of j and of
//! j's parent: N(μ_parent, φ·(σ(t) − σ(t_parent))) from above, what j keeps spread by φ·(σ(T_j) − σ(t)) from below, and then a
//! leaf of its own. Given t this is exact; over t it is averaged by quadrature.
//!
//! # Hyper-parameters
//!
//! Mean, φ, noise and slope follow from all samples ([`HyperparameterRule`]) and are frozen in between: they are
//! chosen again, and everything is computed again, when as many samples have come or gone as were held the
//! last time. That is `O(1)` a sample. So the model [can forget](ForgetLabels): given the hyper-parameters its predictions
//! are those of a tree that never held the sample; the hyper-parameters follow at the next time.
//!
//! # Scale
//!
//! [`HyperparameterRule::LeaveOneOut`] also scales φ and the noise, which leaves all means as they are, so that the expected square
//! error of a sample, given all others and its place in the tree, is what it was found to be. Inserting is
//! independent of the order, so a sample's place in the tree is a draw of the place where it branches off.
//!
//! # Deviations
//!
//! - The authors' code sends a variance where the root's message has a precision, and leaves a child's own
//!   variance out of the message down to it. Here messages are exact: a test compares with a dense solve.
//! - The default hyper-parameters are those of most evidence, scaled by leave-one-out errors, and the forest's
//!   variance is that of its mean ([`Combination`]): the paper's choices are there by name, and cover too much
//!   (`cargo xtask-all reproduce mondrian/calibration`).
//! - The code adds the variance at the mean branching time to the moments of node j; here see above.
//! - Leaves live without end, whatever the budget; with the paper's infinite budget it is the same.

mod hyper;
mod moments;
mod prediction;
mod survey;

use crate::{
    CutDistribution, ForgetLabels, InnerNode, Joined, LabelContext, LabelModel, LeafId, MadeNode,
    NodeId, Path, Place, Step, Subtree, TessellationTree,
};
use forest_core::registry::{Intervals, Labels, NumberLabels};
use forest_core::{Arena, Forest, Forgetting, Regression, SampleId};
use serde::{Deserialize, Serialize};

use super::{Boxes, set};
use hyper::{LEAF_LEVEL, ROOT_LEVEL};
use moments::Moments;

pub use hyper::{HyperparameterRule, Hyperparameters};
pub use moments::Belief;
pub use prediction::Combination;

/// The hierarchical Gaussian. Predicts the mean and the variance of a new
/// target, its noise included.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GaussianHierarchy {
    nodes: Arena<Node>,
    leaves: Arena<Moments>,
    hyper: Hyperparameters,
    /// Samples that came or went since the last survey, and samples held then.
    changes: usize,
    surveyed: usize,
    /// The noise as a share of the variance of the targets.
    share: f64,
    boxes: Boxes,
}

/// Parameters of [`GaussianHierarchy`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaussianSettings {
    /// How the hyper-parameters are chosen.
    pub hyperparameters: HyperparameterRule,
    /// How the trees' variances are combined.
    pub combination: Combination,
}

/// What a node keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Node {
    /// What its samples say about its mean.
    own: Belief,
    /// σ(slope·T).
    level: f64,
}

impl GaussianHierarchy {
    fn node(&self, subtree: Subtree, context: LabelContext<'_, Self>) -> Node {
        let (mean, count) = match subtree {
            Subtree::Inner(node) => return self.nodes[node.index()],
            Subtree::Leaf(leaf) => {
                let leaf = self.leaves[leaf.index()];
                (leaf.mean, leaf.count)
            }
            Subtree::Sample(id) => (context.samples.target(id), 1.0),
        };
        Node {
            own: Belief {
                mean,
                // The mean of `count` targets, each with noise of its own.
                variance: self.hyper.noise / count,
            },
            level: LEAF_LEVEL,
        }
    }

    /// Returns the message of a subtree to its parent, whose level is `above`.
    #[inline]
    fn message(&self, subtree: Subtree, above: f64, context: LabelContext<'_, Self>) -> Belief {
        let Node { own, level } = self.node(subtree, context);
        own.spread(self.hyper.variance(above, level))
    }

    /// Computes again what a node keeps, from what its children pass to it, and returns the latter.
    fn combine(
        &mut self,
        node: NodeId,
        level: f64,
        children: [Subtree; 2],
        context: LabelContext<'_, Self>,
    ) -> [Belief; 2] {
        let [a, b] = children.map(|child| self.message(child, level, context));
        self.nodes[node.index()] = Node {
            own: a.and(b),
            level,
        };
        [a, b]
    }

    fn make(
        &mut self,
        node: NodeId,
        time: f64,
        children: [Subtree; 2],
        context: LabelContext<'_, Self>,
    ) {
        // A place to write to; what a former node left there is gone.
        set(&mut self.nodes, node.index(), Node::default());
        self.combine(node, self.hyper.level(time), children, context);
    }

    /// Something changed at the end of a path: all above follows.
    fn ascend(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        mut below: Subtree,
        context: LabelContext<'_, Self>,
    ) {
        for step in path.rev() {
            let before = self.nodes[step.node.index()];
            // The level is that of the cut time, which a node keeps for good.
            self.combine(step.node, before.level, [below, step.sibling], context);
            // The same bits below give the same bits above.
            if self.nodes[step.node.index()] == before {
                break;
            }
            below = Subtree::Inner(step.node);
        }
    }

    /// Returns the hyperparameters in use.
    pub fn hyperparameters(&self) -> Hyperparameters {
        self.hyper
    }

    /// Returns the boxes of the nodes.
    pub fn boxes(&self) -> &Boxes {
        &self.boxes
    }
}

impl LabelModel for GaussianHierarchy {
    type Task = Regression;
    type Settings = GaussianSettings;

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId> + Clone,
        context: LabelContext<'_, Self>,
    ) {
        let targets = samples.clone().map(|id| context.samples.target(id));
        set(&mut self.leaves, leaf.index(), Moments::of(targets));
        self.boxes.leaf_made(leaf, samples, context.samples);
    }

    fn joined(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step> + Clone,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        let target = context.samples.target(id);
        let below = match end {
            Joined::Leaf(leaf) => {
                self.leaves[leaf.index()].add(Moments::of_one(target));
                Subtree::Leaf(leaf)
            }
            Joined::Alone {
                node,
                time,
                sibling,
            } => {
                self.make(node, time, [sibling, Subtree::Sample(id)], context);
                Subtree::Inner(node)
            }
        };
        self.ascend(path.clone(), below, context);
        self.boxes.joined(path, end, id, context.samples);
        // Equal targets leave nothing to choose from: the first other one asks for a survey at once.
        if self.hyper.is_flat() && target != self.hyper.mean {
            self.surveyed = 0;
        }
    }

    fn node_made(&mut self, made: MadeNode<'_>, context: LabelContext<'_, Self>) {
        self.make(made.node, made.time, made.children, context);
        self.boxes
            .node_made(made.node, made.children, context.samples);
    }

    fn leaf_cut(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        node: NodeId,
        context: LabelContext<'_, Self>,
    ) {
        self.ascend(path, Subtree::Inner(node), context);
    }

    fn survey(
        &mut self,
        held: usize,
        nodes: impl FnOnce() -> Vec<InnerNode>,
        root: Option<Subtree>,
        context: LabelContext<'_, Self>,
    ) {
        self.changes = self.changes.saturating_add(1);
        // A survey is O(samples): one per doubling is O(1) a sample.
        let due = held > 0 && self.changes >= self.surveyed;
        if let (true, Some(root)) = (due, root) {
            (self.changes, self.surveyed) = (0, held);
            self.choose(&nodes(), root, context);
        }
    }

    fn width((): &()) -> usize {
        prediction::WIDTH
    }

    fn full_width((): &()) -> usize {
        2
    }

    fn finish(sum: &[f64], trees: usize, prediction: &mut [f64]) {
        prediction::finish(sum, trees, prediction);
    }

    fn predict<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        self.cast(self.at(path, context), context, accumulator);
    }

    fn widen(&mut self, features: usize) {
        self.boxes.widen(features);
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.leaves.bytes() + self.boxes.bytes()
    }

    fn is_shaped(
        &self,
        leaves: impl Iterator<Item = LeafId> + Clone,
        nodes: impl Iterator<Item = NodeId> + Clone,
        features: usize,
        (): &(),
    ) -> bool {
        leaves.clone().all(|leaf| leaf.index() < self.leaves.len())
            && nodes.clone().all(|node| node.index() < self.nodes.len())
            && self.boxes.is_shaped(leaves, nodes, features)
    }

    fn forgetting<D: CutDistribution>() -> Option<Forgetting<TessellationTree<D, Self>>> {
        Some(Forgetting::by_trees())
    }

    fn predict_in(
        &self,
        way: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        self.cast(self.inside(way, leaf, context), context, accumulator);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut NumberLabels) {
        let Moments { mean, count, .. } = self.leaves[leaf.index()];
        sum.add(mean, count as u64);
    }

    fn as_intervals<D: CutDistribution>(
        forest: &Forest<TessellationTree<D, Self>>,
    ) -> Option<&dyn Intervals> {
        Some(forest)
    }
}

impl ForgetLabels for GaussianHierarchy {
    /// Computes the leaf again: running moments would keep the rounding errors of targets that left.
    fn leaf_left(
        &mut self,
        leaf: LeafId,
        _: SampleId,
        samples: impl Iterator<Item = SampleId> + Clone,
        context: LabelContext<'_, Self>,
    ) {
        self.leaf_made(leaf, samples, context);
    }

    fn path_left(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step> + Clone,
        below: Subtree,
        _: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        self.ascend(path.clone(), below, context);
        self.boxes.path_left(path, below, context.samples);
    }
}

impl GaussianHierarchy {
    fn cast(&self, belief: Belief, context: LabelContext<'_, Self>, accumulator: &mut [f64]) {
        // Moments about the mean of the targets: squares of targets far from 0 would cancel.
        let (origin, combination) = (self.hyper.mean, context.settings.combination);
        prediction::cast(belief, origin, combination, accumulator);
    }
}
