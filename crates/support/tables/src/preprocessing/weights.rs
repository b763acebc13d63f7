//! Weights of features: from the targets, how much each feature alone explains of them; and from their variances.

use std::collections::BTreeMap;

use forest_core::{Classification, FeatureValues, InputError, Regression, Task};
use ndarray::{ArrayView1, ArrayView2, Axis};

use super::FitError;
use super::scale::check_rows;

/// Number of quantile bins of a feature.
const BINS: usize = 20;

/// The least weight, relative to the largest.
const FLOOR: f64 = 0.02;

/// Variances below this part of the largest are 0.
const LEAST: f64 = 1e-9;

/// Returns the square root of how much each feature alone explains of the targets; at least 2 % of the
/// largest, and divided by the mean, so that the weights of `d` features add up to `d`.
///
/// Every feature is divided into 20 quantile bins: out of n rows, the bin of a value is
/// ⌊20 · (values below it) / n⌋, so equal values share a bin. The bins explain
/// - for classes, the information gain H(class) − Σ P(bin) H(class | bin);
/// - for numbers, the reduction of the variance, Var(y) − Σ P(bin) Var(y | bin).
///
/// The square root makes the weight of a feature that explains a quarter of the variance half of that of one
/// that explains all of it. A constant feature explains nothing and gets the floor: a learner that finds it
/// varying later can still cut it. If no feature explains anything, all get 1. Explanations by a feature only together with others do not
/// count. Few rows overestimate features that explain nothing; a few hundred distinguish them.
///
/// Cost: O(d n log n) for n rows of d features.
///
/// ```
/// use forest_core::{Classification, Regression};
/// use ndarray::array;
/// use tables::preprocessing::label_weights;
///
/// // The first feature decides the class, the second is constant.
/// let rows = array![[0., 7.], [1., 7.], [0., 7.], [1., 7.]];
/// let weights = label_weights::<Classification>(rows.view(), &[5, 3, 5, 3])?;
/// assert!((weights[1] / weights[0] - 0.02).abs() < 1e-12);
/// assert_eq!(label_weights::<Regression>(rows.view(), &[2.5; 4])?, [1.0, 1.0]);
/// # Ok::<(), tables::preprocessing::FitError>(())
/// ```
///
/// # Errors
/// Returns an error for empty rows, a feature or target that is not finite, a target beyond
/// ±[`Regression::LARGEST_TARGET`], or not one target per row.
pub fn label_weights<T: WeightedTask>(
    rows: ArrayView2<'_, f32>,
    targets: &[T::Target],
) -> Result<Vec<f64>, FitError> {
    check_rows(rows, FeatureValues::Numbers)?;
    InputError::check_number("target", targets.len(), rows.nrows())?;
    T::check_all(targets)?;
    let columns = rows.columns().into_iter();
    let weights = columns.map(|column| T::gain(targets, &bins(column)).max(0.0).sqrt());
    Ok(normalised(weights.collect()))
}

/// A task whose targets determine weights of features.
pub trait WeightedTask: Task {
    /// Returns how much the bins of the rows, each below 20, explain of their targets.
    fn gain(targets: &[Self::Target], bins: &[usize]) -> f64;

    /// Rejects a target that cannot be summed.
    ///
    /// # Errors
    /// Returns the first such target, and its row.
    fn check_all(targets: &[Self::Target]) -> Result<(), InputError>;
}

