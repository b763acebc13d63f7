//! Weights from the features alone: their variances.

use ndarray::{ArrayView2, Axis};

use crate::FitError;
use crate::scale::check_rows;

/// Weights below this part of the largest are 0.
const LEAST: f64 = 1e-9;

/// Returns the variance of each feature over `rows`, divided by the mean of all variances: of principal components,
/// the share of the variance that each explains (Ge et al. 2019, section 3.2: ωⱼ = σⱼ²). Features that hardly
/// vary compared to the others get 0. If all are constant, all get 1.
///
/// Fit weights before scaling, which makes variances alike.
///
/// ```
/// use ndarray::array;
/// use preprocessing::variance_weights;
///
/// let rows = array![[0., 7., 0.], [2., 7., 4.]];
/// assert_eq!(variance_weights(rows.view())?, [0.6, 0.0, 2.4]);
/// # Ok::<(), preprocessing::FitError>(())
/// ```
///
/// # Errors
/// Returns an error for empty rows, or a value that is not finite.
pub fn variance_weights(rows: ArrayView2<'_, f32>) -> Result<Vec<f64>, FitError> {
    check_rows(rows)?;
    let variances = rows.mapv(f64::from).var_axis(Axis(0), 0.0);
    let largest = variances.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(vec![1.0; rows.ncols()]);
    }
    let kept = |variance: f64| {
        if variance < LEAST * largest {
            0.0
        } else {
            variance
        }
    };
    let mean = variances.iter().sum::<f64>() / variances.len() as f64;
    Ok(variances
        .into_iter()
        .map(|variance| kept(variance) / mean)
        .collect())
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::Pca;

    #[test]
    fn variances_of_components_are_what_they_explain() {
        let rows = array![[0., 0.], [2., 2.], [4., 4.], [1., 1.1]];
        let components = Pca::fit(rows.view(), 2).unwrap();
        let weights = variance_weights(components.transform(rows.view()).unwrap().view()).unwrap();
        assert!(weights[0] > 1.99 && weights[1] < 0.01, "{weights:?}");
        assert!((weights[0] + weights[1] - 2.0).abs() < 1e-9);
    }

    #[test]
    fn constant_features_are_accepted() {
        let constant = Array2::<f32>::ones((3, 2));
        assert_eq!(variance_weights(constant.view()).unwrap(), [1.0, 1.0]);
        assert!(variance_weights(Array2::ones((0, 2)).view()).is_err());
        let little = array![[0., 0.], [1e-6, 1e3]];
        assert_eq!(variance_weights(little.view()).unwrap(), [0.0, 2.0]);
    }
}
