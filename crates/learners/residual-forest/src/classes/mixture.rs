//! A mixture that follows a stream: softmax regression on a few columns, one step of Newton's method a row.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::solve::{Symmetric, solve};

/// Weights a of columns c, which predict class k with a probability proportional to exp Σⱼ aⱼ cⱼₖ.
///
/// After a row of class y that was predicted with probabilities q: H ← γ H + Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, where c̄ = Σₖ qₖ cₖ, and
/// a ← a + (H + λ I)⁻¹ [c_y − c̄ + λ (1 − γ) (a₀ − a)], where a₀ are the weights at the beginning.
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

/// Appends the logarithms of the readings of a forest, a row of classes for each size of node.
pub(super) fn add_log_frequencies(readings: &[f64], shares: &[f64], columns: &mut Vec<f64>) {
    let cells = readings.iter().zip(shares.iter().cycle());
    columns.extend(cells.map(|(&p, &share)| log_frequency(p, share)));
}

/// One row of a mixture: its columns, class after class within each, and what was predicted from them.
#[derive(Debug, Default)]
pub(super) struct Mixed {
    pub(super) columns: Vec<f64>,
    pub(super) probabilities: Vec<f64>,
}

impl Mixed {
    pub(super) fn bytes(&self) -> usize {
        (self.columns.capacity() + self.probabilities.capacity()) * size_of::<f64>()
    }
}

/// Working memory of learning; it is not part of a mixture's state.
#[derive(Debug, Default)]
pub(super) struct Memory {
    means: Vec<f64>,
    centred: Vec<f64>,
    step: Vec<f64>,
    pub(super) factor: Vec<f64>,
}

impl Memory {
    pub(super) fn bytes(&self) -> usize {
        let vectors = [&self.means, &self.centred, &self.step, &self.factor];
        let cells: usize = vectors.map(Vec::capacity).iter().sum();
        cells * size_of::<f64>()
    }
}

impl Mixture {
    /// Returns a mixture with the weights a₀.
    pub(super) fn new(start: Vec<f64>) -> Self {
        let hessian = Symmetric::zero(start.len());
        Self {
            hessian,
            weights: start,
        }
    }

    #[cfg(test)]
    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn bytes(&self) -> usize {
        self.hessian.bytes() + self.weights.capacity() * size_of::<f64>()
    }

    /// Predicts `classes` classes from the columns of a row.
    pub(super) fn predict(&self, classes: usize, row: &mut Mixed) {
        softmax(&self.weights, &row.columns, classes, &mut row.probabilities);
    }

    /// Updates the weights by a row of class `target`. That of a class that was not known changes nothing.
    pub(super) fn learn(
        &mut self,
        row: &Mixed,
        target: u32,
        discount: f64,
        start: impl Fn(usize) -> f64,
        memory: &mut Memory,
    ) {
        let Mixed {
            columns,
            probabilities,
        } = row;
        let (classes, target) = (probabilities.len(), target as usize);
        if target >= classes {
            return;
        }
        let Memory {
            means,
            centred,
            step,
            factor,
        } = memory;
        means.clear();
        means.extend(columns.chunks_exact(classes).map(|column| {
            let pairs = probabilities.iter().zip(column);
            pairs
                .map(|(probability, cell)| probability * cell)
                .sum::<f64>()
        }));
        let cells = |class: usize| columns.iter().skip(class).step_by(classes);
        let mut discount_once = discount;
        for (class, &probability) in probabilities.iter().enumerate() {
            centred.clear();
            centred.extend(cells(class).zip(&*means).map(|(cell, mean)| cell - mean));
            self.hessian.update(discount_once, probability, centred);
            discount_once = 1.0;
        }
        step.clear();
        let of_columns = cells(target).zip(&*means).zip(&self.weights).enumerate();
        step.extend(of_columns.map(|(column, ((cell, mean), weight))| {
            let drawn = PRIOR * (1.0 - discount) * (start(column) - weight);
            cell - mean + drawn
        }));
        solve(&self.hessian, |_| PRIOR, factor, step);
        let pairs = self.weights.iter_mut().zip(step);
        pairs.for_each(|(weight, change)| *weight += *change);
    }

    pub(super) fn check(&self, columns: usize) -> Result<(), InvariantError> {
        let is_shaped = self.hessian.is_shaped(columns) && self.weights.len() == columns;
        InvariantError::require(is_shaped, "mixture", "it has other columns")
    }
}

/// Overwrites `scores` with probabilities in proportion to the exponentials of the weighted sums of columns.
pub(super) fn softmax(weights: &[f64], columns: &[f64], classes: usize, scores: &mut Vec<f64>) {
    scores.clear();
    scores.resize(classes, 0.0);
    for (weight, column) in weights.iter().zip(columns.chunks_exact(classes.max(1))) {
        let pairs = scores.iter_mut().zip(column);
        pairs.for_each(|(score, cell)| *score += weight * cell);
    }
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter_mut()
        .for_each(|score| *score = libm::exp(*score - largest));
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}
