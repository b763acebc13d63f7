//! Choosing the hyper-parameters, from all samples and the whole tree.

use super::hyper::{Hyperparameters, ROOT_LEVEL};
use super::{Belief, GaussianHierarchy, HyperparameterRule, Moments};
use crate::{InnerNode, LabelContext, Subtree};

/// Factors by which noise and slope are changed in search of more evidence.
const STEPS: [(f64, f64); 4] = [(2.0, 1.0), (0.5, 1.0), (1.0, 2.0), (1.0, 0.5)];

/// Where noise, as a share of the variance of the targets, is looked for.
const NOISE: std::ops::RangeInclusive<f64> = 1e-4..=0.99;

/// Where the slope is looked for, if features lie in \[0, 1\] or so.
const SLOPE: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// Rounds of steps at one survey; the next one continues from there.
const ROUNDS: usize = 6;

/// A tree that is surveyed.
#[derive(Clone, Copy)]
struct Tree<'a> {
    nodes: &'a [InnerNode],
    root: Subtree,
}

impl GaussianHierarchy {
    pub(super) fn choose(
        &mut self,
        nodes: &[InnerNode],
        root: Subtree,
        context: LabelContext<'_, Self>,
    ) {
        let tree = Tree { nodes, root };
        let all = self.moments_of_all(tree, context);
        let paper = Hyperparameters::paper(all, context.samples.width());
        let rule = context.settings.hyperparameters;
        if rule == HyperparameterRule::Paper || paper.is_flat() {
            self.recompute(paper, tree, context);
            return;
        }
        let start = if self.hyper.is_flat() {
            (paper.noise / all.variance(), paper.slope)
        } else {
            (self.share, self.hyper.slope)
        };
        let (share, slope) = self.most_evident(start, all, tree, context);
        let mut chosen = Hyperparameters::with(all, share, slope);
        self.share = share;
        self.recompute(chosen, tree, context);
        if rule == HyperparameterRule::LeaveOneOut {
            chosen = chosen.scaled(self.left_out(tree, context));
            self.recompute(chosen, tree, context);
        }
    }

    /// Returns the moments of all targets.
    fn moments_of_all(&self, tree: Tree<'_>, context: LabelContext<'_, Self>) -> Moments {
        let mut all = Moments::default();
        let children = tree.nodes.iter().flat_map(|node| node.children);
        for subtree in children.chain([tree.root]) {
            match subtree {
                Subtree::Inner(_) => {}
                Subtree::Leaf(leaf) => all.add(self.leaves[leaf.index()]),
                Subtree::Sample(id) => all.add(Moments::of_one(context.samples.target(id))),
            }
        }
        all
    }

    /// Noise (as a share) and slope from which no step leads to more evidence.
    fn most_evident(
        &mut self,
        start: (f64, f64),
        all: Moments,
        tree: Tree<'_>,
        context: LabelContext<'_, Self>,
    ) -> (f64, f64) {
        let mut evidence = |(noise, slope): (f64, f64)| {
            self.recompute(Hyperparameters::with(all, noise, slope), tree, context)
        };
        let (mut best, mut most) = (start, evidence(start));
        for _ in 0..ROUNDS {
            let from = best;
            for (by_noise, by_slope) in STEPS {
                let next = (from.0 * by_noise, from.1 * by_slope);
                if NOISE.contains(&next.0) && SLOPE.contains(&next.1) {
                    let here = evidence(next);
                    if here > most {
                        (best, most) = (next, here);
                    }
                }
            }
            if best == from {
                break;
            }
        }
        best
    }

    /// Computes all that nodes keep, with these hyper-parameters. Returns the logarithm of the marginal
    /// likelihood of the targets.
    fn recompute(
        &mut self,
        hyper: Hyperparameters,
        tree: Tree<'_>,
        context: LabelContext<'_, Self>,
    ) -> f64 {
        self.hyper = hyper;
        let mut evidence = self.evidence_within(tree.root);
        for inner in tree.nodes {
            let level = hyper.level(inner.time);
            let [a, b] = self.combine(inner.node, level, inner.children, context);
            evidence += a.agreement(b);
            for child in inner.children {
                evidence += self.evidence_within(child);
            }
        }
        evidence
            + hyper
                .prior()
                .agreement(self.message(tree.root, ROOT_LEVEL, context))
    }

    /// Returns the part of the evidence that is about the differences between the samples of one leaf.
    fn evidence_within(&self, subtree: Subtree) -> f64 {
        match subtree {
            Subtree::Leaf(leaf) => self.leaves[leaf.index()].evidence(self.hyper.noise),
            Subtree::Inner(_) | Subtree::Sample(_) => 0.0,
        }
    }

    /// Returns the sum of the square errors of all samples, each given the others and its place in the tree, over what is
    /// expected of it. A pass from the root down.
    fn left_out(&self, tree: Tree<'_>, context: LabelContext<'_, Self>) -> f64 {
        // What is known of each inner node's mean from above.
        let mut above = vec![Belief::default(); self.nodes.len()];
        let (mut found, mut expected) = (0.0, 0.0);
        let mut arrive = |subtree, from: Belief, level, above: &mut [Belief]| {
            let node = self.node(subtree, context);
            let from = from.spread(self.hyper.variance(level, node.level));
            let moments = match subtree {
                Subtree::Inner(node) => return above[node.index()] = from,
                Subtree::Leaf(leaf) => self.leaves[leaf.index()],
                Subtree::Sample(id) => Moments::of_one(context.samples.target(id)),
            };
            let [of_leaf, of_model] = moments.left_out(from, self.hyper.noise);
            found += of_leaf;
            expected += of_model;
        };
        arrive(tree.root, self.hyper.prior(), ROOT_LEVEL, &mut above);
        for inner in tree.nodes.iter().rev() {
            let level = self.nodes[inner.node.index()].level;
            let [left, right] = inner.children;
            for (child, sibling) in [(left, right), (right, left)] {
                let from = above[inner.node.index()].and(self.message(sibling, level, context));
                arrive(child, from, level, &mut above);
            }
        }
        found / expected
    }
}
