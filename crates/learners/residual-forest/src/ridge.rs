//! A ridge regression of all rows, the first stage of a chain, if its settings say so.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::deviation::deviation;
use crate::solve::{Symmetric, factorise_scaled, inverse_root, substitute, substitute_forwards};

/// A linear function of the features, by least squares.
///
/// Means and the products of deviations from them are brought up to date as by Welford (so a feature's offset does not cost digits): d² / 2 multiplications a row.
/// Each coefficient is shrunk as if one more row had been seen where the feature varies alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ridge {
    /// The weights of the rows, added up.
    rows: f64,
    means: Vec<f64>,
    mean_target: f64,
    products: Products,
    with_target: Vec<f64>,
    coefficients: Vec<f64>,
    /// What the products were when the coefficients were solved for: a Cholesky factor, and what it was scaled by; or the squares.
    factor: Vec<f64>,
    scale: Vec<f64>,
    /// The least and the largest target; predictions are clamped to them.
    targets: [f64; 2],
}

/// Sums of products of features' deviations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Products {
    All(Symmetric),
    /// With many features, the squares alone.
    Squares(Vec<f64>),
}

/// The least share of the others in the prediction of a row: one that is far from all others is as good as alone.
const LEAST_REST: f64 = 1e-3;

impl Ridge {
    /// With more features than this only the squares are kept: 260 kB of products, and about 30 µs a row.
    pub(crate) const MOST: usize = 256;

    pub(crate) fn new(features: usize) -> Self {
        let products = match features {
            0..=Self::MOST => Products::All(Symmetric::zero(features)),
            _ => Products::Squares(vec![0.0; features]),
        };
        Self {
            rows: 0.0,
            means: vec![0.0; features],
            mean_target: 0.0,
            products,
            with_target: vec![0.0; features],
            coefficients: vec![0.0; features],
            factor: Vec::new(),
            scale: vec![0.0; features],
            targets: [0.0; 2],
        }
    }

    /// Returns the prediction at a point, within the range of the targets seen; 0 before the first.
    pub(crate) fn predict(&self, x: &[f32]) -> f64 {
        let known = self.coefficients.iter().zip(x.iter().zip(&self.means));
        let slope: f64 = known.map(|(b, (&x, &mean))| b * deviation(x, mean)).sum();
        (self.mean_target + slope).clamp(self.targets[0], self.targets[1])
    }

    /// Returns what each feature adds to the prediction at a point, relative to the mean of the features; where the prediction is at an end of the range of
    /// the targets, each adds the same share less.
    pub(crate) fn contributions(&self, x: &[f32]) -> impl Iterator<Item = f64> {
        let slopes = x.iter().zip(&self.means);
        let slopes = slopes.map(|(&x, &mean)| deviation(x, mean));
        let parts: Vec<f64> = self
            .coefficients
            .iter()
            .zip(slopes)
            .map(|(b, x)| b * x)
            .collect();
        let slope: f64 = parts.iter().sum();
        let within = self.predict(x) - self.mean_target;
        let share = if slope == 0.0 { 1.0 } else { within / slope };
        parts.into_iter().map(move |part| share * part)
    }

    /// Returns what it would predict for a row that it has learned, one of several, without it.
    pub(crate) fn predict_without(&self, x: &[f32], target: f64, weight: f64) -> f64 {
        let deviations = x
            .iter()
            .zip(&self.means)
            .map(|(&x, &mean)| deviation(x, mean));
        let without = match &self.products {
            // The row's own target has a share in its prediction that takes no second solution.
            Products::All(_) => {
                let pairs = deviations.zip(&self.scale);
                let mut scaled: SmallVec<[f64; 32]> =
                    pairs.map(|(deviation, scale)| deviation * scale).collect();
                substitute_forwards(&self.factor, &mut scaled);
                let own = 1.0 / self.rows + scaled.iter().map(|value| value * value).sum::<f64>();
                target - (target - self.predict(x)) / (1.0 - weight * own).max(LEAST_REST)
            }
            Products::Squares(_) => {
                let (above, times) = (
                    weight * (target - self.mean_target),
                    self.rows / (self.rows - weight),
                );
                let share = 1.0 / x.len().isqrt() as f64;
                let features = deviations.zip(self.with_target.iter().zip(&self.scale));
                let slopes = features.map(|(deviation, (sum, scale))| {
                    let inverse = scale * scale;
                    let rest = (1.0 - weight * times * deviation * deviation * inverse / share)
                        .max(LEAST_REST);
                    times * deviation * (sum - times * deviation * above) * inverse / rest
                });
                self.mean_target - above / (self.rows - weight) + slopes.sum::<f64>()
            }
        };
        without.clamp(self.targets[0], self.targets[1])
    }

