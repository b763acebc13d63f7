//! The mixture: softmax regression on a few columns, one step of Newton's method a row.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use dynamic_forest::ReadingTree;

use super::COLUMNS;
use crate::solve::{Symmetric, solve};

/// Weights a of columns c, which predict class k with a probability proportional to exp Σⱼ aⱼ cⱼₖ.
///
/// After a row of class y that was predicted with probabilities q: H ← γ H + Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, where c̄ = Σₖ qₖ cₖ, and
/// a ← a + (H + λ I)⁻¹ [c_y − c̄ + λ (1 − γ) (a₀ − a)].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mixture {
    hessian: Symmetric,
    weights: Vec<f64>,
}

/// λ: how strongly the weights are drawn to those at the beginning, a₀.
const PRIOR: f64 = 10.0;

/// The share of the shares of the classes in a frequency, so that its logarithm is finite.
const SHARE_OF_PRIOR: f64 = 0.01;

/// Returns the logarithm of a frequency, or of a mean of frequencies, of a class with this share of the rows.
pub(super) fn log_frequency(frequency: f64, share: f64) -> f64 {
    libm::log((frequency + SHARE_OF_PRIOR * share) / (1.0 + SHARE_OF_PRIOR))
}

/// Returns a₀ of a column: a geometric mean of the readings, without the discriminant functions.
fn prior_weight(column: usize) -> f64 {
    let readings = ReadingTree::SIZES.len();
    if column < readings {
        1.0 / readings as f64
    } else {
        0.0
    }
}

impl Default for Mixture {
    fn default() -> Self {
        Self {
            hessian: Symmetric::zero(COLUMNS),
            weights: (0..COLUMNS).map(prior_weight).collect(),
        }
    }
}

impl Mixture {
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Overwrites `probabilities`, one of each class, from as many cells of each column.
    pub(super) fn predict(&self, columns: &[f64], probabilities: &mut [f64]) {
        let classes = probabilities.len();
        probabilities.fill(0.0);
        for (weight, column) in self
            .weights
            .iter()
            .zip(columns.chunks_exact(classes.max(1)))
        {
            let pairs = probabilities.iter_mut().zip(column);
            pairs.for_each(|(score, cell)| *score += weight * cell);
        }
        softmax(probabilities);
    }

    /// Updates the weights by a row of class `target`. That of a class that was not known changes nothing.
    pub(super) fn learn(
        &mut self,
        columns: &[f64],
        probabilities: &[f64],
        target: u32,
        discount: f64,
        factor: &mut Vec<f64>,
    ) {
        let (classes, target) = (probabilities.len(), target as usize);
        if target >= classes {
            return;
        }
        let cell = |column: usize, class: usize| columns[column * classes + class];
        let mut means = [0.0; COLUMNS];
        for (column, mean) in means.iter_mut().enumerate() {
            let weighted = (0..classes).map(|class| probabilities[class] * cell(column, class));
            *mean = weighted.sum();
        }
        let mut discount_once = discount;
        for (class, &probability) in probabilities.iter().enumerate() {
            let centred: [f64; COLUMNS] =
                std::array::from_fn(|column| cell(column, class) - means[column]);
            self.hessian.update(discount_once, probability, &centred);
            discount_once = 1.0;
        }
        let mut step: [f64; COLUMNS] = std::array::from_fn(|column| {
            let drawn = PRIOR * (1.0 - discount) * (prior_weight(column) - self.weights[column]);
            cell(column, target) - means[column] + drawn
        });
        solve(&self.hessian, |_| PRIOR, factor, &mut step);
        let pairs = self.weights.iter_mut().zip(step);
        pairs.for_each(|(weight, change)| *weight += change);
    }

    pub(super) fn check(&self) -> Result<(), InvariantError> {
        let is_sound = self.hessian.is_sound(COLUMNS)
            && self.weights.len() == COLUMNS
            && self.weights.iter().all(|weight| weight.is_finite());
        InvariantError::require(is_sound, "mixture", "its weights are not finite")
    }
}

/// Replaces scores by probabilities in proportion to their exponentials.
fn softmax(scores: &mut [f64]) {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter_mut()
        .for_each(|score| *score = libm::exp(*score - largest));
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}
