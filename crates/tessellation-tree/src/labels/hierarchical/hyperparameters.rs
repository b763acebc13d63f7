//! The hyper-parameters of the hierarchical Gaussian: what they are, and how they are chosen from all samples and the whole tree.

use serde::{Deserialize, Serialize};

use super::Numbers;
use super::gaussian::{Belief, GaussianHierarchy, ROOT_LEVEL};
use crate::{HyperparameterRule, InnerNode, Subtree};

/// What is the same at all nodes, and frozen between two surveys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyperparameters {
    /// Mean above the root.
    pub mean: f64,
    /// φ: the variance of a node's mean given its parent's is φ·(σ(slope·T) − σ(slope·t₀)).
    pub scale: f64,
    /// Variance of a target given the mean of its leaf.
    pub noise: f64,
    /// How fast means settle with time.
    pub slope: f64,
}

/// No variance is smaller: targets that are all equal have a posterior, too.
const LEAST_VARIANCE: f64 = 1e-200;

impl Default for Hyperparameters {
    fn default() -> Self {
        Self::paper(Moments::default(), 1)
    }
}

impl Hyperparameters {
    /// Those of the authors' code, for targets with these moments over points of `features` numbers.
    pub(super) fn paper(all: Moments, features: usize) -> Self {
        let n = all.count.max(2.0);
        let k = (2.0 * n).min(500.0);
        Self::with(all, 1.0 / k, features as f64 / (2.0 * libm::log2(n)))
    }

    /// With this share of the variance as noise: leaves of an endless life have all of it, φ/2 + noise.
    pub(super) fn with(all: Moments, noise: f64, slope: f64) -> Self {
        let variance = all.variance().max(LEAST_VARIANCE);
        let k = 1.0 / noise;
        Self {
            mean: all.mean,
            scale: 2.0 * variance * k / (k + 2.0),
            noise: variance * noise,
            slope,
        }
    }

    /// Returns all variances times a factor.
    #[must_use]
    fn scaled(mut self, by: f64) -> Self {
        self.scale *= by;
        self.noise *= by;
        self
    }

    /// Returns whether the targets did not differ when this was chosen.
    pub(super) fn is_flat(&self) -> bool {
        self.noise < LEAST_VARIANCE
    }

    /// σ(slope·time): from ½ at time 0 to 1.
    #[inline]
    pub(super) fn level(&self, time: f64) -> f64 {
        1.0 / (1.0 + libm::exp(-self.slope * time))
    }

    /// Returns the variance of a mean at `level` given that at the level `above`.
    #[inline]
    pub(super) fn variance(&self, above: f64, level: f64) -> f64 {
        self.scale * (level - above)
    }

    /// Returns the belief above the root.
    pub(super) fn prior(&self) -> Belief {
        let (mean, variance) = (self.mean, 0.0);
        Belief { mean, variance }
    }
}

/// Moments of targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    pub(super) count: f64,
    pub(super) mean: f64,
    /// Σ(y − mean)².
    pub(super) squares: f64,
}

impl Moments {
    pub(super) fn of(targets: impl Iterator<Item = f64>) -> Self {
        let mut moments = Self::default();
        targets.for_each(|target| moments.add(Self::of_one(target)));
        moments
    }

    #[inline]
    pub(super) fn of_one(target: f64) -> Self {
        Self {
            count: 1.0,
            mean: target,
            squares: 0.0,
        }
    }

    /// Adds other targets (Chan, Golub, LeVeque 1979).
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        let count = self.count + other.count;
        let (difference, share) = (other.mean - self.mean, other.count / count);
        self.mean += difference * share;
        self.squares += other.squares + difference * difference * self.count * share;
        self.count = count;
    }

    /// Returns the variance of the targets themselves, 0 for none.
    pub(super) fn variance(self) -> f64 {
        self.squares / self.count.max(1.0)
    }

    /// Returns ln of the density of the targets given their mean, if they scatter with this variance, over the likelihood
    /// N(mean; μ, noise/count) that is left of them.
    pub(super) fn evidence(self, noise: f64) -> f64 {
        let free = (self.count - 1.0) * libm::log(std::f64::consts::TAU * noise);
        -0.5 * (free + libm::log(self.count) + self.squares / noise)
    }

    /// Leaves each target out and predicts it from the others and from what is known from `above` of their mean: the
    /// sum of the square errors, and what is expected of it.
    pub(super) fn left_out(self, above: Belief, noise: f64) -> [f64; 2] {
        let n = self.count;
        if n < 2.0 {
            return [(self.mean - above.mean).powi(2), above.variance + noise];
        }
        let others = noise / (n - 1.0);
        let share = others / (others + above.variance);
        let own = n / (n - 1.0) * (1.0 - share) + share;
        let shift = share * (self.mean - above.mean);
        let variance = above.variance * share + noise;
        [own * own * self.squares + n * shift * shift, n * variance]
    }
}

/// Factors by which noise and slope are changed in search of more evidence.
const STEPS: [(f64, f64); 4] = [(2.0, 1.0), (0.5, 1.0), (1.0, 2.0), (1.0, 0.5)];

/// Where noise, as a share of the variance of the targets, is looked for.
const NOISE: std::ops::RangeInclusive<f64> = 1e-4..=0.99;

/// Where the slope is looked for, if features lie in \[0, 1\] or so.
const SLOPE: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// Rounds of steps at one survey; the next one continues from there.
const ROUNDS: usize = 6;

impl GaussianHierarchy {
    /// Chooses noise (as a share) and slope from which no step leads to more evidence; inner nodes below come before those above.
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
        let mut start = (self.share, self.hyper.slope);
        if self.hyper.is_flat() {
            start = (paper.noise / all.variance(), paper.slope);
        }
        let mut evidence = |(share, slope): (f64, f64)| {
            let hyper = Hyperparameters::with(all, share, slope);
            self.recompute(hyper, nodes, root, context)
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
        evidence(best);
        self.share = best.0;
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

    /// Returns the sum of the square errors of all samples, each given the others and its place in the tree, over what is
    /// expected of it. A pass from the root down.
    fn left_out(&self, nodes: &[InnerNode], root: Subtree, context: Numbers<'_>) -> f64 {
        // What is known of each inner node's mean from above.
        let mut above = vec![Belief::default(); self.nodes.len()];
        let (mut found, mut expected) = (0.0, 0.0);
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
            for (child, sibling) in [(left, right), (right, left)] {
                let from = above[inner.node.index()].and(self.message(sibling, level, context));
                arrive(child, from, level, &mut above);
            }
        }
        found / expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_these_for_four_targets_and_for_a_thousand() {
        let four = Moments::of([0.0, 2.0, 4.0, 6.0].into_iter());
        let expected = Hyperparameters {
            mean: 3.0,
            scale: 8.0,
            noise: 5.0 / 8.0,
            slope: 0.75,
        };
        assert_eq!(Hyperparameters::paper(four, 3), expected);
        let many = Moments::of((0..1024).map(|y| f64::from(y % 2)));
        let hyper = Hyperparameters::paper(many, 4);
        assert_eq!((hyper.noise as f32, hyper.slope), (0.25 / 500.0, 0.2));
    }

    #[test]
    fn variances_are_scaled_alike() {
        let hyper = Hyperparameters {
            mean: -2.0,
            scale: 3.0,
            noise: 0.5,
            slope: 4.0,
        };
        let expected = Hyperparameters {
            scale: 1.5,
            noise: 0.25,
            ..hyper
        };
        assert_eq!(hyper.scaled(0.5), expected);
        assert!(!hyper.is_flat() && hyper.scaled(0.0).is_flat());
    }
}
