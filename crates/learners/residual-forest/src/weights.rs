//! Weights of the stages of a chain, by discounted least squares of their predictions of rows before these were learned.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::solve::{Symmetric, solve};

/// The weights of the first stages of a chain.
///
/// They minimise Σ γⁿ⁻ⁱ (yᵢ − Σₖ wₖ pₖᵢ)² + ρ Σₖ sₖ² (wₖ − 1)², where y and p₀ are taken from the discounted mean of the targets before
/// row i, and sₖ² is the discounted mean square of the targets of stage k: y, and then the residuals of the stages before. The sums are
/// kept, and the equations solved after each row: the weight of a stage that predicts 0 goes back to 1, and nothing grows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StageWeights {
    mass: f64,
    products: Symmetric,
    with_target: Vec<f64>,
    /// Discounted sums of the squares of the targets of each stage.
    target_squares: Vec<f64>,
    weights: Vec<f64>,
}

/// ρ: the number of rows that the prior weights of 1 count as.
const PRIOR_ROWS: f64 = 10.0;

impl StageWeights {
    /// Creates weights of this many stages, all 1.
    pub(crate) fn new(stages: usize) -> Self {
        Self {
            mass: 0.0,
            products: Symmetric::zero(stages),
            with_target: vec![0.0; stages],
            target_squares: vec![0.0; stages],
            weights: vec![1.0; stages],
        }
    }

    pub(crate) fn stages(&self) -> usize {
        self.weights.len()
    }

    #[inline]
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the weighted sum of the predictions of as many stages; that of the first is relative to the mean of the targets.
    #[inline]
    pub(crate) fn sum(&self, predictions: &[f64]) -> f64 {
        let pairs = self.weights.iter().zip(predictions);
        pairs.map(|(weight, prediction)| weight * prediction).sum()
    }

    /// Updates the weights by a row: the predictions of the stages before it was learned, and the targets of the stages, of which the
    /// first is the row's target relative to the mean.
    pub(crate) fn learn(
        &mut self,
        predictions: &[f64],
        stage_targets: &[f64],
        discount: f64,
        factor: &mut Vec<f64>,
    ) {
        let target = stage_targets[0];
        self.mass = discount * self.mass + 1.0;
        self.products.update(discount, 1.0, predictions);
        for (sum, prediction) in self.with_target.iter_mut().zip(predictions) {
            *sum = discount * *sum + prediction * target;
        }
        for (sum, target) in self.target_squares.iter_mut().zip(stage_targets) {
            *sum = discount * *sum + target * target;
        }
        self.solve(factor);
    }

    /// Solves for the differences of the weights from 1.
    fn solve(&mut self, factor: &mut Vec<f64>) {
        for stage in 0..self.stages() {
            let of_ones: f64 = (0..self.stages())
                .map(|k| self.products.get(stage, k))
                .sum();
            self.weights[stage] = self.with_target[stage] - of_ones;
        }
        let (share, squares) = (PRIOR_ROWS / self.mass, &self.target_squares);
        solve(
            &self.products,
            |stage| share * squares[stage],
            factor,
            &mut self.weights,
        );
        for weight in &mut self.weights {
            *weight = if weight.is_finite() {
                *weight + 1.0
            } else {
                1.0
            };
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let vectors = [&self.with_target, &self.target_squares, &self.weights];
        let numbers: usize = vectors.into_iter().map(Vec::capacity).sum();
        numbers * size_of::<f64>() + self.products.bytes()
    }

    pub(crate) fn check(&self, stages: usize) -> Result<(), InvariantError> {
        let vectors = [&self.weights, &self.with_target, &self.target_squares];
        let shaped = vectors.iter().all(|vector| vector.len() == stages);
        let mut numbers = vectors.into_iter().flatten().chain([&self.mass]);
        let finite =
            numbers.all(|n| n.is_finite()) && self.target_squares.iter().all(|sum| *sum >= 0.0);
        let sound = shaped && finite && self.products.is_sound(stages);
        InvariantError::require(
            sound && self.mass >= 0.0,
            "weights of stages",
            "no rows could have these sums",
        )
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;

    #[test]
    fn weights_are_those_of_a_dense_solve_of_all_rows() {
        let (mut rng, mut own) = (TreeRng::new(5, 0), StageWeights::new(3));
        let discount: f64 = 0.98;
        let (mut a, mut b, mut mass) = (DMatrix::zeros(3, 3), DVector::zeros(3), 0.0);
        let mut squares = DVector::zeros(3);
        for _ in 0..300 {
            let target = rng.normal();
            let p = [
                target + rng.normal(),
                0.1 * rng.normal(),
                0.3 * target + 0.1 * rng.normal(),
            ];
            let stage_targets = [target, target - 0.3 * p[0], 0.5 * target];
            own.learn(&p, &stage_targets, discount, &mut Vec::new());
            own.check(3).unwrap();
            squares = squares * discount + DVector::from_row_slice(&stage_targets.map(|t| t * t));
            let p = DVector::from_row_slice(&p);
            a = a * discount + &p * p.transpose();
            b = b * discount + target * &p;
            mass = mass * discount + 1.0;
            let prior = DMatrix::from_diagonal(&(&squares * (PRIOR_ROWS / mass)));
            let right = &b + &prior * DVector::from_element(3, 1.0);
            let expected = (&a + prior).lu().solve(&right).unwrap();
            for (weight, expected) in own.weights().iter().zip(&expected) {
                assert!((weight - expected).abs() < 1e-8, "{weight} {expected}");
            }
        }
        assert!(own.weights()[2] > 1.5, "{:?}", own.weights());
    }

    /// After many rows for which a stage predicts 0 its weight is 1, and those of the others are as good as before.
    #[test]
    fn a_stage_that_predicts_zero_keeps_weight_1() {
        let (mut rng, mut own, mut memory) = (TreeRng::new(6, 0), StageWeights::new(2), Vec::new());
        for _ in 0..100_000 {
            let target = rng.normal();
            own.learn(&[2.0 * target, 0.0], &[target, 1.0], 0.99, &mut memory);
        }
        assert!((own.weights()[0] - 0.5).abs() < 0.1 && own.weights()[1] == 1.0);
    }

    /// A forest of one row predicts the mean of the targets but for rounding.
    #[test]
    fn predictions_that_are_rounding_errors_do_not_change_a_weight() {
        let mut own = StageWeights::new(1);
        own.learn(&[1e-15], &[3.0], 0.99, &mut Vec::new());
        assert!((own.weights()[0] - 1.0).abs() < 1e-9);
    }
}
