//! Symmetric matrices, and the solution of normal equations.
//!
//! Written by hand so that predictions have the same bits on every machine: libraries for linear algebra sum in an order that depends on
//! the processor.

use serde::{Deserialize, Serialize};

/// A symmetric matrix: the rows of its lower triangle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Symmetric {
    order: usize,
    cells: Vec<f64>,
}

/// Returns where row `row` begins.
fn start(row: usize) -> usize {
    row * (row + 1) / 2
}

impl Symmetric {
    pub(crate) fn zero(order: usize) -> Self {
        let cells = vec![0.0; start(order)];
        Self { order, cells }
    }

    /// Overwrites all cells.
    pub(crate) fn fill(&mut self, cell: impl Fn(usize, usize) -> f64) {
        for row in 0..self.order {
            for column in 0..=row {
                self.cells[start(row) + column] = cell(row, column);
            }
        }
    }

    /// Adds a number to a cell of the diagonal.
    pub(crate) fn add(&mut self, row: usize, value: f64) {
        self.cells[start(row) + row] += value;
    }

    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[start(row.max(column)) + row.min(column)]
    }

    /// Replaces it by `discount · self + weight · x xᵀ`.
    #[inline]
    pub(crate) fn update(&mut self, discount: f64, weight: f64, x: &[f64]) {
        for (row, &value) in x.iter().enumerate() {
            let cells = &mut self.cells[start(row)..=start(row) + row];
            for (cell, other) in cells.iter_mut().zip(x) {
                *cell = discount * *cell + weight * value * other;
            }
        }
    }

    /// Clears what rounding leaves below 0 on the diagonal where all that was added has been taken out.
    pub(crate) fn clear_negative(&mut self) {
        for row in 0..self.order {
            let cell = &mut self.cells[start(row) + row];
            *cell = cell.max(0.0);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<f64>()
    }

    pub(crate) fn is_shaped(&self, order: usize) -> bool {
        self.order == order && self.cells.len() == start(order)
    }
}

/// No pivot of a scaled matrix is below this; without rounding none would be.
const LEAST_PIVOT: f64 = 1e-12;

/// Overwrites `solution`, a right side b, with the x that solves (A + diag `added`) x = b; x is 0 where that matrix's diagonal is.
///
/// It is divided by the roots of its diagonal on both sides first, so that the scales of its rows do not matter. Cholesky, order³ / 6
/// multiplications; `factor` is working memory.
pub(crate) fn solve(
    matrix: &Symmetric,
    added: impl Fn(usize) -> f64,
    factor: &mut Vec<f64>,
    solution: &mut [f64],
) {
    let order = solution.len();
    let diagonal = |row: usize| matrix.get(row, row) + added(row);
    let scale = |row: usize| inverse_root(diagonal(row));
    factorise_scaled(order, |row, column| matrix.get(row, column), scale, factor);
    (0..order).for_each(|row| solution[row] *= scale(row));
    substitute(factor, solution);
    (0..order).for_each(|row| solution[row] *= scale(row));
}

/// Returns 1/√x, or 0 for what is not positive.
pub(crate) fn inverse_root(square: f64) -> f64 {
    if square > 0.0 {
        1.0 / square.sqrt()
    } else {
        0.0
    }
}

/// Overwrites `factor` with the Cholesky factor, diagonal inverted, of a matrix whose rows and columns are multiplied by `scale`, which makes its diagonal 1.
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
    factorise(factor, order);
}

/// Overwrites a lower triangle with its Cholesky factor, diagonal inverted.
fn factorise(cells: &mut [f64], order: usize) {
    for row in 0..order {
        let (above, rest) = cells.split_at_mut(start(row));
        let own = &mut rest[..=row];
        for column in 0..row {
            let other = &above[start(column)..=start(column) + column];
            let known: f64 = dot(&own[..column], &other[..column]);
            own[column] = (own[column] - known) * other[column];
        }
        let known: f64 = dot(&own[..row], &own[..row]);
        own[row] = 1.0 / (own[row] - known).max(LEAST_PIVOT).sqrt();
    }
}

/// Overwrites b with L⁻¹ b.
pub(crate) fn substitute_forwards(factor: &[f64], solution: &mut [f64]) {
    for row in 0..solution.len() {
        let known = dot(&factor[start(row)..start(row) + row], &solution[..row]);
        solution[row] = (solution[row] - known) * factor[start(row) + row];
    }
}

/// Returns the diagonal of a factor, inverted.
pub(crate) fn inverse_diagonal(factor: &[f64], order: usize) -> impl Iterator<Item = f64> {
    (0..order).map(|row| factor[start(row) + row])
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

/// Sums every fourth product, then these sums, in a fixed order: so the bits are the same everywhere, and no sum waits for the one before.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, rest_of_a), (b, rest_of_b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
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
        let (mut own, mut dense) = (Symmetric::zero(order), DMatrix::zeros(order, order));
        for _ in 0..30 {
            let common = rng.normal();
            let x: Vec<f64> = scales.iter().map(|s| s * (rng.normal() + common)).collect();
            own.update(0.99, 1.5, &x);
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
            solve(
                &own,
                |row| 0.01 * own.get(row, row),
                &mut Vec::new(),
                &mut solution,
            );
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
            matrix.update(1.0, 1.0, &[x, 0.0, x]);
        }
        let mut solution = [60.0, 7.0, 60.0];
        solve(
            &matrix,
            |row| 1e-9 * matrix.get(row, row),
            &mut Vec::new(),
            &mut solution,
        );
        assert!((solution[0] - 1.0).abs() < 1e-6 && solution[1] == 0.0);
        assert!((solution[2] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn extreme_numbers_stay_finite() {
        let mut matrix = Symmetric::zero(2);
        matrix.update(1.0, 1.0, &[1e100, 1e-160]);
        let mut solution = [1e200, 1e-60];
        solve(&matrix, |_| 1e-9, &mut Vec::new(), &mut solution);
        assert!(solution.iter().all(|value| value.is_finite()));
    }
}
