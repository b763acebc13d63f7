//! The mean of the targets, and the ridge regression that is the first stage of a chain.

use serde::{Deserialize, Serialize};

use crate::algebra::{
    Few, Means, Symmetric, deviations, factorise_scaled, inverse_root, start, substitute,
    substitute_forwards,
};

/// The mean of the targets, relative to which stages are weighted, so that an offset of all targets changes no weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TargetMean {
    /// The sum of the weights of the targets.
    pub(super) mass: f64,
    /// 0 before the first target.
    pub(super) mean: f64,
}

impl TargetMean {
    /// Returns m, the mean without one of two or more targets.
    pub(super) fn without(self, target: f64, weight: f64) -> f64 {
        self.mean - weight * (target - self.mean) / (self.mass - weight)
    }

    pub(super) fn learn(&mut self, target: f64, weight: f64) {
        self.mass += weight;
        self.mean += weight * (target - self.mean) / self.mass;
    }
}

/// A linear function of the features, by least squares.
///
/// The penalty of each coefficient is the variance of its feature: it counts as one more row, in which it alone varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ridge {
    rows: Means,
    mean_target: f64,
    scatter: Symmetric,
    with_target: Vec<f64>,
    coefficients: Vec<f64>,
    /// The Cholesky factor of the scaled scatter at the last solution; empty if the scatter is diagonal.
    factor: Vec<f64>,
    /// The factors that scaled the scatter.
    scale: Vec<f64>,
    /// The least and the largest target; predictions are clamped to them.
    targets: [f64; 2],
}

/// The least share of the other rows in the prediction of a row that is left out: a smaller one would be unstable.
const LEAST_REST: f64 = 1e-3;

impl Ridge {
    pub(super) fn new(features: usize) -> Self {
        Self {
            rows: Means::new(features),
            mean_target: 0.0,
            scatter: Symmetric::scatter(features),
            with_target: vec![0.0; features],
            coefficients: vec![0.0; features],
            factor: Vec::new(),
            scale: vec![0.0; features],
            targets: [0.0; 2],
        }
    }

    /// Yields the contribution of each feature: its coefficient times its deviation from the mean.
    fn parts<'a>(&'a self, x: &'a [f32]) -> impl Iterator<Item = f64> + 'a {
        let deviations = deviations(x, &self.rows.means);
        self.coefficients.iter().zip(deviations).map(|(b, x)| b * x)
    }

    /// Returns the prediction at a point, within the range of the targets seen; 0 before the first.
    pub(super) fn predict(&self, x: &[f32]) -> f64 {
        let slope: f64 = self.parts(x).sum();
        (self.mean_target + slope).clamp(self.targets[0], self.targets[1])
    }

    /// Returns the contribution of each feature to the prediction at a point, relative to the mean of the features,
    /// times `factor`; all are lowered by the same share where the prediction is clamped to the range of the targets.
    pub(super) fn contributions(&self, x: &[f32], factor: f64) -> Vec<f64> {
        let slope: f64 = self.parts(x).sum();
        let within = self.predict(x) - self.mean_target;
        let share = if slope == 0.0 { 1.0 } else { within / slope };
        self.parts(x).map(|part| factor * (share * part)).collect()
    }

    /// Returns the prediction for a learned row by the regression of the other rows, with the penalty of all.
    pub(super) fn predict_without(&self, x: &[f32], target: f64, weight: f64) -> f64 {
        let without = if self.factor.is_empty() {
            self.without_by_features(x, target, weight)
        } else {
            self.without_by_leverage(x, target, weight)
        };
        without.clamp(self.targets[0], self.targets[1])
    }

    /// Returns y − (y − ŷ) / (1 − w h), where h = 1/n + (x − x̄)ᵀ S⁻¹ (x − x̄) is the leverage of the row and w its
    /// weight.
    fn without_by_leverage(&self, x: &[f32], target: f64, weight: f64) -> f64 {
        let deviations = deviations(x, &self.rows.means);
        let scaled = deviations.zip(&self.scale).map(|(x, scale)| x * scale);
        let mut scaled: Few = scaled.collect();
        substitute_forwards(&self.factor, &mut scaled);
        let square: f64 = scaled.iter().map(|value| value * value).sum();
        let leverage = 1.0 / self.rows.mass + square;
        target - (target - self.predict(x)) / (1.0 - weight * leverage).max(LEAST_REST)
    }

