//! How the hyperparameters of the hierarchical Gaussian are chosen, from all samples and the whole tree.

use super::Numbers;
use super::gaussian::{GaussianHierarchy, ROOT_LEVEL};
use super::hyperparameters::{Belief, Hyperparameters, Moments};
use crate::{HyperparameterRule, InnerNode, Subtree};

/// Factors by which noise and slope are changed in search of more evidence.
const STEPS: [[f64; 2]; 4] = [[2.0, 1.0], [0.5, 1.0], [1.0, 2.0], [1.0, 0.5]];

/// Where noise, as a share of the variance of the targets, is looked for.
const NOISE: std::ops::RangeInclusive<f64> = 1e-4..=0.99;

/// Where the slope is looked for, if features lie in \[0, 1\] or so.
const SLOPE: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// Rounds of steps at one survey; the next one continues from there.
const ROUNDS: usize = 6;

impl GaussianHierarchy {
    /// Chooses noise (as a share) and slope from which no step leads to more evidence; nodes come from below.
    pub(super) fn choose(&mut self, nodes: &[InnerNode], root: Subtree, context: Numbers<'_>) {
        let mut all = Moments::default();
        for subtree in nodes.iter().flat_map(|node| node.children).chain([root]) {
            if let Some(moments) = self.moments(subtree, context) {
                all.add(moments);
            }
        }
        let paper = Hyperparameters::paper(all, context.samples.width());
        let rule = context.settings.hyperparameters;
        if rule == HyperparameterRule::Paper || paper.is_flat() {
            self.recompute(paper, nodes, root, context);
            return;
        }
        let mut best = [self.share, self.hyper.slope];
        if self.hyper.is_flat() {
            best = [paper.noise / all.variance(), paper.slope];
        }
        let mut evidence = |[share, slope]: [f64; 2]| {
            let hyper = Hyperparameters::with(all, share, slope);
            self.recompute(hyper, nodes, root, context)
        };
        let mut most = evidence(best);
        for _ in 0..ROUNDS {
            let from = best;
            for [by_noise, by_slope] in STEPS {
                let next = [from[0] * by_noise, from[1] * by_slope];
                if NOISE.contains(&next[0]) && SLOPE.contains(&next[1]) {
                    let here = evidence(next);
                    if here > most {
                        best = next;
                        most = here;
                    }
                }
            }
            if best == from {
                break;
            }
        }
        evidence(best);
        self.share = best[0];
        if rule == HyperparameterRule::LeaveOneOut {
            let scaled = self.hyper.scaled(self.left_out(nodes, root, context));
            self.recompute(scaled, nodes, root, context);
        }
    }

    /// Computes all that nodes keep. Returns the logarithm of the marginal likelihood of the targets.
    fn recompute(
        &mut self,
        hyper: Hyperparameters,
        nodes: &[InnerNode],
        root: Subtree,
        context: Numbers<'_>,
    ) -> f64 {
        self.hyper = hyper;
        // The part of the evidence that is about the differences between the samples of one leaf.
        let within = |model: &Self, subtree: Subtree| match subtree {
            Subtree::Leaf(leaf) => model.leaves[leaf.index()].evidence(hyper.noise),
            Subtree::Inner(_) | Subtree::Sample(_) => 0.0,
        };
        let mut evidence = within(self, root);
        for inner in nodes {
            let [a, b] = self.combine(inner.node, hyper.level(inner.time), inner.children, context);
            evidence += a.agreement(b);
            for child in inner.children {
                evidence += within(self, child);
            }
        }
        let message = self.message(root, ROOT_LEVEL, context);
        evidence + hyper.prior().agreement(message)
    }

    /// Returns the sum of the squared errors of all samples, each given the others and its place, over its expectation.
    fn left_out(&self, nodes: &[InnerNode], root: Subtree, context: Numbers<'_>) -> f64 {
        // What is known of each inner node's mean from above.
        let mut above = vec![Belief::default(); self.nodes.len()];
        let mut found = 0.0;
        let mut expected = 0.0;
        let mut arrive = |subtree, from: Belief, level, above: &mut [Belief]| {
            let node = self.node(subtree, context);
            let from = from.spread(self.hyper.variance(level, node.level));
            if let Subtree::Inner(node) = subtree {
                above[node.index()] = from;
            }
            if let Some(moments) = self.moments(subtree, context) {
                let [of_leaf, of_model] = moments.left_out(from, self.hyper.noise);
                found += of_leaf;
                expected += of_model;
            }
        };
        arrive(root, self.hyper.prior(), ROOT_LEVEL, &mut above);
        for inner in nodes.iter().rev() {
            let level = self.nodes[inner.node.index()].level;
            let [left, right] = inner.children;
            for [child, sibling] in [[left, right], [right, left]] {
                let from = above[inner.node.index()].and(self.message(sibling, level, context));
                arrive(child, from, level, &mut above);
            }
        }
        found / expected
    }
}
