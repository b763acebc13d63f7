//! Choosing the hyper-parameters, from all samples and the whole tree.

use super::hyper::{Hyperparameters, LEAF_LEVEL, ROOT_LEVEL};
use super::{GaussianHierarchy, HyperparameterRule, Moments};
use crate::labels::LabelContext;
use crate::{BranchOff, InnerNode, Subtree};

/// Factors by which noise and slope are changed in search of more evidence.
const STEP: f64 = 2.0;

/// Where noise, as a share of the variance of the targets, is looked for.
const NOISE: std::ops::RangeInclusive<f64> = 1e-4..=0.99;

/// Where the slope is looked for, if features lie in \[0, 1\] or so.
const SLOPE: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// Steps at one survey; the next one goes on from there.
const MOST_STEPS: usize = 6;

impl<B: BranchOff> GaussianHierarchy<B> {
    /// The moments of all targets.
    fn moments(
        &self,
        nodes: &[InnerNode],
        root: Subtree,
        context: LabelContext<'_, Self>,
    ) -> Moments {
        let mut all = Moments::default();
        let children = nodes.iter().flat_map(|node| node.children);
        for subtree in children.chain([root]) {
            match subtree {
                Subtree::Inner(_) => {}
                Subtree::Leaf(leaf) => all.add(self.leaves[leaf.index()]),
                Subtree::Sample(id) => all.add(Moments::of_one(context.samples.target(id))),
            }
        }
        all
    }

    /// Computes all that nodes keep, with these hyper-parameters. Answers the logarithm of the marginal
    /// likelihood of the targets.
    fn recompute(
        &mut self,
        hyper: Hyperparameters,
        (nodes, root): (&[InnerNode], Subtree),
        context: LabelContext<'_, Self>,
    ) -> f64 {
        self.hyper = hyper;
        let of_leaves = |this: &Self, subtree| match subtree {
            Subtree::Leaf(leaf) => this.leaves[leaf.index()].evidence(hyper.noise),
            Subtree::Inner(_) | Subtree::Sample(_) => 0.0,
        };
        let mut evidence = of_leaves(self, root);
        for inner in nodes {
            let level = hyper.level(inner.time);
            let [a, b] = self.combine(inner.node, level, inner.children, context);
            evidence += a.agreement(b);
            for child in inner.children {
                evidence += of_leaves(self, child);
            }
        }
        evidence
            + hyper
                .prior()
                .agreement(self.message(root, ROOT_LEVEL, context))
    }

    pub(super) fn choose(
        &mut self,
        nodes: &[InnerNode],
        root: Subtree,
        context: LabelContext<'_, Self>,
    ) {
        let tree = (nodes, root);
        let all = self.moments(nodes, root, context);
        let paper = Hyperparameters::paper(all, context.samples.width());
        if context.settings.hyperparameters == HyperparameterRule::Paper || paper.is_flat() {
            self.recompute(paper, tree, context);
            return;
        }
        let (mut noise, mut slope) = match self.hyper.is_flat() {
            true => (paper.noise / all.variance(), paper.slope),
            false => (self.share, self.hyper.slope),
        };
        let mut most = self.recompute(Hyperparameters::with(all, noise, slope), tree, context);
        let mut last = most;
        for _ in 0..MOST_STEPS {
            let (before, steps) = (
                most,
                [
                    (STEP, 1.0),
                    (1.0 / STEP, 1.0),
                    (1.0, STEP),
                    (1.0, 1.0 / STEP),
                ],
            );
            let (noise_now, slope_now) = (noise, slope);
            for (by_noise, by_slope) in steps {
                let (tried, steep) = (noise_now * by_noise, slope_now * by_slope);
                if !NOISE.contains(&tried) || !SLOPE.contains(&steep) {
                    continue;
                }
                last = self.recompute(Hyperparameters::with(all, tried, steep), tree, context);
                if last > most {
                    (most, noise, slope) = (last, tried, steep);
                }
            }
            if most == before {
                break;
            }
        }
        let _ = (last, LEAF_LEVEL);
        self.share = noise;
        self.recompute(Hyperparameters::with(all, noise, slope), tree, context);
    }
}
