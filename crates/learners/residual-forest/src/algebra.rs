//! Means and scatter of rows, and the solution of normal equations.
//!
//! Written here so that predictions have the same bits on every machine: libraries sum in an order that depends on it.

use forest_core::threads;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A vector that does not allocate for few features or columns.
pub(crate) type Few = SmallVec<[f64; 32]>;

/// A symmetric matrix: the rows of its lower triangle, or its diagonal alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Symmetric {
    pub(crate) is_diagonal: bool,
    cells: Vec<f64>,
}

/// The largest number of features for which products are kept: 260 kB, and about 30 µs a row.
pub(crate) const MOST_WITH_PRODUCTS: usize = 256;

/// Returns where row `row` of a lower triangle begins.
pub(crate) fn start(row: usize) -> usize {
    row * (row + 1) / 2
}

impl Symmetric {
    pub(crate) fn zero(order: usize) -> Self {
        Self::of(order, |_, _| 0.0)
    }

    /// Returns zeros for the scatter of features, Σ (x − x̄)(x − x̄)ᵀ; for many features the diagonal alone.
    pub(crate) fn scatter(features: usize) -> Self {
        if features <= MOST_WITH_PRODUCTS {
            return Self::zero(features);
        }
        let cells = vec![0.0; features];
        let is_diagonal = true;
        Self { is_diagonal, cells }
    }

    /// Returns the matrix with these cells; `cell` is called with a row and a column that is at most the row.
    pub(crate) fn of(order: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let mut cells = Vec::with_capacity(start(order));
        for row in 0..order {
            cells.extend((0..=row).map(|column| cell(row, column)));
        }
        let is_diagonal = false;
        Self { is_diagonal, cells }
    }

    fn place(&self, row: usize, column: usize) -> usize {
        if self.is_diagonal {
            row
        } else {
            start(row.max(column)) + row.min(column)
        }
    }

    /// Returns a cell; if the matrix is diagonal, the row has to be the column.
    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[self.place(row, column)]
    }

    pub(crate) fn diagonal_mut(&mut self, row: usize) -> &mut f64 {
        let place = self.place(row, row);
        &mut self.cells[place]
    }

    pub(crate) fn scale(&mut self, by: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= by);
    }

    /// Adds `weight · x xᵀ`. If the weight is negative, the diagonal stays 0 or more despite rounding.
    #[inline]
    pub(crate) fn add(&mut self, weight: f64, x: &[f64]) {
        for (row, &value) in x.iter().enumerate() {
            if self.is_diagonal {
                self.cells[row] += weight * value * value;
            } else {
                let cells = &mut self.cells[start(row)..=start(row) + row];
                for (cell, other) in cells.iter_mut().zip(x) {
                    *cell += weight * value * other;
                }
            }
            if weight < 0.0 {
                let square = self.diagonal_mut(row);
                *square = square.max(0.0);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
    }

    /// Returns whether it has the shape of another.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.is_diagonal == other.is_diagonal && self.cells.len() == other.cells.len()
    }
}

/// The total weight of rows, and the means of their features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Means {
    pub(crate) mass: f64,
    pub(crate) means: Vec<f64>,
}

impl Means {
    pub(crate) fn new(features: usize) -> Self {
        let means = vec![0.0; features];
        Self { mass: 0.0, means }
    }

    /// Adds a row, or removes it if its weight is negative, by Welford's method. Returns the weight and vector of the
    /// outer product to add to the scatter; `None` if no weight is left.
    pub(crate) fn add(&mut self, x: &[f32], weight: f64) -> Option<(f64, Few)> {
        let before = self.mass;
        self.mass += weight;
        if self.mass <= 0.0 {
            *self = Self::new(self.means.len());
            return None;
        }
        let share = weight / self.mass;
        let mut deviations = Few::new();
        for (&value, mean) in x.iter().zip(&mut self.means) {
            let deviation = deviation(value, *mean);
            *mean += share * deviation;
            deviations.push(deviation);
        }
        Some((weight * before / self.mass, deviations))
    }
}

/// Returns the deviation of a value from a mean; 0 for a missing value or a category, which changes no linear function.
#[inline]
fn deviation(value: f32, mean: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        f64::from(value) - mean
    }
}

/// Returns the deviations of a point from means.
#[inline]
pub(crate) fn deviations<'a>(x: &'a [f32], means: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let pairs = x.iter().zip(means);
    pairs.map(|(&value, &mean)| deviation(value, mean))
}

/// Pivots of a scaled matrix are raised to this: rounding can make them smaller.
const LEAST_PIVOT: f64 = 1e-12;

/// Overwrites `solution`, a right side b, with the x of (A + diag `added`) x = b; x is 0 where the diagonal is 0.
///
/// The matrix is divided by the roots of its diagonal first: scales do not matter. Cholesky decomposition, order³ / 6.
pub(crate) fn solve(matrix: &Symmetric, added: impl Fn(usize) -> f64, solution: &mut [f64]) {
    let order = solution.len();
    let scale = |row: usize| inverse_root(matrix.get(row, row) + added(row));
    threads::with_buffer(|factor| {
        factorise_scaled(order, |row, column| matrix.get(row, column), scale, factor);
        (0..order).for_each(|row| solution[row] *= scale(row));
        substitute(factor, solution);
        (0..order).for_each(|row| solution[row] *= scale(row));
    });
}

