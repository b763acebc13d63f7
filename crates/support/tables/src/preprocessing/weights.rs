//! Weights of features: from the targets, how much each feature alone explains of them; and from their variances.

use std::collections::BTreeMap;

use forest_core::{FeatureValues, InputError, Regression, Task};
use ndarray::{ArrayView1, ArrayView2, Axis};

use crate::error::{Result, check_rows};

/// Number of quantile bins of a feature.
const BINS: usize = 20;

/// The least weight, relative to the largest.
const FLOOR: f64 = 0.02;

/// Variances below this part of the largest are 0.
const LEAST: f64 = 1e-9;

/// Returns the square root of how much each feature alone explains of the classes; at least 2 % of the
/// largest, and divided by the mean, so that the weights of `d` features add up to `d`. Costs O(d n log n) for n rows.
///
/// Every feature is divided into 20 quantile bins: out of n rows, the bin of a value is ⌊20 · (values below it) / n⌋,
/// so equal values share a bin. The bins explain the information gain H(class) − Σ P(bin) H(class | bin).
///
/// A constant feature explains nothing and gets the floor: a learner that finds it varying later can still cut it. If
/// no feature explains anything, all get 1. Explanations by a feature only together with others do not count. Few rows
/// overestimate features that explain nothing; a few hundred distinguish them.
///
/// # Errors
/// Returns an error for empty rows, a feature that is not finite, or not one class per row.
pub fn label_weights(rows: ArrayView2<'_, f32>, labels: &[u32]) -> Result<Vec<f64>> {
    weights(rows, labels.len(), |bins| information_gain(labels, bins))
}

/// Returns the weights of features as [`label_weights`] does, by how much of the variance of these numbers the bins of
/// a feature explain: Var(y) − Σ P(bin) Var(y | bin).
///
/// # Errors
/// Returns an error for empty rows, a feature or number that is not finite, a number beyond
/// ±[`Regression::LARGEST_TARGET`], or not one number per row.
pub fn value_weights(rows: ArrayView2<'_, f32>, values: &[f64]) -> Result<Vec<f64>> {
    for (row, value) in values.iter().enumerate() {
        Regression::check(&(), *value, row)?;
    }
    weights(rows, values.len(), |bins| variance_between(values, bins))
}

/// Returns the square roots of what the bins of each feature explain, with the floor, and scaled to a mean of 1.
fn weights(
    rows: ArrayView2<'_, f32>,
    targets: usize,
    explained: impl Fn(&[usize]) -> f64,
) -> Result<Vec<f64>> {
    check_rows(rows, FeatureValues::Numbers)?;
    InputError::check_number("target", targets, rows.nrows())?;
    let columns = rows.columns().into_iter();
    let weights = columns.map(|it| explained(&bins(it)).max(0.0).sqrt());
    let mut weights: Vec<f64> = weights.collect();
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(vec![1.0; weights.len()]);
    }
    // Relative to the largest, so that sums of weights of any magnitude are finite.
    for weight in &mut weights {
        *weight = (*weight / largest).max(FLOOR);
    }
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    Ok(weights.iter().map(|weight| weight / mean).collect())
}

/// Returns the information gain in nats: Σ P(class, bin) ln (P(class, bin) / (P(class) P(bin))).
fn information_gain(labels: &[u32], bins: &[usize]) -> f64 {
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

/// Returns the variance between the bins: Σ P(bin) (mean of the bin − mean)².
///
/// Differences from the first number are summed: equal numbers then explain exactly nothing.
fn variance_between(values: &[f64], bins: &[usize]) -> f64 {
    // Of each a sum and a count.
    let mut all = (0.0, 0);
    let mut of_bin = [(0.0, 0); BINS];
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

/// Returns the quantile bin of every value of a feature.
fn bins(column: ArrayView1<'_, f32>) -> Vec<usize> {
    let mut ascending = column.to_vec();
    ascending.sort_unstable_by(f32::total_cmp);
    let below = |value: f32| ascending.partition_point(|&other| other < value);
    let bin = |&value: &f32| BINS * below(value) / ascending.len();
    column.iter().map(bin).collect()
}

/// Returns the variance of each feature over `rows`, divided by the mean of all variances: of principal components,
/// the share of the variance that each explains (Ge et al. 2019, section 3.2: ωⱼ = σⱼ²). Features that hardly
/// vary compared to the others get 0. If all are constant, all get 1.
///
/// Fit weights before scaling, which makes variances alike.
///
/// # Errors
/// Returns an error for empty rows, or a value that is not finite.
pub fn variance_weights(rows: ArrayView2<'_, f32>) -> Result<Vec<f64>> {
    check_rows(rows, FeatureValues::Numbers)?;
    let variances = rows.mapv(f64::from).var_axis(Axis(0), 0.0);
    let largest = variances.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(vec![1.0; rows.ncols()]);
    }
    let mean = variances.iter().sum::<f64>() / variances.len() as f64;
    let share = |variance: f64| {
        if variance < LEAST * largest {
            0.0
        } else {
            variance / mean
        }
    };
    Ok(variances.into_iter().map(share).collect())
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
        let weights = variance_weights(components.apply(rows.view()).view()).unwrap();
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
