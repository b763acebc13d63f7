//! Number, mean and sum of squares of some targets.

use forest_core::Regression;
use serde::{Deserialize, Serialize};

use super::Belief;

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

    /// Variance of the targets themselves, 0 for none.
    pub(super) fn variance(self) -> f64 {
        self.squares / self.count.max(1.0)
    }

    /// ln of the density of the targets given their mean, if they scatter with this variance, over the likelihood
    /// N(mean; μ, noise/count) that is left of them.
    pub(super) fn evidence(self, noise: f64) -> f64 {
        let free = (self.count - 1.0) * libm::log(std::f64::consts::TAU * noise);
        -0.5 * (free + libm::log(self.count) + self.squares / noise)
    }

    /// Each target is left out and predicted from the others and from what is known from `above` of their mean: the
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

    /// Whether they could be those of one target or more.
    pub(super) fn is_possible(self) -> bool {
        let counted = self.count >= 1.0 && self.count.is_finite();
        counted && Regression::is_target(self.mean) && self.squares >= 0.0
    }

    /// Whether both are of the same targets, up to rounding.
    pub(super) fn is_like(self, fresh: Self) -> bool {
        let off = (self.mean - fresh.mean).abs();
        let scale = fresh.mean.abs() + fresh.variance().sqrt();
        self.count == fresh.count && off <= 1e-9 * scale
    }
}
