//! Moments of targets, and Gaussian beliefs about the mean of a node.

use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

    const NOISE: f64 = 0.7;

    /// Returns ln of the density of `x` under N(mean, variance).
    fn log_density(x: f64, mean: f64, variance: f64) -> f64 {
        let square = (x - mean).powi(2) / variance;
        -0.5 * (square + (std::f64::consts::TAU * variance).ln())
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * (1.0 + b.abs())
    }

    fn samples() -> [&'static [f64]; 3] {
        [&[2.5], &[1.0, 2.0], &[0.5, -1.0, 4.0, 0.25]]
    }

    #[test]
    fn evidence_is_what_the_likelihood_of_the_mean_leaves() {
        for targets in samples() {
            let moments = Moments::of(targets.iter().copied());
            for mean in [-1.0, 0.3, 2.0] {
                let all: f64 = targets.iter().map(|y| log_density(*y, mean, NOISE)).sum();
                let of_mean = log_density(moments.mean, mean, NOISE / moments.count);
                assert!(is_near(moments.evidence(NOISE), all - of_mean));
            }
        }
    }

    /// Returns the square error of the target at `index`, predicted from the others, and what is expected of it.
    fn left_out_alone(targets: &[f64], index: usize, above: Belief) -> [f64; 2] {
        let others = targets.iter().enumerate();
        let others = Moments::of(others.filter(|(i, _)| *i != index).map(|(_, y)| *y));
        let known = match others.count {
            0.0 => above,
            count => above.and(Belief {
                mean: others.mean,
                variance: NOISE / count,
            }),
        };
        [
            (targets[index] - known.mean).powi(2),
            known.variance + NOISE,
        ]
    }

    #[test]
    fn leaving_out_is_predicting_each_from_the_others() {
        let above = Belief {
            mean: 0.8,
            variance: 1.3,
        };
        for targets in samples() {
            let alone = (0..targets.len()).map(|index| left_out_alone(targets, index, above));
            let expected = alone.fold([0.0; 2], |sum, [e, v]| [sum[0] + e, sum[1] + v]);
            let found = Moments::of(targets.iter().copied()).left_out(above, NOISE);
            assert!(
                (0..2).all(|i| is_near(found[i], expected[i])),
                "{targets:?}"
            );
        }
    }

    #[test]
    fn beliefs_agree_by_the_density_of_their_difference() {
        let (a, b) = (1.5, -0.25);
        let [one, other] = [(a, 0.4), (b, 1.1)].map(|(mean, variance)| Belief { mean, variance });
        assert!(is_near(one.agreement(other), log_density(a, b, 1.5)));
    }
}