    pub(crate) fn learn(&mut self, x: &[f32], target: f64, weight: f64) {
        self.widen_range(target);
        let before = self.rows;
        self.rows += weight;
        let (share, weight) = (weight / self.rows, weight * before / self.rows);
        let deviation_of_target = target - self.mean_target;
        self.mean_target += share * deviation_of_target;
        let mut deviations = SmallVec::<[f64; 32]>::new();
        for (&value, mean) in x.iter().zip(&mut self.means) {
            let deviation = deviation(value, *mean);
            *mean += share * deviation;
            deviations.push(deviation);
        }
        for (sum, deviation) in self.with_target.iter_mut().zip(&deviations) {
            *sum += weight * deviation * deviation_of_target;
        }
        self.products.update(weight, &deviations);
    }

    fn widen_range(&mut self, target: f64) {
        self.targets = if self.rows == 0.0 {
            [target; 2]
        } else {
            [self.targets[0].min(target), self.targets[1].max(target)]
        };
    }

    /// Solves for the coefficients.
    pub(crate) fn solve(&mut self) {
        let ridge = 1.0 + 1.0 / self.rows;
        let Self {
            products,
            scale,
            factor,
            coefficients,
            ..
        } = self;
        // Features alone are divided by √d, since they may be correlated.
        let share = match products {
            Products::All(_) => 1.0,
            Products::Squares(_) => 1.0 / coefficients.len().isqrt() as f64,
        };
        for (row, scale) in scale.iter_mut().enumerate() {
            *scale = inverse_root(products.square(row) * ridge / share);
        }
        for ((b, sum), scale) in coefficients.iter_mut().zip(&self.with_target).zip(&*scale) {
            *b = sum * scale;
        }
        if let Products::All(products) = products {
            let cell = |row, column| products.get(row, column);
            factorise_scaled(coefficients.len(), cell, |row| scale[row], factor);
            substitute(factor, coefficients);
        }
        for (b, scale) in coefficients.iter_mut().zip(&*scale) {
            *b *= scale;
        }
        make_finite(coefficients);
    }

    pub(crate) fn bytes(&self) -> usize {
        let numbers = self.means.len() * 4 + self.factor.capacity();
        numbers * size_of::<f64>() + self.products.bytes()
    }

    /// Checks the shape.
    pub(crate) fn check(&self, features: usize) -> Result<(), InvariantError> {
        let vectors = [
            &self.means,
            &self.with_target,
            &self.coefficients,
            &self.scale,
        ];
        let solved = match &self.products {
            Products::All(_) if self.rows > 0.0 => features * (features + 1) / 2,
            _ => 0,
        };
        let is_shaped = vectors.iter().all(|vector| vector.len() == features)
            && self.products.is_shaped(features)
            && self.factor.len() == solved
            // What clamps needs them in order.
            && self.targets[0] <= self.targets[1];
        InvariantError::require(is_shaped, "ridge", "no rows could have these sums")
    }
}

/// A coefficient that the rows do not determine is 0.
fn make_finite(values: &mut [f64]) {
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = 0.0;
    }
}

impl Products {
    fn update(&mut self, weight: f64, deviations: &[f64]) {
        match self {
            Self::All(products) => products.update(1.0, weight, deviations),
            Self::Squares(squares) => {
                for (square, deviation) in squares.iter_mut().zip(deviations) {
                    *square += weight * deviation * deviation;
                }
            }
        }
    }

