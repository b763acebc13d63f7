//! Principal components, fitted on training rows.
//!
//! Paper: H. Hotelling, *Analysis of a complex of statistical variables into principal components*, Journal of
//! Educational Psychology 24, 1933. The components are the eigenvectors of the covariance matrix: for 60 000 images it
//! is one matrix product, where a decomposition of the whole data matrix takes minutes. They are found by rotations in
//! the plane of two features (M. Hestenes, *Inversion of matrices by biorthogonalization and related results*, Journal
//! of the SIAM 6, 1958).
//!
//! Cost: O(rows · features² + sweeps · features³) to fit, O(features · k) per row to transform.

use forest_core::FeatureValues;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use serde::{Deserialize, Serialize};

use crate::error::{Result, check_rows, refuse};
use crate::numbers::saturated;

/// Most passes over all pairs of features; ten are usual.
const SWEEPS: usize = 60;

/// Rows of this cosine, or this small beside the largest, are at right angles up to rounding.
const ROUNDING: f64 = 1e-14;

/// A projection onto the `k` directions of largest variance of the training rows.
///
/// Features are centred, not scaled. The sign of a component, which the mathematics leaves open, is chosen so
/// that its entry of largest size is positive (the first of equals): the same rows give the same projection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pca {
    mean: Array1<f64>,
    /// One component per column, by falling variance: features × k.
    components: Array2<f64>,
}

impl Pca {
    /// Finds the `k` components of `rows`.
    ///
    /// # Errors
    /// Returns an error for a `k` outside of 1 to the number of features, fewer than two rows, or a feature that is not
    /// finite.
    pub fn fit(rows: ArrayView2<'_, f32>, k: usize) -> Result<Self> {
        let (count, features) = rows.dim();
        if k == 0 || k > features {
            refuse!("{k} components for {features} features; choose from 1 to {features}");
        }
        if count < 2 {
            refuse!("principal components need at least 2 rows, got {count}");
        }
        check_rows(rows, FeatureValues::Numbers)?;
        let wide = rows.mapv(f64::from);
        let mean = wide.mean_axis(Axis(0)).expect("there are rows");
        let centred = wide - &mean;
        let (_, all) = eigenvectors(centred.t().dot(&centred) / (count - 1) as f64);
        let components = all.slice(s![..k, ..]).t().to_owned();
        Ok(Self { mean, components })
    }

    /// Returns the number of features of a row.
    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// Returns the number of components.
    pub fn k(&self) -> usize {
        self.components.ncols()
    }

    /// Projects finite rows, `rows × features`, to `rows × k`. A matrix product sums each entry over the features in
    /// one order for any number of rows, so that a batch gives the same bits as its rows one after another, which a
    /// test checks.
    pub(crate) fn apply(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let centred = rows.mapv(f64::from) - &self.mean;
        centred.dot(&self.components).mapv(saturated)
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.components.nrows() == self.width()
            && (1..=self.width()).contains(&self.k())
            && self.mean.iter().all(|mean| mean.abs() <= f64::from(f32::MAX))
            // Unit vectors, up to rounding.
            && self.components.iter().all(|weight| weight.abs() < 1.001)
    }
}

