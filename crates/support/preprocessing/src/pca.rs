//! Principal components, fitted on training rows.
//!
//! Paper: H. Hotelling, *Analysis of a complex of statistical variables into principal components*, Journal of
//! Educational Psychology 24, 1933. The components are the eigenvectors of the covariance matrix, by nalgebra's symmetric
//! eigenvalue decomposition: for 60 000 images the covariance is one matrix product, where a decomposition of the whole
//! data matrix takes minutes.
//!
//! Cost: O(rows · features² + features³) to fit, O(features · k) per row to transform.

use forest_core::{InputError, Rows};
use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::scale::saturated;

#[cfg(feature = "pca")]
mod fit;

/// A projection onto the `k` directions of largest variance of the training rows.
///
/// Features are centred, not scaled. The sign of a component, which the mathematics leaves open, is chosen so
/// that its entry of largest size is positive (the first of equals): the same rows give the same projection.
///
/// ```
/// # #[cfg(feature = "pca")] {
/// use preprocessing::Pca;
/// use ndarray::array;
///
/// // All variance lies along (1, 1).
/// let rows = array![[0., 0.], [1., 1.], [2., 2.]];
/// let projected = Pca::fit(rows.view(), 1)?.transform(rows.view())?;
/// let expected = [-2f32.sqrt(), 0., 2f32.sqrt()];
/// assert!(projected.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6));
/// # }
/// # Ok::<(), preprocessing::FitError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pca {
    mean: Array1<f64>,
    /// One component per column, by falling variance: features × k.
    components: Array2<f64>,
}

impl Pca {
    /// Returns the number of features of a row.
    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// Returns the number of components.
    pub fn k(&self) -> usize {
        self.components.ncols()
    }

    /// Projects `rows × features` to `rows × k`.
    ///
    /// # Errors
    /// Returns an error for rows of another width than those fitted on, or a value that is not finite.
    pub fn transform(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f32>, InputError> {
        Rows::check(rows, self.width())?;
        Ok(self.apply(rows))
    }

    /// Projects finite rows. A matrix product sums each entry over the features in one order for any number of rows,
    /// so that a batch gives the same bits as its rows one after another, which a test checks.
    pub(crate) fn apply(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let centred = rows.mapv(f64::from) - &self.mean;
        centred.dot(&self.components).mapv(saturated)
    }

    pub(crate) fn is_sound(&self) -> bool {
        let largest = f64::from(f32::MAX);
        let shape =
            self.components.nrows() == self.width() && (1..=self.width()).contains(&self.k());
        let mean = self.mean.iter().all(|mean| mean.abs() <= largest);
        // Unit vectors, up to rounding.
        shape && mean && self.components.iter().all(|weight| weight.abs() < 1.001)
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.k() + 1) * self.width() * size_of::<f64>()
    }
}

#[cfg(test)]
#[cfg(feature = "pca")]
mod tests {
    use approx::assert_abs_diff_eq;
    use forest_core::TreeRng;
    use ndarray::{Axis, array, s};

    use crate::FitError;

    use super::*;

    fn stretched() -> Array2<f32> {
        let mut rng = TreeRng::new(1, 0);
        Array2::from_shape_fn((400, 4), |(_, column)| {
            rng.uniform() as f32 * [1.0, 8.0, 2.0, 4.0][column]
        })
    }

    #[test]
    fn components_are_orthonormal_and_ordered_by_variance() {
        let rows = stretched();
        let pca = Pca::fit(rows.view(), 4).unwrap();
        let gram: Array2<f64> = pca.components.t().dot(&pca.components) - Array2::<f64>::eye(4);
        assert!(gram.iter().all(|error| error.abs() < 1e-9), "{gram}");
        let variances = pca.transform(rows.view()).unwrap().var_axis(Axis(0), 1.0);
        assert!(
            variances
                .windows(2)
                .into_iter()
                .all(|pair| pair[0] > pair[1]),
            "{variances}"
        );
        // The total variance is preserved.
        assert_abs_diff_eq!(
            variances.sum(),
            rows.var_axis(Axis(0), 1.0).sum(),
            epsilon = 1e-3
        );
    }

    /// Returns the components as `transform` shows them: the difference of each feature's unit row from the row of zeros.
    fn seen_by_unit_rows(pca: &Pca) -> Array2<f32> {
        let rows = |rows: Array2<f32>| pca.transform(rows.view()).unwrap();
        rows(Array2::eye(pca.width())) - rows(Array2::zeros((1, pca.width()))).row(0)
    }

    /// Draws random correlated features.
    fn mixed(width: usize, rng: &mut TreeRng) -> Array2<f32> {
        let mut normal = |rows| Array2::from_shape_simple_fn((rows, width), || rng.normal() as f32);
        normal(30).dot(&normal(width))
    }

    /// Detects a sign that is left as the decomposition returns it, or taken from another entry than the largest. Exact up to
    /// the rounding of rows, by which entries of equal size may differ.
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

    /// All rows lie on a line, so all but the first coordinate is rounding only, and shows the order
    /// of summation.
    #[test]
    fn a_batch_is_projected_as_its_rows_one_after_another() {
        let mut rng = TreeRng::new(2, 0);
        let direction: Vec<f32> = (0..300).map(|_| rng.uniform() as f32).collect();
        let place: Vec<f32> = (0..40).map(|_| rng.uniform() as f32).collect();
        let rows = Array2::from_shape_fn((40, 300), |(i, j)| place[i] * direction[j]);
        let pca = Pca::fit(rows.view(), 5).unwrap();
        let batch = pca.transform(rows.view()).unwrap();
        for (index, row) in rows.axis_chunks_iter(Axis(0), 1).enumerate() {
            let alone = pca.transform(row).unwrap();
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
        let projected = pca.transform(rows.view()).unwrap();
        assert!(pca.is_sound() && projected.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn only_training_rows_count() {
        let rows = stretched();
        let pca = Pca::fit(rows.slice(s![..100, ..]), 2).unwrap();
        assert_eq!(pca.transform(rows.view()).unwrap().dim(), (400, 2));
        assert_ne!(pca, Pca::fit(rows.view(), 2).unwrap());
    }

    #[test]
    fn impossible_requests_are_errors() {
        let fit = |rows: Array2<f32>, k| Pca::fit(rows.view(), k).unwrap_err();
        assert_eq!(
            fit(Array2::zeros((9, 3)), 4),
            FitError::Components { k: 4, features: 3 }
        );
        assert_eq!(
            fit(Array2::zeros((9, 3)), 0),
            FitError::Components { k: 0, features: 3 }
        );
        assert_eq!(
            fit(Array2::zeros((1, 3)), 2),
            FitError::TooFewRows { rows: 1 }
        );
        assert_eq!(
            fit(Array2::zeros((0, 3)), 2),
            FitError::TooFewRows { rows: 0 }
        );
        assert!(matches!(
            fit(array![[f32::NAN], [0.0]], 1),
            FitError::Input(InputError::NotFinite {
                row: 0,
                feature: 0,
                ..
            })
        ));
        let pca = Pca::fit(Array2::zeros((9, 3)).view(), 2).unwrap();
        let error = pca.transform(Array2::zeros((1, 2)).view()).unwrap_err();
        assert_eq!(
            error,
            InputError::WrongWidth {
                expected: 3,
                got: 2
            }
        );
    }
}