    fn square(&self, row: usize) -> f64 {
        match self {
            Self::All(products) => products.get(row, row),
            Self::Squares(squares) => squares[row],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::All(products) => products.bytes(),
            Self::Squares(squares) => squares.capacity() * size_of::<f64>(),
        }
    }

    fn is_shaped(&self, features: usize) -> bool {
        match self {
            Self::All(products) => features <= Ridge::MOST && products.is_shaped(features),
            Self::Squares(squares) => features > Ridge::MOST && squares.len() == features,
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Returns the coefficients of least squares with an intercept, from all rows at once.
    fn dense(rows: &[([f32; 3], f64)]) -> DVector<f64> {
        let count = rows.len() as f64;
        let columns = |row: usize| {
            let (x, y) = rows[row];
            [x[0].into(), x[1].into(), x[2].into(), y]
        };
        let mean =
            |column: usize| (0..rows.len()).map(|row| columns(row)[column]).sum::<f64>() / count;
        let means = [mean(0), mean(1), mean(2), mean(3)];
        let (mut a, mut b) = (DMatrix::zeros(3, 3), DVector::zeros(3));
        for row in 0..rows.len() {
            let deviation = |column: usize| columns(row)[column] - means[column];
            for i in 0..3 {
                b[i] += deviation(i) * deviation(3);
                (0..3).for_each(|j| a[(i, j)] += deviation(i) * deviation(j));
            }
        }
        (0..3).for_each(|i| a[(i, i)] *= 1.0 + 1.0 / count);
        a.lu().solve(&b).unwrap()
    }

    fn drawn(rng: &mut TreeRng) -> ([f32; 3], f64) {
        let x = [
            rng.normal() as f32 + 1000.0,
            rng.uniform() as f32,
            rng.normal() as f32,
        ];
        (x, f64::from(x[0]) - 3.0 * f64::from(x[1]) + rng.normal())
    }

    #[test]
    fn coefficients_are_those_of_a_dense_solve_of_all_rows() {
        let (mut rng, mut ridge, mut rows) = (TreeRng::new(1, 0), Ridge::new(3), Vec::new());
        for _ in 0..200 {
            let (x, y) = drawn(&mut rng);
            ridge.learn(&x, y, 1.0);
            ridge.solve();
            ridge.check(3).unwrap();
            rows.push((x, y));
            if rows.len() > 10 {
                for (value, expected) in ridge.coefficients.iter().zip(&dense(&rows)) {
                    assert!((value - expected).abs() < 1e-8 * (1.0 + expected.abs()));
                }
            }
        }
        assert!((ridge.predict(&[1000.0, 0.5, 0.0]) - 998.5).abs() < 0.5);
    }

    /// A ridge without a row is another one: its penalty is that of the rows that are left, so of 100 rows the two differ by little, and from in-sample predictions
    /// by more.
    #[test]
    fn a_row_that_is_left_out_is_predicted_as_if_it_had_never_come() {
        for width in [3, Ridge::MOST + 1] {
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

    #[test]
    fn nothing_is_predicted_beyond_the_targets_seen() {
        let mut ridge = Ridge::new(1);
        assert_eq!(ridge.predict(&[3.0]), 0.0);
        for row in 0..50u8 {
            ridge.learn(&[f32::from(row)], f64::from(row) + 7.0, 1.0);
        }
        ridge.solve();
        assert_eq!(
            (ridge.predict(&[1e30]), ridge.predict(&[-1e30])),
            (56.0, 7.0)
        );
    }

    #[test]
    fn of_many_features_each_is_used_alone() {
        let (mut rng, width) = (TreeRng::new(2, 0), Ridge::MOST + 1);
        let mut ridge = Ridge::new(width);
        for _ in 0..2000 {
            let x: Vec<f32> = (0..width).map(|_| rng.normal() as f32).collect();
            ridge.learn(&x, f64::from(x[5]), 1.0);
        }
        ridge.solve();
        ridge.check(width).unwrap();
        let largest = ridge.coefficients.iter().copied().fold(0.0, f64::max);
        assert_eq!(ridge.coefficients[5], largest);
    }
}