/// Returns the eigenvalues of a covariance, falling, and their eigenvectors as rows whose entry of largest size, the
/// first of equals, is positive.
///
/// Rotates pairs of rows of the matrix until all are at right angles (one-sided Jacobi). The same rotations of the unit
/// matrix make the eigenvectors; the lengths of the rows are the eigenvalues.
fn eigenvectors(mut matrix: Array2<f64>) -> (Vec<f64>, Array2<f64>) {
    let n = matrix.nrows();
    let mut vectors = Array2::eye(n);
    for _ in 0..SWEEPS {
        let mut squares: Vec<f64> = matrix.rows().into_iter().map(|row| row.dot(&row)).collect();
        let negligible = ROUNDING * squares.iter().copied().fold(0.0, f64::max).sqrt();
        let mut is_done = true;
        for (p, q) in (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))) {
            let product = matrix.row(p).dot(&matrix.row(q));
            if product.abs() <= negligible * squares[p].max(squares[q]).sqrt() {
                continue;
            }
            is_done = false;
            let ratio = (squares[q] - squares[p]) / (2.0 * product);
            let tangent = ratio.signum() / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            for matrix in [&mut matrix, &mut vectors] {
                let (mut p, mut q) = matrix.multi_slice_mut((s![p, ..], s![q, ..]));
                for (p, q) in p.iter_mut().zip(&mut q) {
                    (*p, *q) = (cosine * (*p - tangent * *q), cosine * (*q + tangent * *p));
                }
            }
            squares[p] -= tangent * product;
            squares[q] += tangent * product;
        }
        if is_done {
            break;
        }
    }
    let length = |row: usize| matrix.row(row).dot(&matrix.row(row)).sqrt();
    let mut order: Vec<(f64, usize)> = (0..n).map(|row| (length(row), row)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (values, order): (Vec<f64>, Vec<usize>) = order.into_iter().unzip();
    let mut vectors = vectors.select(Axis(0), &order);
    for mut vector in vectors.rows_mut() {
        let larger = |a: f64, &b: &f64| if b.abs() > a.abs() { b } else { a };
        let sign = vector.iter().fold(0.0, larger).signum();
        vector *= sign;
    }
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use forest_core::TreeRng;
    use ndarray::array;

    use super::*;

    fn stretched() -> Array2<f32> {
        let mut rng = TreeRng::new(1, 0);
        Array2::from_shape_fn((400, 4), |(_, column)| {
            rng.uniform() as f32 * [1.0, 8.0, 2.0, 4.0][column]
        })
    }

    #[test]
    fn components_are_ordered_by_variance_and_keep_all_of_it() {
        let rows = stretched();
        let pca = Pca::fit(rows.view(), 4).unwrap();
        let variances = pca.apply(rows.view()).var_axis(Axis(0), 1.0);
        assert!(variances.iter().is_sorted_by(|a, b| a > b), "{variances}");
        let all = rows.var_axis(Axis(0), 1.0).sum();
        assert_abs_diff_eq!(variances.sum(), all, epsilon = 1e-3);
    }

    /// For every width: C v = λ v, with unit vectors at right angles, though a feature is constant and another a copy.
    #[test]
    fn components_are_eigenvectors_of_the_covariance() {
        let mut rng = TreeRng::new(4, 0);
        for width in [1, 2, 3, 8, 40] {
            let mut rows = mixed(width, &mut rng).mapv(f64::from);
            if width > 3 {
                rows.column_mut(1).fill(0.0);
                let copied = rows.column(0).to_owned();
                rows.column_mut(2).assign(&copied);
            }
            let covariance = rows.t().dot(&rows);
            let (values, vectors) = eigenvectors(covariance.clone());
            assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
            let expected = &vectors * &Array1::from_vec(values.clone()).insert_axis(Axis(1));
            let residual = vectors.dot(&covariance) - expected;
            assert!(residual.iter().all(|x| x.abs() < 1e-11 * values[0]));
            let gram = vectors.dot(&vectors.t()) - Array2::<f64>::eye(width);
            assert!(gram.iter().all(|x| x.abs() < 1e-12), "{gram}");
        }
    }

    /// Returns the components as `transform` shows them: the difference of each feature's unit row from the row of
    /// zeros.
    fn seen_by_unit_rows(pca: &Pca) -> Array2<f32> {
        let rows = |rows: Array2<f32>| pca.apply(rows.view());
        rows(Array2::eye(pca.width())) - rows(Array2::zeros((1, pca.width()))).row(0)
    }

    /// Draws random correlated features.
    fn mixed(width: usize, rng: &mut TreeRng) -> Array2<f32> {
        let mut normal = |rows| Array2::from_shape_simple_fn((rows, width), || rng.normal() as f32);
        normal(30).dot(&normal(width))
    }

    /// Detects a sign that is left as the decomposition returns it, or taken from another entry than the largest. Exact
    /// up to the rounding of rows, by which entries of equal size may differ.
    #[test]
    fn the_largest_entry_of_a_component_is_positive() {
        let mut rng = TreeRng::new(3, 0);
        for width in (2..8).cycle().take(300) {
            let pca = Pca::fit(mixed(width, &mut rng).view(), width).unwrap();
            for component in seen_by_unit_rows(&pca).columns() {
                let largest = component.iter().copied().fold(f32::MIN, f32::max);
                let smallest = component.iter().copied().fold(f32::MAX, f32::min);
                assert!(largest > -smallest - 1e-5, "{component}");
            }
        }
        let first = seen_by_unit_rows(&Pca::fit(stretched().view(), 4).unwrap())[[1, 0]];
        assert!(first > 0.99, "{first}");
    }

    /// All variance lies along a line on which two features rise or fall alike.
    #[test]
    fn of_entries_of_equal_size_the_first_is_positive() {
        for slope in [1.0, -1.0] {
            let rows = Array2::from_shape_fn((9, 2), |(row, i)| row as f32 * [1.0, slope][i]);
            for rows in [rows.clone(), -rows] {
                let component = seen_by_unit_rows(&Pca::fit(rows.view(), 1).unwrap());
                assert_abs_diff_eq!(component[[0, 0]], 0.5f32.sqrt(), epsilon = 1e-6);
            }
        }
    }

    /// All rows lie on a line, so all but the first coordinate is rounding only, and shows the order of summation.
    #[test]
    fn a_batch_is_projected_as_its_rows_one_after_another() {
        let mut rng = TreeRng::new(2, 0);
        let direction: Vec<f32> = (0..300).map(|_| rng.uniform() as f32).collect();
        let place: Vec<f32> = (0..40).map(|_| rng.uniform() as f32).collect();
        let rows = Array2::from_shape_fn((40, 300), |(i, j)| place[i] * direction[j]);
        let pca = Pca::fit(rows.view(), 5).unwrap();
        let batch = pca.apply(rows.view());
        for (index, row) in rows.axis_chunks_iter(Axis(0), 1).enumerate() {
            let alone = pca.apply(row);
            assert_eq!(alone.row(0), batch.row(index), "row {index}");
        }
    }

    #[test]
    fn extreme_rows_have_components() {
        let mut rows = stretched();
        rows.column_mut(0).fill(7.0);
        rows.column_mut(1).mapv_inplace(|x| x * 1e-30);
        rows.column_mut(2).mapv_inplace(|x| (x - 1.0) * 1e38);
        rows[[0, 3]] = f32::MAX;
        let pca = Pca::fit(rows.view(), 4).unwrap();
        let projected = pca.apply(rows.view());
        assert!(pca.is_sound() && projected.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn impossible_requests_are_errors() {
        for (rows, k, says) in [
            (Array2::zeros((9, 3)), 4, "4 components for 3 features"),
            (Array2::zeros((9, 3)), 0, "0 components for 3 features"),
            (Array2::zeros((1, 3)), 2, "need at least 2 rows, got 1"),
            (array![[f32::NAN], [0.0]], 1, "row 0, feature 0"),
        ] {
            let error = Pca::fit(rows.view(), k).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