    /// Returns the prediction of separate slopes, each of which follows from its sums without the row.
    fn without_by_features(&self, x: &[f32], target: f64, weight: f64) -> f64 {
        let share = self.share();
        let rest = self.rows.mass - weight;
        let above = weight * (target - self.mean_target);
        // Without the row the means move away from it: its deviations grow by this factor.
        let moved = self.rows.mass / rest;
        let sums = self.with_target.iter().zip(&self.scale);
        let mut slopes = 0.0;
        for (x, (sum, scale)) in deviations(x, &self.rows.means).zip(sums) {
            let inverse = scale * scale;
            let left = (1.0 - weight * moved * x * x * inverse / share).max(LEAST_REST);
            slopes += moved * x * (sum - moved * x * above) * inverse / left;
        }
        self.mean_target - above / rest + slopes
    }

    /// Adds a row to the sums; the coefficients follow when they are solved for.
    pub(super) fn learn(&mut self, x: &[f32], target: f64, weight: f64) {
        self.targets = if self.rows.mass == 0.0 {
            [target; 2]
        } else {
            [self.targets[0].min(target), self.targets[1].max(target)]
        };
        let Some((of_products, deviations)) = self.rows.add(x, weight) else {
            return;
        };
        let of_target = target - self.mean_target;
        self.mean_target += weight / self.rows.mass * of_target;
        for (sum, deviation) in self.with_target.iter_mut().zip(&deviations) {
            *sum += of_products * deviation * of_target;
        }
        self.scatter.add(of_products, &deviations);
    }

    /// Returns the factor of the coefficients: 1 / √d where each is solved for separately, as features may be
    /// correlated.
    fn share(&self) -> f64 {
        if self.scatter.is_diagonal {
            1.0 / self.scale.len().isqrt() as f64
        } else {
            1.0
        }
    }

