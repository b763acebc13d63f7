//! Regression: means that drift along the path (Lakshminarayanan, Roy, Teh 2016, section 3).
//!
//! | paper | here |
//! |---|---|
//! | μ_ε, above the root | the mean of the targets |
//! | μ_j given μ_parent ~ N(μ_parent, φ·(σ(slope·T_j) − σ(slope·t_parent))), σ the logistic function | `Hyperparameters::variance` |
//! | y given its leaf ~ N(μ_leaf, noise) | `Hyperparameters::noise` |
//! | upward message of j to its parent: the product of its children's, spread by j's variance | `Belief::and`, `Belief::spread` |
//! | downward message to j: the parent's × the sibling's upward message, spread by j's variance | `GaussianHierarchy::at` |
//!
//! A node keeps the product of its children's messages, *before* its own variance is added: so it stays as it is
//! when another parent is put above it. A new or forgotten sample changes what is kept on its path alone, `O(depth)`.
//! A point that branches off above node j at time t has a parent whose mean lies between those of j and of j's parent:
//! N(μ_parent, φ·(σ(t) − σ(t_parent))) from above, what j keeps spread by φ·(σ(T_j) − σ(t)) from below, and then a
//! leaf of its own. Given t this is exact; over t it is averaged by quadrature.
//!
//! Mean, φ, noise and slope follow from all samples ([`HyperparameterRule`](crate::HyperparameterRule)): they are
//! chosen, and everything is computed again, when as many samples have come or gone as were held the last time, which
//! is `O(1)` a sample. In between, predictions after a sample is forgotten are those of a tree that never held it.
//! [`LeaveOneOut`](crate::HyperparameterRule::LeaveOneOut) also scales φ and the noise, which changes no mean, so that
//! the expected square error of a sample, given all others and its place in the tree, is what it was found to be: that
//! place is a draw of the place where it branches off, since inserting is independent of the order.
//!
//! Deviations from the paper and from the authors' code, with reasons: `docs/papers/mondrian.md`.

use forest_core::{Arena, LabelSummary, Regression, SampleId};
use serde::{Deserialize, Serialize};

use super::hyperparameters::{Belief, Hyperparameters, Moments};
use super::{Boxes, Numbers, Passage, set};
use crate::{Combination, InnerNode, Joined, LabelModel, LeafId, NodeId, Path, Step, Subtree};

/// The hierarchical Gaussian. Predicts the mean and the variance of a new target, its noise included.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GaussianHierarchy {
    pub(super) nodes: Arena<Node>,
    pub(super) leaves: Arena<Moments>,
    pub(super) hyper: Hyperparameters,
    /// Samples that came or went since the last survey.
    changes: usize,
    /// Samples held at the last survey.
    surveyed: usize,
    /// The noise as a share of the variance of the targets.
    pub(super) share: f64,
    boxes: Boxes,
}

/// What a node keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    /// What its samples say about its mean.
    own: Belief,
    /// σ(slope·T).
    pub(super) level: f64,
}

/// The level of the virtual node above the root.
pub(super) const ROOT_LEVEL: f64 = 0.5;

/// The level of leaves, whose life has no end.
const LEAF_LEVEL: f64 = 1.0;

impl GaussianHierarchy {
    /// Returns what is kept of the targets of a leaf; `None` of an inner node.
    pub(super) fn moments(&self, subtree: Subtree, context: Numbers<'_>) -> Option<Moments> {
        match subtree {
            Subtree::Inner(_) => None,
            Subtree::Leaf(leaf) => Some(self.leaves[leaf.index()]),
            Subtree::Sample(id) => Some(Moments::of_one(context.samples.target(id))),
        }
    }

    pub(super) fn node(&self, subtree: Subtree, context: Numbers<'_>) -> Node {
        let moments = match subtree {
            Subtree::Inner(node) => return self.nodes[node.index()],
            Subtree::Leaf(leaf) => self.leaves[leaf.index()],
            Subtree::Sample(id) => Moments::of_one(context.samples.target(id)),
        };
        let own = Belief {
            mean: moments.mean,
            // Each of the targets has noise of its own.
            variance: self.hyper.noise / moments.count,
        };
        Node {
            own,
            level: LEAF_LEVEL,
        }
    }

    /// Returns the message of a subtree to its parent, whose level is `above`.
    #[inline]
    pub(super) fn message(&self, subtree: Subtree, above: f64, context: Numbers<'_>) -> Belief {
        let Node { own, level } = self.node(subtree, context);
        own.spread(self.hyper.variance(above, level))
    }

