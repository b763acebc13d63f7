//! Gaussian beliefs about the mean of a node.

use serde::{Deserialize, Serialize};

/// A normal distribution, or a likelihood of its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Mean.
    pub mean: f64,
    /// Variance, 0 or more.
    pub variance: f64,
}

impl Belief {
    /// The same about another quantity, that differs from this one by noise of this variance.
    #[inline]
    #[must_use]
    pub fn spread(self, variance: f64) -> Self {
        Self {
            variance: self.variance + variance,
            ..self
        }
    }

    /// Both together: the normalised product of two densities, not both of variance 0. Equal means stay
    /// exactly what they are.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let share = self.variance / (self.variance + other.variance);
        Self {
            mean: self.mean + (other.mean - self.mean) * share,
            variance: other.variance * share,
        }
    }

    /// Returns ln ∫ of the product of two densities: how well they agree.
    #[inline]
    #[must_use]
    pub fn agreement(self, other: Self) -> f64 {
        let variance = self.variance + other.variance;
        let difference = self.mean - other.mean;
        -0.5 * (difference * difference / variance + libm::log(std::f64::consts::TAU * variance))
    }
}
