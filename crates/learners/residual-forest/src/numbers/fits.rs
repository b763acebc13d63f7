//! The weights of stages and of partial chains, fitted to stored rows and their left-out predictions.

use serde::{Deserialize, Serialize};

use super::ridge::TargetMean;
use crate::algebra::{Symmetric, solve};

/// The largest number of stages of all chains together.
const STAGES: usize = 8;

/// A stored row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct KnownRow {
    pub(super) arrival: u64,
    pub(super) target: f64,
    pub(super) weight: f64,
}

/// Sums over rows, from which the weights follow, of targets y and cells p of all stages, as [`Sums::new`] states.
pub(super) struct Sums {
    /// The sum of the weights of the rows.
    pub(super) rows: f64,
    /// Σ p pᵀ.
    products: Symmetric,
    /// Σ p y.
    with_target: Vec<f64>,
    /// Σ y².
    pub(super) of_target: f64,
}

impl Sums {
    /// Sums the rows whose cells are all known. The mean of the other targets is subtracted from targets, and from the
    /// cells of the first stages of chains, which are those of `first_stages` that are equal to their index. `cells`
    /// has one for each row and stage: its prediction without the row, NaN where it is unknown.
    pub(super) fn new(
        rows: &[KnownRow],
        cells: &[f64],
        first_stages: &[usize],
        mean: TargetMean,
    ) -> Self {
        let stages = first_stages.len();
        let mut sums = Self {
            rows: 0.0,
            products: Symmetric::zero(stages),
            with_target: vec![0.0; stages],
            of_target: 0.0,
        };
        let mut buffer = [0.0; STAGES];
        let relative = &mut buffer[..stages];
        for (row, cells) in rows.iter().zip(cells.chunks_exact(stages)) {
            let mean = mean.without(row.target, row.weight);
            let target = row.target - mean;
            relative.copy_from_slice(cells);
            for (stage, first) in first_stages.iter().enumerate() {
                if stage == *first {
                    relative[stage] -= mean;
                }
            }
            if relative.iter().any(|cell| cell.is_nan()) {
                continue;
            }
            sums.rows += row.weight;
            sums.products.add(row.weight, relative);
            for (sum, cell) in sums.with_target.iter_mut().zip(&*relative) {
                *sum += row.weight * *cell * target;
            }
            sums.of_target += row.weight * target * target;
        }
        sums
    }

    /// Subtracts the variance of cells of a stage around the prediction of all its trees, at most half of the squares.
    pub(super) fn subtract_noise(&mut self, stage: usize, variance: f64) {
        let square = self.products.diagonal_mut(stage);
        *square += -(variance * self.rows).min(0.5 * *square);
    }
}

/// ρ: the number of rows that the prior of the weights counts as.
const PRIOR_ROWS: f64 = 10.0;

/// Overwrites the weights of the stages in the columns from `first` on.
///
/// They minimise Σ (yᵢ − Σₖ wₖ pₖᵢ)² + ρ Σₖ sₖ² (wₖ − 1)², where y and p₀ are relative to the mean of the other
/// targets, and sₖ² is the mean square of the targets of stage k: y, and then the residuals of the stages before. So
/// the weight of a stage that predicts 0 is 1, and weights stay bounded.
pub(super) fn fit_weights(weights: &mut [f64], first: usize, sums: &Sums, squares: &[f64]) {
    let stages = weights.len();
    let products = Symmetric::of(stages, |row, column| {
        sums.products.get(first + row, first + column)
    });
    for (stage, weight) in weights.iter_mut().enumerate() {
        let of_ones: f64 = (0..stages).map(|other| products.get(stage, other)).sum();
        *weight = sums.with_target[first + stage] - of_ones;
    }
    solve(&products, |stage| PRIOR_ROWS * squares[stage], weights);
    for weight in weights {
        *weight = 1.0 + if weight.is_finite() { *weight } else { 0.0 };
    }
}

