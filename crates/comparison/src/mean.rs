//! Means over runs of one setting: over the seeds of a table, or over the folds of a run.

use std::collections::BTreeMap;

use statrs::statistics::Statistics as _;

use crate::AroundChange;
use crate::record::{Curve, Measured};

impl Measured {
    /// Returns the means over learners that were tested on the same rows but learned different ones, with the standard errors of these
    /// means: standard deviations over folds, divided by the root of their number.
    pub fn over_folds(folds: &[Self]) -> Self {
        let mean = |get: fn(&Self) -> f64| folds.iter().map(get).mean();
        let count = |get: fn(&Self) -> Option<usize>| {
            let counts: Option<Vec<usize>> = folds.iter().map(get).collect();
            Some(counts?.iter().sum::<usize>() / folds.len())
        };
        let metrics = by_metric(folds);
        let curves: Vec<&Curve> = folds
            .iter()
            .filter_map(|fold| fold.curve.as_ref())
            .collect();
        Self {
            value: mean(|fold| fold.value),
            standard_errors: of_each(&metrics, |values| {
                values.std_dev() / (values.len() as f64).sqrt()
            }),
            metrics: of_each(&metrics, |values| values.mean()),
            learn_seconds: mean(|fold| fold.learn_seconds),
            predict_seconds: None,
            nodes: count(|fold| fold.nodes),
            stored_samples: count(|fold| fold.stored_samples),
            model_bytes: count(|fold| fold.model_bytes),
            curve: Curve::mean(&curves),
            around_changes: AroundChange::means(folds.iter().map(|fold| &fold.around_changes[..])),
        }
    }
}

/// Returns the values of every metric that all folds have.
fn by_metric(folds: &[Measured]) -> BTreeMap<String, Vec<f64>> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (name, value) in folds.iter().flat_map(|fold| &fold.metrics) {
        values.entry(name.clone()).or_default().push(*value);
    }
    values.retain(|_, values| values.len() == folds.len());
    values
}

fn of_each(
    metrics: &BTreeMap<String, Vec<f64>>,
    summary: impl Fn(&[f64]) -> f64,
) -> BTreeMap<String, f64> {
    let summarised = metrics
        .iter()
        .map(|(name, values)| (name.clone(), summary(values)));
    summarised.collect()
}

impl Curve {
    /// Returns the mean at every entry; all curves of a setting have entries at the same rows.
    pub(crate) fn mean(curves: &[&Self]) -> Option<Self> {
        let rows = curves.first()?.rows.clone();
        let means = |values: fn(&Self) -> &[f64]| -> Vec<f64> {
            let mean = |entry| curves.iter().map(|curve| values(curve)[entry]).mean();
            (0..rows.len()).map(mean).collect()
        };
        Some(Self {
            cumulative: means(|curve| &curve.cumulative),
            windowed: means(|curve| &curve.windowed),
            seconds: means(|curve| &curve.seconds),
            rows,
        })
    }
}

impl AroundChange<f64> {
    /// Returns the means over runs at every change; all runs of a setting have the same changes.
    pub(crate) fn means<'a>(runs: impl Iterator<Item = &'a [Self]> + Clone) -> Vec<Self> {
        let changes = runs.clone().next().map_or(0, <[Self]>::len);
        let mean = |change: usize| Self::mean(runs.clone().map(|run| &run[change]));
        (0..changes).map(mean).collect()
    }

    /// Returns the means, part by part, over runs or over changes; `row` is that of the first.
    pub(crate) fn mean<'a>(changes: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let part = |part: fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = changes.clone().filter_map(part).collect();
            (!values.is_empty()).then(|| values.mean())
        };
        Self {
            row: changes.clone().next().map_or(0, |change| change.row),
            before: part(|change| change.before),
            after: part(|change| change.after),
            later: part(|change| change.later),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(value: f64, bytes: Option<usize>) -> Measured {
        Measured {
            value,
            metrics: [("rmse".to_owned(), value)].into(),
            learn_seconds: value,
            model_bytes: bytes,
            ..Measured::default()
        }
    }

    #[test]
    fn folds_have_means_and_standard_errors() {
        let mut folds = [fold(1.0, Some(10)), fold(3.0, Some(21))];
        folds[0].metrics.insert("r2".to_owned(), 1.0);
        let mean = Measured::over_folds(&folds);
        assert_eq!(
            (mean.value, mean.learn_seconds, mean.model_bytes),
            (2.0, 2.0, Some(15))
        );
        assert_eq!(mean.metrics, [("rmse".to_owned(), 2.0)].into());
        // The standard deviation of 1 and 3 is √2.
        assert!((mean.standard_errors["rmse"] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_fold_lacks_has_no_mean() {
        let mean = Measured::over_folds(&[fold(1.0, None), fold(3.0, Some(21))]);
        assert_eq!((mean.model_bytes, mean.curve), (None, None));
    }
}