    /// Computes again what a node keeps, from what its children pass to it, and returns the latter.
    pub(super) fn combine(
        &mut self,
        node: NodeId,
        level: f64,
        children: [Subtree; 2],
        context: Numbers<'_>,
    ) -> [Belief; 2] {
        let [a, b] = children.map(|child| self.message(child, level, context));
        let own = a.and(b);
        set(&mut self.nodes, node.index(), Node { own, level });
        [a, b]
    }

    /// Computes again what the nodes of a path keep, after a change at its end.
    fn ascend(&mut self, path: &[Step], mut below: Subtree, context: Numbers<'_>) {
        for step in path.iter().rev() {
            let before = self.nodes[step.node().index()];
            // The level is that of the cut time, which a node keeps for good.
            self.combine(step.node(), before.level, [below, step.sibling()], context);
            // The same bits below give the same bits above.
            if self.nodes[step.node().index()] == before {
                break;
            }
            below = Subtree::Inner(step.node());
        }
    }

    /// Returns the tree's prediction at the point of `path`: mean and variance of a new target. Messages go down the
    /// path, and predictions are mixed over the places where the point may branch off.
    pub fn at(&self, path: &Path<'_>, context: Numbers<'_>) -> Belief {
        Passage::with(|passage| {
            self.boxes.pass(path, context.samples.points(), passage);
            let hyper = &self.hyper;
            // The belief about the mean of the parent, and the parent's level.
            let mut above = hyper.prior();
            let mut from = ROOT_LEVEL;
            // The moments of a mixture of normal distributions about the mean of the targets.
            let (mut first, mut second) = (0.0, 0.0);
            let mut add = |weight: f64, belief: Belief| {
                let mean = belief.mean - hyper.mean;
                first += weight * mean;
                second += weight * (belief.variance + mean * mean);
            };
            for (level, departure) in passage.departures.iter().enumerate() {
                let place = path.place(level);
                let node = self.node(place.subtree, context);
                if departure.rate > 0.0 {
                    // The point branches off between the node and what is known above it, at the level `from`.
                    for (weight, delay) in departure.quantiles() {
                        let level = hyper.level(place.birth + delay).max(from).min(node.level);
                        let above = above.spread(hyper.variance(from, level));
                        let below = node.own.spread(hyper.variance(level, node.level));
                        let own = above.and(below).spread(hyper.variance(level, LEAF_LEVEL));
                        add(departure.probability * weight, own.spread(hyper.noise));
                    }
                }
                above = above.spread(hyper.variance(from, node.level));
                from = node.level;
                match place.sibling {
                    Some(sibling) => above = above.and(self.message(sibling, from, context)),
                    None => add(passage.stays, above.and(node.own).spread(hyper.noise)),
                }
            }
            Belief {
                mean: hyper.mean + first,
                variance: (second - first * first).max(0.0),
            }
        })
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
    const AXIS_ALIGNED: bool = true;

    type Task = Regression;

    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: Numbers<'_>) {
        let targets = samples.iter().map(|&id| context.samples.target(id));
        set(&mut self.leaves, leaf.index(), Moments::of(targets));
        self.boxes
            .leaf_made(leaf, samples, context.samples.points());
    }

    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, context: Numbers<'_>) {
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
                let children = [sibling, Subtree::Sample(id)];
                self.combine(node, self.hyper.level(time), children, context);
                Subtree::Inner(node)
            }
        };
        self.ascend(path, below, context);
        self.boxes.joined(path, end, id, context.samples.points());
        // Equal targets leave nothing to choose from; the first other one is surveyed at once.
        if self.hyper.is_flat() && target != self.hyper.mean {
            self.surveyed = 0;
        }
    }

    fn node_made(&mut self, node: InnerNode, _: &mut [SampleId], _: usize, context: Numbers<'_>) {
        let level = self.hyper.level(node.time);
        self.combine(node.node, level, node.children, context);
        self.boxes
            .unite(node.node, node.children, context.samples.points());
    }

    fn leaf_cut(&mut self, path: &[Step], node: NodeId, context: Numbers<'_>) {
        self.ascend(path, Subtree::Inner(node), context);
    }

    fn path_left(&mut self, path: &[Step], below: Subtree, _: SampleId, context: Numbers<'_>) {
        self.ascend(path, below, context);
        self.boxes.path_left(path, below, context.samples.points());
    }

    fn survey(
        &mut self,
        held: usize,
        nodes: impl FnOnce() -> Vec<InnerNode>,
        root: Option<Subtree>,
        context: Numbers<'_>,
    ) {
        self.changes = self.changes.saturating_add(1);
        // A survey is O(samples): one per doubling is O(1) a sample.
        if self.changes >= self.surveyed
            && let Some(root) = root
        {
            self.changes = 0;
            self.surveyed = held;
            self.choose(&nodes(), root, context);
        }
    }

    fn predict(&self, path: &Path<'_>, context: Numbers<'_>, accumulator: &mut [f64]) {
        let belief = self.at(path, context);
        // Moments about the mean of the targets: squares of targets far from 0 would cancel.
        let origin = self.hyper.mean;
        cast(belief, origin, context.settings.combination, accumulator);
    }

    fn widths((): &()) -> [usize; 2] {
        [WIDTH, 2]
    }

    /// Writes the mean and, if there is room, the variance, which is infinite if no tree has samples.
    fn finish(sum: &[f64], trees: usize, prediction: &mut [f64]) {
        let means: [f64; WIDTH] = std::array::from_fn(|cell| sum[cell] / trees as f64);
        let [offset, square, origin, of_origin, product, variance, sign] = means;
        prediction[0] = origin + offset;
        let Some(cell) = prediction.get_mut(1) else {
            return;
        };
        let mut between = square - offset * offset;
        let of_origins = of_origin - origin * origin;
        if of_origins != 0.0 {
            between += of_origins + 2.0 * (product - origin * offset);
        }
        *cell = (variance + sign * between.max(0.0)).max(variance / trees as f64);
        if sign == 0.0 {
            *cell = f64::INFINITY;
        }
    }

    fn widen(&mut self, features: usize) {
        self.boxes.widen(features);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary) {
        let Moments { mean, count, .. } = self.leaves[leaf.index()];
        sum.add_number(mean, count as u64);
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.leaves.bytes() + self.boxes.bytes()
    }

    fn room(&self, features: usize, (): &()) -> Option<[usize; 2]> {
        let room = [self.leaves.len(), self.nodes.len()];
        Some(self.boxes.room(room, features))
    }
}

