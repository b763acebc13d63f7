//! The hyper-parameters of the hierarchical Gaussian.

use serde::{Deserialize, Serialize};

use super::{Belief, Moments};

/// How the hyper-parameters follow from the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HyperparameterRule {
    /// As in the authors' code: noise variance = variance of the targets / K with K = min(2n, 500), slope = D/(2·log₂ n).
    Paper,
    /// The noise variance and the slope with the largest marginal likelihood of the targets given the tree, near those
    /// of last time; the prior's mean and variance as in the paper.
    Evidence,
    /// The same, and then all variances scaled to the errors of leaving one sample out.
    #[default]
    LeaveOneOut,
}

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
        Self {
            mean: all.mean,
            ..Self::with(all, 1.0 / k, features as f64 / (2.0 * libm::log2(n)))
        }
    }

    /// With this share of the variance as noise: leaves of an endless life have the variance of the
    /// targets in all, φ/2 + noise.
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
    pub(super) fn scaled(self, by: f64) -> Self {
        Self {
            scale: self.scale * by,
            noise: self.noise * by,
            ..self
        }
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
        Belief {
            mean: self.mean,
            variance: 0.0,
        }
    }
}

/// The level of the virtual node above the root.
pub(super) const ROOT_LEVEL: f64 = 0.5;

/// The level of leaves, whose life has no end.
pub(super) const LEAF_LEVEL: f64 = 1.0;

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

    fn sound() -> Hyperparameters {
        Hyperparameters {
            mean: -2.0,
            scale: 3.0,
            noise: 0.5,
            slope: 4.0,
        }
    }

    #[test]
    fn variances_are_scaled_alike() {
        let expected = Hyperparameters {
            scale: 1.5,
            noise: 0.25,
            ..sound()
        };
        assert_eq!(sound().scaled(0.5), expected);
        assert!(!sound().is_flat() && sound().scaled(0.0).is_flat());
    }
}
