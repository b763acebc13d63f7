//! The quantities of the hierarchical Gaussian: hyperparameters, moments of targets, and beliefs about means.

use serde::{Deserialize, Serialize};

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
    /// Returns those of the authors' code, for targets with these moments over points of `features` numbers.
    pub(super) fn paper(all: Moments, features: usize) -> Self {
        let n = all.count.max(2.0);
        let k = (2.0 * n).min(500.0);
        Self::with(all, 1.0 / k, features as f64 / (2.0 * libm::log2(n)))
    }

    /// Creates hyperparameters with the share `noise` of the variance of all targets as noise. Leaves, whose life has
    /// no end, have all of the variance: φ/2 + noise.
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
    pub(super) fn scaled(mut self, by: f64) -> Self {
        self.scale *= by;
        self.noise *= by;
        self
    }

    /// Returns whether the targets did not differ when this was chosen.
    pub(super) fn is_flat(&self) -> bool {
        self.noise < LEAST_VARIANCE
    }

    /// Returns σ(slope·time), which grows from ½ at time 0 to 1.
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
        let difference = other.mean - self.mean;
        let share = other.count / count;
        self.mean += difference * share;
        self.squares += other.squares + difference * difference * self.count * share;
        self.count = count;
    }

    /// Returns the variance of the targets themselves, 0 for none.
    pub(super) fn variance(self) -> f64 {
        self.squares / self.count.max(1.0)
    }

    /// Returns ln of the density of the targets given their mean, if they scatter with this variance, over the
    /// likelihood N(mean; μ, noise/count) that is left of them.
    pub(super) fn evidence(self, noise: f64) -> f64 {
        let free = (self.count - 1.0) * libm::log(std::f64::consts::TAU * noise);
        -0.5 * (free + libm::log(self.count) + self.squares / noise)
    }

    /// Leaves each target out and predicts it from the others and from the belief `above` about their mean. Returns the
    /// sum of the squared errors, and its expectation.
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

/// A normal distribution, or a likelihood of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Mean.
    pub mean: f64,
    /// Variance, 0 or more.
    pub variance: f64,
}

impl Belief {
    /// Returns the belief about another quantity, which differs from this one by noise of this variance.
    #[inline]
    pub(super) fn spread(mut self, variance: f64) -> Self {
        self.variance += variance;
        self
    }

    /// Returns the normalised product of two densities, not both of variance 0. The product of equal means is exactly
    /// that mean.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        let share = self.variance / (self.variance + other.variance);
        Self {
            mean: self.mean + (other.mean - self.mean) * share,
            variance: other.variance * share,
        }
    }

    /// Returns ln ∫ of the product of two densities: how well they agree.
    #[inline]
    pub(super) fn agreement(self, other: Self) -> f64 {
        let variance = self.variance + other.variance;
        let difference = self.mean - other.mean;
        -0.5 * (difference * difference / variance + libm::log(std::f64::consts::TAU * variance))
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