/// Sums over trees of: mean − origin, its square, origin, its square, their product, variance, ±1 for the combination.
const WIDTH: usize = 7;

/// Writes a tree's prediction about an origin near its mean, which trees of one forest share as a rule.
#[inline]
fn cast(belief: Belief, origin: f64, combination: Combination, accumulator: &mut [f64]) {
    // To 20 binary digits: so the squares of equal origins add up, and their mean is their square, without rounding.
    let origin = f64::from_bits(origin.to_bits() & !((1 << 33) - 1));
    let offset = belief.mean - origin;
    let sign = match combination {
        Combination::Mixture => 1.0,
        Combination::OfMean => -1.0,
    };
    accumulator.copy_from_slice(&[
        offset,
        offset * offset,
        origin,
        origin * origin,
        offset * origin,
        belief.variance,
        sign,
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined(combination: Combination, beliefs: &[[f64; 2]]) -> [f64; 2] {
        let mut sum = [0.0; WIDTH];
        for &[mean, variance] in beliefs {
            let mut accumulator = [0.0; WIDTH];
            cast(
                Belief { mean, variance },
                1e6,
                combination,
                &mut accumulator,
            );
            (0..WIDTH).for_each(|cell| sum[cell] += accumulator[cell]);
        }
        let mut prediction = [0.0; 2];
        GaussianHierarchy::finish(&sum, beliefs.len(), &mut prediction);
        prediction
    }

    #[test]
    fn variances_of_means_are_added_to_a_mixture_and_taken_off_a_mean() {
        let beliefs = [[1e6 + 1.0, 3.0], [1e6 + 3.0, 5.0]];
        assert_eq!(combined(Combination::Mixture, &beliefs), [1e6 + 2.0, 5.0]);
        assert_eq!(combined(Combination::OfMean, &beliefs), [1e6 + 2.0, 3.0]);
        // Origins that differ, as those of a tree that was replaced.
        let mut sum = [0.0; WIDTH];
        for (index, [mean, variance]) in beliefs.into_iter().enumerate() {
            let mut accumulator = [0.0; WIDTH];
            let origin = 1e6 + 64.0 * index as f64;
            let belief = Belief { mean, variance };
            cast(belief, origin, Combination::Mixture, &mut accumulator);
            (0..WIDTH).for_each(|cell| sum[cell] += accumulator[cell]);
        }
        let mut own = [0.0; 2];
        GaussianHierarchy::finish(&sum, 2, &mut own);
        assert_eq!(own[0], 1e6 + 2.0);
        assert!((own[1] - 5.0).abs() < 1e-3, "{own:?}");
        let far = [[1e6 - 9.0, 3.0], [1e6 + 9.0, 5.0]];
        assert_eq!(combined(Combination::OfMean, &far), [1e6, 2.0]);
    }
}
