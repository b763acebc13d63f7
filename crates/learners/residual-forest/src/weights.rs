//! Weights of the stages of partial chains, by least squares over the columns of all stored rows.

use crate::columns::Sums;
use crate::solve::{Symmetric, solve};

/// ρ: the number of rows that the prior weights of 1 count as.
const PRIOR_ROWS: f64 = 10.0;

/// Overwrites the weights of the stages in the columns from `first` on.
///
/// They minimise Σ (yᵢ − Σₖ wₖ pₖᵢ)² + ρ Σₖ sₖ² (wₖ − 1)², where y and p₀ are taken from the mean of the other targets, and sₖ² is the mean square of the targets of
/// stage k: y, and then the residuals of the stages before. So the weight of a stage that predicts 0 is 1, and nothing grows.
pub(crate) fn fit(weights: &mut [f64], first: usize, sums: &Sums, squares: &[f64]) {
    let stages = weights.len();
    let mut products = Symmetric::zero(stages);
    products.fill(|row, column| sums.products.get(first + row, first + column));
    for (stage, weight) in weights.iter_mut().enumerate() {
        let of_ones: f64 = (0..stages).map(|other| products.get(stage, other)).sum();
        *weight = sums.with_target[first + stage] - of_ones;
    }
    let prior = |stage: usize| PRIOR_ROWS * squares[stage];
    solve(&products, prior, &mut Vec::new(), weights);
    for weight in weights {
        *weight = if weight.is_finite() {
            *weight + 1.0
        } else {
            1.0
        };
    }
}

/// Returns the products of the errors of partial chains, each of which begins at a column and has these weights.
pub(crate) fn errors(sums: &Sums, partial: &[(usize, &[f64])]) -> Symmetric {
    let with_target = |(first, weights): (usize, &[f64])| -> f64 {
        let pairs = weights.iter().zip(&sums.with_target[first..]);
        pairs.map(|(weight, sum)| weight * sum).sum()
    };
    let product = |(a, left): (usize, &[f64]), (b, right): (usize, &[f64])| {
        let mut sum = 0.0;
        for (row, weight) in left.iter().enumerate() {
            for (column, other) in right.iter().enumerate() {
                sum += weight * other * sums.products.get(a + row, b + column);
            }
        }
        sum
    };
    let mut errors = Symmetric::zero(partial.len());
    errors.fill(|row, column| {
        let (a, b) = (partial[row], partial[column]);
        sums.of_target - with_target(a) - with_target(b) + product(a, b)
    });
    errors
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::columns::Columns;

    /// Columns of a chain of three stages and one of one, with targets that the last of the three has to be doubled for.
    fn columns(rows: usize) -> (Columns, Vec<([f64; 4], f64)>) {
        let (mut rng, mut columns, mut all) = (
            TreeRng::new(5, 0),
            Columns::new(IS_FIRST.to_vec()),
            Vec::new(),
        );
        for row in 0..rows {
            let target = 50.0 + rng.normal();
            let cells = [
                target + rng.normal(),
                0.1 * rng.normal(),
                0.2 * (target - 50.0) + 0.1 * rng.normal(),
                50.0 + rng.normal(),
            ];
            columns.push(row as u64, (target, 1.0), Some((&cells, 0.0)));
            all.push((cells, target));
        }
        (columns, all)
    }

    const IS_FIRST: [bool; 4] = [true, false, false, true];

    #[test]
    fn weights_are_those_of_a_dense_solve_of_all_rows() {
        let (mut columns, all) = columns(300);
        let mean = all.iter().map(|(_, target)| target).sum::<f64>() / 300.0;
        let without = |target: f64| mean - (target - mean) / 299.0;
        let sums = columns.sums(|target, _| without(target));
        let (mut a, mut b) = (DMatrix::zeros(3, 3), DVector::zeros(3));
        for (cells, target) in &all {
            let p = DVector::from_column_slice(&[cells[0] - without(*target), cells[1], cells[2]]);
            b += &p * (target - without(*target));
            a += &p * p.transpose();
        }
        let squares = [1.0, 0.5, 0.25];
        let prior = DMatrix::from_diagonal(&DVector::from_column_slice(&squares)) * PRIOR_ROWS;
        let right = b + &prior * DVector::from_element(3, 1.0);
        let expected = (a + prior).lu().solve(&right).unwrap();
        let mut weights = [1.0; 3];
        fit(&mut weights, 0, &sums, &squares);
        for (weight, expected) in weights.iter().zip(&expected) {
            assert!((weight - expected).abs() < 1e-8, "{weight} {expected}");
        }
        assert!(weights[2] > 1.5, "{weights:?}");
    }

    #[test]
    fn errors_are_those_of_all_rows() {
        let (mut columns, all) = columns(50);
        let sums = columns.sums(|_, _| 50.0);
        let (chain, alone) = ([0.5, 1.0, 2.0], [0.25]);
        let errors = errors(&sums, &[(0, &chain), (3, &alone)]);
        let mut expected = [0.0; 3];
        for (cells, target) in &all {
            let first = target - 50.0 - 0.5 * (cells[0] - 50.0) - cells[1] - 2.0 * cells[2];
            let second = target - 50.0 - 0.25 * (cells[3] - 50.0);
            let products = [first * first, first * second, second * second];
            expected
                .iter_mut()
                .zip(products)
                .for_each(|(sum, product)| *sum += product);
        }
        for (found, expected) in [errors.get(0, 0), errors.get(0, 1), errors.get(1, 1)]
            .iter()
            .zip(expected)
        {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    /// The mean of the other targets is −y/(n − 1) from the mean of all: without a prior its weight would be 1 − n.
    #[test]
    fn a_stage_that_predicts_the_mean_keeps_weight_1() {
        let (mut rng, mut columns) = (TreeRng::new(6, 0), Columns::new(vec![true]));
        let targets: Vec<f64> = (0..100).map(|_| rng.normal()).collect();
        let mean = targets.iter().sum::<f64>() / 100.0;
        let without = |target: f64| mean - (target - mean) / 99.0;
        for (row, &target) in targets.iter().enumerate() {
            columns.push(
                row as u64,
                (target, 1.0),
                Some((&[without(target) + 1e-15], 0.0)),
            );
        }
        let mut weights = [0.0];
        fit(
            &mut weights,
            0,
            &columns.sums(|target, _| without(target)),
            &[1.0],
        );
        assert!((weights[0] - 1.0).abs() < 1e-9, "{weights:?}");
    }

    /// Readings of few trees vary more than the mean of all: without a correction the weight would be a half.
    #[test]
    fn the_noise_of_readings_lowers_no_weight() {
        let (mut rng, mut columns) = (TreeRng::new(7, 0), Columns::new(vec![false]));
        for row in 0..5000 {
            let target = rng.normal();
            columns.push(row, (target, 1.0), Some((&[target + rng.normal()], 0.0)));
            columns.note_noise(0, 1.0);
        }
        let mut weights = [0.0];
        fit(&mut weights, 0, &columns.sums(|_, _| 0.0), &[1.0]);
        assert!((weights[0] - 1.0).abs() < 0.1, "{weights:?}");
    }
}
