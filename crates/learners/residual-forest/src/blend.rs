//! Weights of the partial chains in the prediction: convex weights with the least discounted squared error.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::solve::Symmetric;

/// Weights on the simplex that follow arg min vᵀ E v, where E holds the discounted products of honest errors.
///
/// After each row weight is moved from the member whose loss falls fastest with less of it to the one whose falls fastest with more,
/// a few times, and each time as far as is best (sequential minimal optimisation). Once E is steady so are the weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blend {
    errors: Symmetric,
    weights: Vec<f64>,
}

/// Moves of weight per row.
const MOVES: usize = 4;

impl Blend {
    /// Creates equal weights of this many members, 1 or more.
    pub(crate) fn new(members: usize) -> Self {
        let weights = vec![1.0 / members as f64; members];
        let errors = Symmetric::zero(members);
        Self { errors, weights }
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the weighted mean of the members' predictions. It is computed relative to an origin near to them, so that rounding does not
    /// change a prediction that they all share.
    #[inline]
    pub(crate) fn mean(&self, origin: f64, predictions: &[f64]) -> f64 {
        let pairs = self.weights.iter().zip(predictions);
        let above: f64 = pairs
            .map(|(weight, prediction)| weight * (prediction - origin))
            .sum();
        origin + above
    }

    /// Updates the weights by the errors of all members for one row.
    pub(crate) fn learn(&mut self, errors: &[f64], discount: f64) {
        self.errors.update(discount, 1.0, errors);
        for _ in 0..MOVES {
            self.move_weight();
        }
        // Rounding must not add up over a long stream.
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// Returns half the slope of the loss along the weight of a member.
    fn slope(&self, member: usize) -> f64 {
        let others = self.weights.iter().enumerate();
        others
            .map(|(other, weight)| weight * self.errors.get(member, other))
            .sum()
    }

    fn move_weight(&mut self) {
        let (mut to, mut from) = ((0, f64::INFINITY), (0, f64::NEG_INFINITY));
        for (member, &weight) in self.weights.iter().enumerate() {
            let slope = self.slope(member);
            if slope < to.1 {
                to = (member, slope);
            }
            if weight > 0.0 && slope > from.1 {
                from = (member, slope);
            }
        }
        let (gain, (to, from)) = (from.1 - to.1, (to.0, from.0));
        let product = |a, b| self.errors.get(a, b);
        let curvature = product(to, to) + product(from, from) - 2.0 * product(to, from);
        if gain > 0.0 && curvature > 0.0 {
            let moved = (gain / curvature).min(self.weights[from]);
            self.weights[to] += moved;
            self.weights[from] -= moved;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<f64>() + self.errors.bytes()
    }

    pub(crate) fn check(&self, members: usize) -> Result<(), InvariantError> {
        let sum: f64 = self.weights.iter().sum();
        let convex = self.weights.iter().all(|weight| *weight >= 0.0) && (sum - 1.0).abs() < 1e-6;
        let shaped = self.weights.len() == members && self.errors.is_sound(members);
        InvariantError::require(
            convex && shaped,
            "blend",
            "its weights are not on the simplex",
        )
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    fn loss(blend: &Blend, weights: &[f64]) -> f64 {
        let products = |a: usize, b: usize| blend.errors.get(a, b);
        let all = (0..weights.len()).flat_map(|a| (0..weights.len()).map(move |b| (a, b)));
        all.map(|(a, b)| weights[a] * weights[b] * products(a, b))
            .sum()
    }

    /// No single member, and no other mixture on a fine grid, is better.
    #[test]
    fn no_weights_are_better() {
        let (mut rng, mut blend) = (TreeRng::new(8, 0), Blend::new(3));
        for _ in 0..500 {
            let common = rng.normal();
            let errors = [
                common + rng.normal(),
                common + 1.1 * rng.normal(),
                2.0 * common + 0.1,
            ];
            blend.learn(&errors, 0.99);
            blend.check(3).unwrap();
        }
        let own = loss(&blend, blend.weights());
        for i in 0..=50 {
            for j in 0..=50 - i {
                let weights = [i, j, 50 - i - j].map(|part| part as f64 / 50.0);
                assert!(own <= loss(&blend, &weights) * (1.0 + 1e-3));
            }
        }
        assert!(
            blend.weights()[0] > 0.3 && blend.weights()[2] < 0.1,
            "{:?}",
            blend.weights()
        );
    }

    #[test]
    fn a_member_that_becomes_better_is_followed() {
        let mut blend = Blend::new(2);
        (0..1000).for_each(|_| blend.learn(&[1.0, -3.0], 0.99));
        assert!((blend.weights()[0] - 0.75).abs() < 1e-9);
        (0..1000).for_each(|_| blend.learn(&[3.0, 1.0], 0.99));
        assert!(blend.weights()[1] > 0.99);
    }
}
