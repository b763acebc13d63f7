//! A ridge regression of all rows, with discount: the first stage of a chain, if its settings say so.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::deviation::deviation;
use crate::solve::{Symmetric, solve};

/// A linear function of the features, by least squares.
///
/// Means and the products of deviations from them are discounted sums, brought up to date as by Welford (so a feature's offset does not
/// cost digits): d² / 2 multiplications a row. The coefficients are solved for at growing intervals, up to d rows, which
/// takes no longer in all. Each is shrunk as if one more row had been seen where the feature varies alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ridge {
    /// Rows, each with its discount.
    mass: f64,
    means: Vec<f64>,
    mean_target: f64,
    products: Products,
    with_target: Vec<f64>,
    coefficients: Vec<f64>,
    /// Rows until they are solved for again.
    wait: u32,
    /// The least and the largest target; predictions are clamped to them.
    targets: [f64; 2],
    #[serde(skip)]
    memory: Memory,
}

/// Discounted sums of products of features' deviations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Products {
    All(Symmetric),
    /// With many features, the squares alone.
    Squares(Vec<f64>),
}

/// Working memory, which is not cloned or saved.
#[derive(Debug, Default)]
struct Memory {
    deviations: Vec<f64>,
    factor: Vec<f64>,
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Ridge {
    /// With more features than this only the squares are kept: 260 kB of products, and about 30 µs a row.
    pub(crate) const MOST: usize = 256;

    pub(crate) fn new(features: usize) -> Self {
        let products = match features {
            0..=Self::MOST => Products::All(Symmetric::zero(features)),
            _ => Products::Squares(vec![0.0; features]),
        };
        Self {
            mass: 0.0,
            means: vec![0.0; features],
            mean_target: 0.0,
            products,
            with_target: vec![0.0; features],
            coefficients: vec![0.0; features],
            wait: 0,
            targets: [0.0; 2],
            memory: Memory::default(),
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

    pub(crate) fn learn(&mut self, x: &[f32], target: f64, discount: f64) {
        self.widen_range(target);
        let before = discount * self.mass;
        self.mass = before + 1.0;
        let (share, weight) = (1.0 / self.mass, before / self.mass);
        self.memory.deviations.clear();
        let deviation_of_target = target - self.mean_target;
        self.mean_target += share * deviation_of_target;
        for (&value, mean) in x.iter().zip(&mut self.means) {
            let deviation = deviation(value, *mean);
            *mean += share * deviation;
            self.memory.deviations.push(deviation);
        }
        let deviations = &self.memory.deviations;
        for (sum, deviation) in self.with_target.iter_mut().zip(deviations) {
            *sum = discount * *sum + weight * deviation * deviation_of_target;
        }
        self.products.update(discount, weight, deviations);
        self.solve_if_due();
    }

    fn widen_range(&mut self, target: f64) {
        self.targets = match self.mass {
            0.0 => [target; 2],
            _ => [self.targets[0].min(target), self.targets[1].max(target)],
        };
    }

    fn solve_if_due(&mut self) {
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        self.wait = ((self.mass / 8.0) as usize).min(self.means.len()) as u32;
        self.coefficients.copy_from_slice(&self.with_target);
        let ridge = 1.0 / self.mass;
        let (factor, solution) = (&mut self.memory.factor, &mut self.coefficients);
        match &self.products {
            Products::All(products) => {
                solve(
                    products,
                    |row| ridge * products.get(row, row),
                    factor,
                    solution,
                );
            }
            Products::Squares(squares) => solve_alone(squares, ridge, solution),
        }
        make_finite(solution);
    }

    pub(crate) fn bytes(&self) -> usize {
        let vectors = self.means.len() * 3 + self.memory.deviations.capacity();
        let numbers = vectors + self.memory.factor.capacity();
        numbers * size_of::<f64>() + self.products.bytes()
    }

    pub(crate) fn check(&self, features: usize) -> Result<(), InvariantError> {
        let vectors = [&self.means, &self.with_target, &self.coefficients];
        let finite = |vector: &&Vec<f64>| {
            vector.len() == features && vector.iter().all(|value| value.is_finite())
        };
        let sound = vectors.iter().all(finite) && self.products.is_sound(features);
        let counted = self.mass >= 0.0 && self.mass.is_finite() && self.wait as usize <= features;
        let [least, largest] = self.targets;
        let ranged = least <= largest && least.is_finite() && largest.is_finite();
        let mean = self.mean_target.is_finite();
        let what = "no rows could have these sums";
        InvariantError::require(sound && counted && ranged && mean, "ridge", what)
    }
}

/// A coefficient that the rows do not determine is 0.
fn make_finite(values: &mut [f64]) {
    for value in values.iter_mut().filter(|value| !value.is_finite()) {
        *value = 0.0;
    }
}

impl Products {
    fn update(&mut self, discount: f64, weight: f64, deviations: &[f64]) {
        match self {
            Self::All(products) => products.update(discount, weight, deviations),
            Self::Squares(squares) => {
                for (square, deviation) in squares.iter_mut().zip(deviations) {
                    *square = discount * *square + weight * deviation * deviation;
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::All(products) => products.bytes(),
            Self::Squares(squares) => squares.capacity() * size_of::<f64>(),
        }
    }

    fn is_sound(&self, features: usize) -> bool {
        match self {
            Self::All(products) => features <= Ridge::MOST && products.is_sound(features),
            Self::Squares(squares) => {
                let are_squares = squares
                    .iter()
                    .all(|square| (0.0..f64::INFINITY).contains(square));
                features > Ridge::MOST && squares.len() == features && are_squares
            }
        }
    }
}

/// Overwrites products with the target by slopes: each feature's own, all divided by √d, since features may be correlated.
fn solve_alone(squares: &[f64], ridge: f64, solution: &mut [f64]) {
    for (value, square) in solution.iter_mut().zip(squares) {
        *value = if *square > 0.0 {
            *value / (square * (1.0 + ridge))
        } else {
            0.0
        };
    }
    let share = 1.0 / solution.len().isqrt() as f64;
    solution.iter_mut().for_each(|value| *value *= share);
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;

    const DISCOUNT: f64 = 0.99;

    /// Returns the coefficients of discounted least squares with an intercept, from all rows at once.
    fn dense(rows: &[([f32; 3], f64)]) -> DVector<f64> {
        let weight = |row: usize| DISCOUNT.powi((rows.len() - 1 - row) as i32);
        let mass: f64 = (0..rows.len()).map(weight).sum();
        let columns = |row: usize| {
            let (x, y) = rows[row];
            [x[0].into(), x[1].into(), x[2].into(), y]
        };
        let mean = |column: usize| {
            let sum: f64 = (0..rows.len())
                .map(|row| weight(row) * columns(row)[column])
                .sum();
            sum / mass
        };
        let means = [mean(0), mean(1), mean(2), mean(3)];
        let (mut a, mut b) = (DMatrix::zeros(3, 3), DVector::zeros(3));
        for row in 0..rows.len() {
            let deviation = |column: usize| columns(row)[column] - means[column];
            for i in 0..3 {
                b[i] += weight(row) * deviation(i) * deviation(3);
                (0..3).for_each(|j| a[(i, j)] += weight(row) * deviation(i) * deviation(j));
            }
        }
        (0..3).for_each(|i| a[(i, i)] *= 1.0 + 1.0 / mass);
        a.lu().solve(&b).unwrap()
    }

    #[test]
    fn coefficients_are_those_of_a_dense_solve_of_all_rows() {
        let (mut rng, mut ridge, mut rows) = (TreeRng::new(1, 0), Ridge::new(3), Vec::new());
        for _ in 0..200 {
            let x = [
                rng.normal() as f32 + 1000.0,
                rng.uniform() as f32,
                rng.normal() as f32,
            ];
            let y = f64::from(x[0]) - 3.0 * f64::from(x[1]) + rng.normal();
            ridge.learn(&x, y, DISCOUNT);
            ridge.check(3).unwrap();
            rows.push((x, y));
            let is_solved =
                rows.len() > 10 && ridge.wait == ((ridge.mass / 8.0) as usize).min(3) as u32;
            if is_solved {
                for (value, expected) in ridge.coefficients.iter().zip(&dense(&rows)) {
                    assert!((value - expected).abs() < 1e-8 * (1.0 + expected.abs()));
                }
            }
        }
        assert!((ridge.predict(&[1000.0, 0.5, 0.0]) - 998.5).abs() < 0.5);
    }

    #[test]
    fn nothing_is_predicted_beyond_the_targets_seen() {
        let mut ridge = Ridge::new(1);
        assert_eq!(ridge.predict(&[3.0]), 0.0);
        for row in 0..50u8 {
            ridge.learn(&[f32::from(row)], f64::from(row) + 7.0, 1.0);
        }
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
        ridge.check(width).unwrap();
        let largest = ridge.coefficients.iter().copied().fold(0.0, f64::max);
        assert_eq!(ridge.coefficients[5], largest);
    }
}