/// Returns the products of the errors of partial chains, each of which begins at a column and has these weights.
pub(super) fn errors(sums: &Sums, partial: &[(usize, &[f64])]) -> Symmetric {
    let with_target = |first: usize, weights: &[f64]| -> f64 {
        let pairs = weights.iter().zip(&sums.with_target[first..]);
        pairs.map(|(weight, sum)| weight * sum).sum()
    };
    Symmetric::of(partial.len(), |row, column| {
        let (a, v) = partial[row];
        let (b, w) = partial[column];
        let mut product = 0.0;
        for (i, v) in v.iter().enumerate() {
            for (j, w) in w.iter().enumerate() {
                product += v * w * sums.products.get(a + i, b + j);
            }
        }
        sums.of_target - with_target(a, v) - with_target(b, w) + product
    })
}

/// The largest number of steps of a fit of the blend.
const MOVES: usize = 200;

/// Fits convex weights v of partial chains: arg min vᵀ E v, where E holds the products of their errors.
///
/// Each step moves weight between the two chains with the largest difference of slopes, by the amount that minimises
/// the loss, until no step lowers it (sequential minimal optimisation).
pub(super) fn fit_blend(blend: &mut [f64], errors: &Symmetric) {
    for _ in 0..MOVES {
        let (mut to, mut least) = (0, f64::INFINITY);
        let (mut from, mut largest) = (0, f64::NEG_INFINITY);
        for (member, weight) in blend.iter().enumerate() {
            // Half the slope of the loss along the weight: a cell of E v.
            let others = blend.iter().enumerate();
            let slope = others.map(|(other, v)| v * errors.get(member, other)).sum();
            if slope < least {
                (to, least) = (member, slope);
            }
            if *weight > 0.0 && slope > largest {
                (from, largest) = (member, slope);
            }
        }
        let gain = largest - least;
        let curvature = errors.get(to, to) + errors.get(from, from) - 2.0 * errors.get(to, from);
        if !(gain > 0.0 && curvature > 0.0) {
            break;
        }
        let moved = (gain / curvature).min(blend[from]);
        blend[to] += moved;
        blend[from] -= moved;
    }
    // So that rounding errors do not accumulate.
    let sum: f64 = blend.iter().sum();
    for weight in blend {
        *weight /= sum;
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Rows of weight 1 and their cells.
    type Known = (Vec<KnownRow>, Vec<f64>);

    fn known<const N: usize>(rows: impl IntoIterator<Item = (f64, [f64; N])>) -> Known {
        let mut known = Vec::new();
        let mut all = Vec::new();
        for (arrival, (target, cells)) in (0..).zip(rows) {
            known.push(KnownRow {
                arrival,
                target,
                weight: 1.0,
            });
            all.extend(cells);
        }
        (known, all)
    }

    fn mean_of(rows: &[KnownRow]) -> TargetMean {
        let mut mean = TargetMean::default();
        rows.iter().for_each(|row| mean.learn(row.target, 1.0));
        mean
    }

    /// Rows of a chain of three stages and one of one, with targets that the last of the three has to be doubled for.
    fn drawn(count: usize) -> Known {
        let mut rng = TreeRng::new(5, 0);
        let mut row = |_| {
            let target = 50.0 + rng.normal();
            let cells = [
                target + rng.normal(),
                0.1 * rng.normal(),
                0.2 * (target - 50.0) + 0.1 * rng.normal(),
                50.0 + rng.normal(),
            ];
            (target, cells)
        };
        known((0..count).map(&mut row))
    }

    const FIRST: [usize; 4] = [0, 0, 0, 3];

    #[test]
    fn weights_are_those_of_a_dense_solve_of_all_rows() {
        let (rows, cells) = drawn(300);
        let mean = mean_of(&rows);
        let sums = Sums::new(&rows, &cells, &FIRST, mean);
        let mut a = DMatrix::zeros(3, 3);
        let mut b = DVector::zeros(3);
        for (row, c) in rows.iter().zip(cells.chunks_exact(4)) {
            let mean = mean.without(row.target, 1.0);
            let p = DVector::from_column_slice(&[c[0] - mean, c[1], c[2]]);
            b += &p * (row.target - mean);
            a += &p * p.transpose();
        }
        let squares = [1.0, 0.5, 0.25];
        let prior = DMatrix::from_diagonal(&DVector::from_column_slice(&squares)) * PRIOR_ROWS;
        let right = b + &prior * DVector::from_element(3, 1.0);
        let expected = (a + prior).lu().solve(&right).unwrap();
        let mut weights = [1.0; 3];
        fit_weights(&mut weights, 0, &sums, &squares);
        for (weight, expected) in weights.iter().zip(&expected) {
            assert!((weight - expected).abs() < 1e-8, "{weight} {expected}");
        }
        assert!(weights[2] > 1.5, "{weights:?}");
    }

    #[test]
    fn errors_are_those_of_all_rows() {
        let (rows, cells) = drawn(50);
        let mean = mean_of(&rows);
        let sums = Sums::new(&rows, &cells, &FIRST, mean);
        let errors = errors(&sums, &[(0, &[0.5, 1.0, 2.0]), (3, &[0.25])]);
        let mut expected = Symmetric::zero(2);
        for (row, c) in rows.iter().zip(cells.chunks_exact(4)) {
            let mean = mean.without(row.target, 1.0);
            let first = row.target - mean - 0.5 * (c[0] - mean) - c[1] - 2.0 * c[2];
            expected.add(1.0, &[first, row.target - mean - 0.25 * (c[3] - mean)]);
        }
        for (row, column) in [(0, 0), (1, 0), (1, 1)] {
            let found = errors.get(row, column);
            let expected = expected.get(row, column);
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    /// The mean of the other targets is −y/(n − 1) from the mean of all: without a prior its weight would be 1 − n.
    #[test]
    fn a_stage_that_predicts_the_mean_keeps_weight_1() {
        let mut rng = TreeRng::new(6, 0);
        let (rows, _) = known((0..100).map(|_| (rng.normal(), [0.0])));
        let mean = mean_of(&rows);
        let without = |row: &KnownRow| mean.without(row.target, 1.0) + 1e-15;
        let cells: Vec<f64> = rows.iter().map(without).collect();
        let sums = Sums::new(&rows, &cells, &[0], mean);
        let mut weights = [0.0];
        fit_weights(&mut weights, 0, &sums, &[1.0]);
        assert!((weights[0] - 1.0).abs() < 1e-9, "{weights:?}");
    }

    /// Readings of few trees vary more than the mean of all: without a correction the weight would be a half.
    #[test]
    fn the_noise_of_readings_lowers_no_weight() {
        let mut rng = TreeRng::new(7, 0);
        let (rows, cells) = known((0..5000).map(|_| {
            let target = rng.normal();
            (target, [target + rng.normal()])
        }));
        let mut sums = Sums::new(&rows, &cells, &[0], mean_of(&rows));
        sums.subtract_noise(0, 1.0);
        let mut weights = [0.0];
        fit_weights(&mut weights, 0, &sums, &[1.0]);
        assert!((weights[0] - 1.0).abs() < 0.1, "{weights:?}");
    }

    fn loss(errors: &Symmetric, weights: &[f64]) -> f64 {
        let all = (0..weights.len()).flat_map(|a| (0..weights.len()).map(move |b| (a, b)));
        all.map(|(a, b)| weights[a] * weights[b] * errors.get(a, b))
            .sum()
    }

    /// No single member, and no other mixture on a fine grid, is better.
    #[test]
    fn no_weights_are_better() {
        let mut rng = TreeRng::new(8, 0);
        let mut errors = Symmetric::zero(3);
        for _ in 0..500 {
            let common = rng.normal();
            let first = common + rng.normal();
            let second = common + 1.1 * rng.normal();
            errors.add(1.0, &[first, second, 2.0 * common + 0.1]);
        }
        let mut blend = [1.0, 0.0, 0.0];
        fit_blend(&mut blend, &errors);
        let own = loss(&errors, &blend);
        for i in 0..=50 {
            for j in 0..=50 - i {
                let weights = [i, j, 50 - i - j].map(|part| part as f64 / 50.0);
                assert!(own <= loss(&errors, &weights) * (1.0 + 1e-9));
            }
        }
        assert!(blend[0] > 0.3 && blend[2] < 0.1, "{blend:?}");
    }
}