impl WeightedTask for Classification {
    /// Returns the information gain in nats: Σ P(class, bin) ln (P(class, bin) / (P(class) P(bin))).
    fn gain(labels: &[u32], bins: &[usize]) -> f64 {
        let mut joint: BTreeMap<u32, [usize; BINS]> = BTreeMap::new();
        let mut of_bin = [0; BINS];
        for (&label, &bin) in labels.iter().zip(bins) {
            joint.entry(label).or_default()[bin] += 1;
            of_bin[bin] += 1;
        }
        let n = labels.len() as f64;
        let mut gain = 0.0;
        for counts in joint.values() {
            let of_class: usize = counts.iter().sum();
            let mut of_this = 0.0;
            for (&count, &of_bin) in counts.iter().zip(&of_bin) {
                if count > 0 {
                    let ratio = count as f64 * n / (of_class as f64 * of_bin as f64);
                    of_this += count as f64 / n * libm::log(ratio);
                }
            }
            gain += of_this;
        }
        gain
    }

    fn check_all(_: &[u32]) -> Result<(), InputError> {
        Ok(())
    }
}

impl WeightedTask for Regression {
    /// Returns the variance between the bins: Σ P(bin) (mean of the bin − mean)².
    ///
    /// Differences from the first target are summed: equal targets then explain exactly nothing.
    fn gain(values: &[f64], bins: &[usize]) -> f64 {
        let (mut all, mut of_bin) = ((0.0, 0), [(0.0, 0); BINS]);
        for (value, &bin) in values.iter().zip(bins) {
            for (sum, count) in [&mut all, &mut of_bin[bin]] {
                *sum += value - values[0];
                *count += 1;
            }
        }
        let mean = |(sum, count): (f64, usize)| sum / count as f64;
        let filled = of_bin.into_iter().filter(|(_, count)| *count > 0);
        let between = filled.map(|bin| bin.1 as f64 * (mean(bin) - mean(all)).powi(2));
        between.sum::<f64>() / values.len() as f64
    }

    fn check_all(values: &[f64]) -> Result<(), InputError> {
        let mut numbered = values.iter().enumerate();
        numbered.try_for_each(|(row, &value)| Self::check(&(), value, row))
    }
}

/// Returns the quantile bin of every value of a feature.
fn bins(column: ArrayView1<'_, f32>) -> Vec<usize> {
    let mut ascending = column.to_vec();
    ascending.sort_unstable_by(f32::total_cmp);
    let below = |value: f32| ascending.partition_point(|&other| other < value);
    let bin = |&value: &f32| BINS * below(value) / ascending.len();
    column.iter().map(bin).collect()
}

/// Applies the floor, and scales to a mean of 1.
fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return vec![1.0; weights.len()];
    }
    // Relative to the largest, so that sums of weights of any magnitude are finite.
    for weight in &mut weights {
        *weight = (*weight / largest).max(FLOOR);
    }
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    weights.iter().map(|weight| weight / mean).collect()
}

/// Returns the variance of each feature over `rows`, divided by the mean of all variances: of principal components,
/// the share of the variance that each explains (Ge et al. 2019, section 3.2: ωⱼ = σⱼ²). Features that hardly
/// vary compared to the others get 0. If all are constant, all get 1.
///
/// Fit weights before scaling, which makes variances alike.
///
/// ```
/// use ndarray::array;
/// use tables::preprocessing::variance_weights;
///
/// let rows = array![[0., 7., 0.], [2., 7., 4.]];
/// assert_eq!(variance_weights(rows.view())?, [0.6, 0.0, 2.4]);
/// # Ok::<(), tables::preprocessing::FitError>(())
/// ```
///
/// # Errors
/// Returns an error for empty rows, or a value that is not finite.
pub fn variance_weights(rows: ArrayView2<'_, f32>) -> Result<Vec<f64>, FitError> {
    check_rows(rows, FeatureValues::Numbers)?;
    let variances = rows.mapv(f64::from).var_axis(Axis(0), 0.0);
    let largest = variances.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(vec![1.0; rows.ncols()]);
    }
    let mean = variances.iter().sum::<f64>() / variances.len() as f64;
    let kept = |variance: f64| {
        if variance < LEAST * largest {
            0.0
        } else {
            variance / mean
        }
    };
    Ok(variances.into_iter().map(kept).collect())
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::preprocessing::Pca;

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
