//! Weights of the partial chains in the prediction: convex weights with the least squared error of left-out predictions.

use serde::{Deserialize, Serialize};

use crate::solve::Symmetric;

/// Weights on the simplex that follow arg min vᵀ E v, where E holds the products of the left-out errors.
///
/// Weight is moved from the member whose loss falls fastest with less of it to the one whose falls fastest with more, as far as is best, until nothing is
/// gained (sequential minimal optimisation).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blend {
    weights: Vec<f64>,
}

/// The most moves of weight in a fit.
const MOVES: usize = 200;

impl Blend {
    /// Returns the first of this many members alone.
    pub(crate) fn new(members: usize) -> Self {
        let mut weights = vec![0.0; members];
        weights[0] = 1.0;
        Self { weights }
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

    /// Fits the weights to the products of the errors of all members.
    pub(crate) fn fit(&mut self, errors: &Symmetric) {
        for _ in 0..MOVES {
            if !self.move_weight(errors) {
                break;
            }
        }
        // Rounding must not add up over a long stream.
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// Returns half the slope of the loss along the weight of a member.
    fn slope(&self, member: usize, errors: &Symmetric) -> f64 {
        let others = self.weights.iter().enumerate();
        others
            .map(|(other, weight)| weight * errors.get(member, other))
            .sum()
    }

    /// Moves weight; returns false if nothing is gained.
    fn move_weight(&mut self, errors: &Symmetric) -> bool {
        let (mut to, mut from) = ((0, f64::INFINITY), (0, f64::NEG_INFINITY));
        for (member, &weight) in self.weights.iter().enumerate() {
            let slope = self.slope(member, errors);
            if slope < to.1 {
                to = (member, slope);
            }
            if weight > 0.0 && slope > from.1 {
                from = (member, slope);
            }
        }
        let (gain, (to, from)) = (from.1 - to.1, (to.0, from.0));
        let curvature = errors.get(to, to) + errors.get(from, from) - 2.0 * errors.get(to, from);
        let gains = gain > 0.0 && curvature > 0.0;
        if gains {
            let moved = (gain / curvature).min(self.weights[from]);
            self.weights[to] += moved;
            self.weights[from] -= moved;
        }
        gains
    }

    pub(crate) fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    fn loss(errors: &Symmetric, weights: &[f64]) -> f64 {
        let all = (0..weights.len()).flat_map(|a| (0..weights.len()).map(move |b| (a, b)));
        all.map(|(a, b)| weights[a] * weights[b] * errors.get(a, b))
            .sum()
    }

    /// No single member, and no other mixture on a fine grid, is better.
    #[test]
    fn no_weights_are_better() {
        let (mut rng, mut blend, mut errors) =
            (TreeRng::new(8, 0), Blend::new(3), Symmetric::zero(3));
        for _ in 0..500 {
            let common = rng.normal();
            let of_row = [
                common + rng.normal(),
                common + 1.1 * rng.normal(),
                2.0 * common + 0.1,
            ];
            errors.update(1.0, 1.0, &of_row);
        }
        blend.fit(&errors);
        let own = loss(&errors, blend.weights());
        for i in 0..=50 {
            for j in 0..=50 - i {
                let weights = [i, j, 50 - i - j].map(|part| part as f64 / 50.0);
                assert!(own <= loss(&errors, &weights) * (1.0 + 1e-9));
            }
        }
        assert!(
            blend.weights()[0] > 0.3 && blend.weights()[2] < 0.1,
            "{:?}",
            blend.weights()
        );
    }
}