    pub(super) fn solve(&mut self) {
        let ridge = 1.0 + 1.0 / self.rows.mass;
        let share = self.share();
        for (row, scale) in self.scale.iter_mut().enumerate() {
            *scale = inverse_root(self.scatter.get(row, row) * ridge / share);
            self.coefficients[row] = self.with_target[row] * *scale;
        }
        if !self.scatter.is_diagonal {
            let cell = |row, column| self.scatter.get(row, column);
            let scale = |row: usize| self.scale[row];
            factorise_scaled(self.scale.len(), cell, scale, &mut self.factor);
            substitute(&self.factor, &mut self.coefficients);
        }
        for (b, scale) in self.coefficients.iter_mut().zip(&self.scale) {
            *b *= scale;
            if !b.is_finite() {
                // The sums have overflowed.
                *b = 0.0;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (4 * self.scale.len() + self.factor.capacity()) * size_of::<f64>() + self.scatter.bytes()
    }

    pub(super) fn is_shaped(&self, features: usize) -> bool {
        let lists = [
            &self.rows.means,
            &self.with_target,
            &self.coefficients,
            &self.scale,
        ];
        let has_factor = self.rows.mass > 0.0 && !self.scatter.is_diagonal;
        let factor = if has_factor { start(features) } else { 0 };
        // `clamp` panics if the targets are not in order.
        lists.iter().all(|list| list.len() == features)
            && self.scatter.is_like(&Symmetric::scatter(features))
            && self.factor.len() == factor
            && self.targets[0] <= self.targets[1]
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::algebra::MOST_WITH_PRODUCTS;

    /// Returns the coefficients of least squares with an intercept, from all rows at once.
    fn dense(rows: &[([f32; 3], f64)]) -> DVector<f64> {
        let columns = |row: usize, column: usize| match column {
            3 => rows[row].1,
            _ => rows[row].0[column].into(),
        };
        let mut all = DMatrix::from_fn(rows.len(), 4, columns);
        for mut column in all.column_iter_mut() {
            column.add_scalar_mut(-column.mean());
        }
        let x = all.columns(0, 3);
        let y = all.column(3);
        let mut a = x.transpose() * x;
        (0..3).for_each(|i| a[(i, i)] *= 1.0 + 1.0 / rows.len() as f64);
        a.lu().solve(&(x.transpose() * y)).unwrap()
    }

    fn drawn(rng: &mut TreeRng) -> ([f32; 3], f64) {
        let first = rng.normal() as f32 + 1000.0;
        let x = [first, rng.uniform() as f32, rng.normal() as f32];
        (x, f64::from(x[0]) - 3.0 * f64::from(x[1]) + rng.normal())
    }

    #[test]
    fn coefficients_are_those_of_a_dense_solve_of_all_rows() {
        let mut rng = TreeRng::new(1, 0);
        let mut ridge = Ridge::new(3);
        let mut rows = Vec::new();
        for _ in 0..200 {
            let (x, y) = drawn(&mut rng);
            ridge.learn(&x, y, 1.0);
            ridge.solve();
            assert!(ridge.is_shaped(3));
            rows.push((x, y));
            if rows.len() > 10 {
                for (value, expected) in ridge.coefficients.iter().zip(&dense(&rows)) {
                    assert!((value - expected).abs() < 1e-8 * (1.0 + expected.abs()));
                }
            }
        }
        assert!((ridge.predict(&[1000.0, 0.5, 0.0]) - 998.5).abs() < 0.5);
    }

    /// A ridge without a row is another one: its penalty is that of the rows that are left, so of 100 rows the two
    /// differ by little, and from in-sample predictions by more.
    #[test]
    fn a_row_that_is_left_out_is_predicted_as_if_it_had_never_come() {
        for width in [3, MOST_WITH_PRODUCTS + 1] {
            let mut rng = TreeRng::new(3, 0);
            let rows: Vec<_> = (0..100).map(|_| drawn(&mut rng)).collect();
            let wide = |x: [f32; 3]| x.into_iter().cycle().take(width).collect::<Vec<f32>>();
            let learned = |skipped: usize| {
                let mut ridge = Ridge::new(width);
                for (_, (x, y)) in rows.iter().enumerate().filter(|(row, _)| *row != skipped) {
                    ridge.learn(&wide(*x), *y, 1.0);
                }
                ridge.solve();
                ridge
            };
            let all = learned(rows.len());
            let (mut own, mut inside) = (0.0, 0.0);
            for (row, (x, y)) in rows.iter().enumerate() {
                let expected = learned(row).predict(&wide(*x));
                own += (all.predict_without(&wide(*x), *y, 1.0) - expected).abs();
                inside += (all.predict(&wide(*x)) - expected).abs();
            }
            assert!(2.5 * own < inside, "{width}: {own} {inside}");
        }
    }

    /// As a damaged file can state it.
    #[test]
    fn a_regression_without_a_solution_leaves_rows_out() {
        let ridge = Ridge::new(3);
        assert!(ridge.is_shaped(3));
        ridge.predict_without(&[1.0, 2.0, 3.0], 1.0, 1.0);
    }

    #[test]
    fn nothing_is_predicted_beyond_the_targets_seen() {
        let mut ridge = Ridge::new(1);
        assert_eq!(ridge.predict(&[3.0]), 0.0);
        for row in 0..50u8 {
            ridge.learn(&[f32::from(row)], f64::from(row) + 7.0, 1.0);
        }
        ridge.solve();
        assert_eq!([1e30, -1e30].map(|x| ridge.predict(&[x])), [56.0, 7.0]);
    }

    #[test]
    fn of_many_features_each_is_used_alone() {
        let mut rng = TreeRng::new(2, 0);
        let width = MOST_WITH_PRODUCTS + 1;
        let mut ridge = Ridge::new(width);
        for _ in 0..2000 {
            let x: Vec<f32> = (0..width).map(|_| rng.normal() as f32).collect();
            ridge.learn(&x, f64::from(x[5]), 1.0);
        }
        ridge.solve();
        assert!(ridge.is_shaped(width));
        let largest = ridge.coefficients.iter().copied().fold(0.0, f64::max);
        assert_eq!(ridge.coefficients[5], largest);
    }
}