/// Returns 1/√x, or 0 unless x is positive.
pub(crate) fn inverse_root(square: f64) -> f64 {
    if square > 0.0 {
        1.0 / square.sqrt()
    } else {
        0.0
    }
}

/// Overwrites `factor` with the Cholesky factor, diagonal inverted, of a matrix to which `scale` gives diagonal 1.
pub(crate) fn factorise_scaled(
    order: usize,
    cell: impl Fn(usize, usize) -> f64,
    scale: impl Fn(usize) -> f64,
    factor: &mut Vec<f64>,
) {
    factor.clear();
    for row in 0..order {
        factor.extend((0..row).map(|column| cell(row, column) * scale(row) * scale(column)));
        factor.push(1.0);
    }
    for row in 0..order {
        let (above, rest) = factor.split_at_mut(start(row));
        let own = &mut rest[..=row];
        for column in 0..row {
            let other = &above[start(column)..=start(column) + column];
            own[column] = (own[column] - dot(&own[..column], &other[..column])) * other[column];
        }
        let pivot = own[row] - dot(&own[..row], &own[..row]);
        own[row] = 1.0 / pivot.max(LEAST_PIVOT).sqrt();
    }
}

/// Overwrites b with L⁻¹ b.
pub(crate) fn substitute_forwards(factor: &[f64], solution: &mut [f64]) {
    for row in 0..solution.len() {
        let known = dot(&factor[start(row)..start(row) + row], &solution[..row]);
        solution[row] = (solution[row] - known) * factor[start(row) + row];
    }
}

/// Overwrites b with (L Lᵀ)⁻¹ b.
pub(crate) fn substitute(factor: &[f64], solution: &mut [f64]) {
    substitute_forwards(factor, solution);
    for row in (0..solution.len()).rev() {
        solution[row] *= factor[start(row) + row];
        let (before, from) = solution.split_at_mut(row);
        for (value, cell) in before.iter_mut().zip(&factor[start(row)..]) {
            *value -= cell * from[0];
        }
    }
}

/// Returns the scalar product: four independent sums of every fourth product, added in a fixed order.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, rest_of_a) = a.as_chunks::<4>();
    let (b, rest_of_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = rest_of_a.iter().zip(rest_of_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Sums of outer products of normal vectors with these scales, and the same as a dense matrix.
    fn drawn(rng: &mut TreeRng, scales: &[f64]) -> (Symmetric, DMatrix<f64>) {
        let order = scales.len();
        let mut own = Symmetric::zero(order);
        let mut dense = DMatrix::zeros(order, order);
        for _ in 0..30 {
            let common = rng.normal();
            let x: Vec<f64> = scales.iter().map(|s| s * (rng.normal() + common)).collect();
            own.scale(0.99);
            own.add(1.5, &x);
            let x = DVector::from_vec(x);
            dense = dense * 0.99 + 1.5 * &x * x.transpose();
        }
        (own, dense)
    }

    #[test]
    fn solutions_are_those_of_a_dense_solve() {
        let mut rng = TreeRng::new(3, 0);
        let scales = [1.0, 1e-3, 100.0, 1e5, 1.0, 3.0];
        for order in 1..=scales.len() {
            let (own, mut dense) = drawn(&mut rng, &scales[..order]);
            let right: Vec<f64> = (0..order).map(|_| rng.normal()).collect();
            let mut solution = right.clone();
            solve(&own, |row| 0.01 * own.get(row, row), &mut solution);
            (0..order).for_each(|row| dense[(row, row)] *= 1.01);
            let expected = dense.lu().solve(&DVector::from_vec(right)).unwrap();
            for (value, expected) in solution.iter().zip(&expected) {
                assert!((value - expected).abs() <= 1e-9 * expected.abs(), "{order}");
            }
        }
    }

    #[test]
    fn what_never_varied_gets_nothing_and_what_is_twice_there_gets_half() {
        let mut matrix = Symmetric::zero(3);
        for x in [1.0, -2.0, 5.0] {
            matrix.add(1.0, &[x, 0.0, x]);
        }
        let mut solution = [60.0, 7.0, 60.0];
        solve(&matrix, |row| 1e-9 * matrix.get(row, row), &mut solution);
        assert!((solution[0] - 1.0).abs() < 1e-6 && solution[1] == 0.0);
        assert!((solution[2] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn extreme_numbers_stay_finite() {
        let mut matrix = Symmetric::zero(2);
        matrix.add(1.0, &[1e100, 1e-160]);
        let mut solution = [1e200, 1e-60];
        solve(&matrix, |_| 1e-9, &mut solution);
        assert!(solution.iter().all(|value| value.is_finite()));
    }
}
