//! Computes principal components.

use nalgebra::{DMatrix, SymmetricEigen};
use ndarray::{Array2, ArrayView2, Axis};

use super::Pca;
use crate::FitError;
use crate::scale::check_rows;

/// Maximum number of steps per feature of a decomposition; it usually takes two or three.
const ITERATIONS: usize = 100;

impl Pca {
    /// Finds the `k` components of `rows`.
    ///
    /// # Errors
    /// Returns an error for a `k` outside of 1 to the number of features, fewer than two rows, a feature that is not
    /// finite, or a decomposition that does not converge.
    pub fn fit(rows: ArrayView2<'_, f32>, k: usize) -> Result<Self, FitError> {
        let (count, features) = rows.dim();
        if k == 0 || k > features {
            return Err(FitError::Components { k, features });
        }
        let wide = rows.mapv(f64::from);
        let mean = wide
            .mean_axis(Axis(0))
            .filter(|_| count > 1)
            .ok_or(FitError::TooFewRows { rows: count })?;
        check_rows(rows)?;
        let centred = wide - &mean;
        let covariance = centred.t().dot(&centred) / (count - 1) as f64;
        Ok(Self {
            components: eigenvectors(&covariance, k)?,
            mean,
        })
    }
}

/// Returns the `k` eigenvectors of the largest eigenvalues, as columns.
fn eigenvectors(covariance: &Array2<f64>, k: usize) -> Result<Array2<f64>, FitError> {
    let n = covariance.nrows();
    // The covariance is symmetric, so the order of its entries does not matter.
    let matrix = DMatrix::from_iterator(n, n, covariance.iter().copied());
    let eigen = SymmetricEigen::try_new(matrix, f64::EPSILON, ITERATIONS * n)
        .ok_or(FitError::Decomposition { features: n })?;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let mut components = Array2::from_shape_fn((n, k), |(i, j)| eigen.eigenvectors[(i, order[j])]);
    components.columns_mut().into_iter().for_each(|mut column| {
        let sign = leading_sign(column.iter().copied());
        column *= sign;
    });
    Ok(components)
}

/// Returns the sign of the entry of largest size, the first of equals.
fn leading_sign(entries: impl Iterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
    entries.fold(0.0, larger).signum()
}
