//! The metric along a stream and around its changes, and means of both over seeds or folds.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use statrs::statistics::Statistics as _;

use crate::record::Measured;

/// The main metric along a stream, window by window. A window in which no row is scored is a part of the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Rows seen at the end of each window.
    pub rows: Vec<usize>,
    /// The metric over all rows so far.
    pub cumulative: Vec<f64>,
    /// The metric over the window.
    pub windowed: Vec<f64>,
    /// The time in each window.
    pub seconds: Vec<f64>,
}

/// The main metric around a change; `None` where nothing was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AroundChange {
    /// The first row after the change.
    pub row: usize,
    /// Over the window that ends before the change.
    pub before: Option<f64>,
    /// Over the window that begins with the change.
    pub after: Option<f64>,
    /// Over the window that begins [`LATER`](Self::LATER) rows after the change.
    pub later: Option<f64>,
}

/// Returns the rows before, after and later than each change of a stream; `None` where they are not all in the stream
/// and in the concept on their side.
pub(crate) fn windows_around(changes: &[usize], rows: usize) -> Vec<[Option<Range<usize>>; 3]> {
    let (mut all, mut begin) = (Vec::new(), 0);
    for (number, &row) in changes.iter().enumerate() {
        let end = changes.get(number + 1).copied().unwrap_or(rows);
        let from = |start, end| {
            Some(start..start + AroundChange::WINDOW).filter(|window| window.end <= end)
        };
        let before = row
            .checked_sub(AroundChange::WINDOW)
            .filter(|at| *at >= begin);
        let before = before.and_then(|start| from(start, row));
        all.push([before, from(row, end), from(row + AroundChange::LATER, end)]);
        begin = row;
    }
    all
}

impl AroundChange {
    /// Rows of a window.
    pub const WINDOW: usize = 500;
    /// Rows from a change to its later window.
    pub const LATER: usize = 1000;

    pub(crate) fn means<'a>(runs: impl Iterator<Item = &'a [Self]> + Clone) -> Vec<Self> {
        let mut means = Vec::new();
        for change in 0..runs.clone().next().map_or(0, <[Self]>::len) {
            means.push(Self::mean(runs.clone().map(|run| &run[change])));
        }
        means
    }

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

impl Curve {
    /// Returns the mean of curves of one stream, over the windows that all have: they have the last ones in common.
    pub(crate) fn mean(curves: &[&Self]) -> Option<Self> {
        let shortest = curves.iter().min_by_key(|curve| curve.rows.len())?;
        let windows = shortest.rows.len();
        let means = |values: fn(&Self) -> &[f64]| {
            let mut means = Vec::new();
            for back in (1..=windows).rev() {
                let values = curves.iter().map(|curve| values(curve));
                means.push(values.map(|values| values[values.len() - back]).mean());
            }
            means
        };
        Some(Self {
            cumulative: means(|curve| &curve.cumulative),
            windowed: means(|curve| &curve.windowed),
            seconds: means(|curve| &curve.seconds),
            rows: shortest.rows.clone(),
        })
    }
}

impl Measured {
    /// Returns the means over the learners of prequential k-fold validation, with standard errors over them. What a
    /// fold lacks has none.
    pub(crate) fn over_folds(folds: &[Self]) -> Self {
        let count = |get: fn(&Self) -> Option<usize>| {
            let counts: Option<Vec<usize>> = folds.iter().map(get).collect();
            Some(counts?.iter().sum::<usize>() / folds.len())
        };
        let mut values: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
        for (name, value) in folds.iter().flat_map(|fold| &fold.metrics) {
            values.entry(name).or_default().push(*value);
        }
        values.retain(|_, values| values.len() == folds.len());
        let (mut metrics, mut standard_errors) = (BTreeMap::new(), BTreeMap::new());
        for (name, values) in values {
            metrics.insert(name.clone(), values.as_slice().mean());
            let error = values.as_slice().std_dev() / (values.len() as f64).sqrt();
            standard_errors.insert(name.clone(), error);
        }
        let curves: Vec<&Curve> = folds.iter().flat_map(|fold| &fold.curve).collect();
        let processor = folds.iter().flat_map(|fold| fold.learn_processor_seconds);
        Self {
            value: folds.iter().map(|fold| fold.value).mean(),
            metrics,
            standard_errors,
            learn_seconds: folds.iter().map(|fold| fold.learn_seconds).mean(),
            learn_processor_seconds: Some(processor.mean()),
            predict_seconds: None,
            predict_processor_seconds: None,
            nodes: count(|fold| fold.nodes),
            stored_samples: count(|fold| fold.stored_samples),
            model_bytes: count(|fold| fold.model_bytes),
            curve: Curve::mean(&curves),
            around_changes: AroundChange::means(folds.iter().map(|fold| &fold.around_changes[..])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_leaves_the_stream_or_its_concept() {
        let windows = [Some(100..600), Some(600..1100), Some(1600..2100)];
        assert_eq!(windows_around(&[600], 2100), [windows]);
        for (changes, rows, expected) in [
            (&[500][..], 2000, &["xxx"][..]),
            (&[499], 1998, &[" x "]),
            (&[0], 499, &["   "]),
            (&[0, 1500, 1999], 3499, &[" xx", "x  ", " xx"]),
        ] {
            let found = windows_around(changes, rows);
            let mark = |window: &Option<_>| if window.is_some() { 'x' } else { ' ' };
            let found: Vec<String> = found
                .iter()
                .map(|all| all.iter().map(mark).collect())
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn folds_have_means_and_standard_errors_of_what_all_have() {
        let fold = |value: f64, windows: usize, bytes: Option<usize>| Measured {
            value,
            metrics: [("rmse".to_owned(), value)].into(),
            learn_seconds: value,
            model_bytes: bytes,
            curve: Some(Curve {
                rows: (3 - windows..3).map(|window| 10 * (window + 1)).collect(),
                cumulative: vec![value; windows],
                windowed: (0..windows).map(|window| value * window as f64).collect(),
                seconds: vec![1.0; windows],
            }),
            ..Measured::default()
        };
        let mut folds = [fold(1.0, 3, Some(10)), fold(3.0, 2, Some(21))];
        folds[0].metrics.insert("r2".to_owned(), 1.0);
        let mean = Measured::over_folds(&folds);
        assert_eq!(
            (mean.value, mean.learn_seconds, mean.model_bytes),
            (2.0, 2.0, Some(15))
        );
        assert_eq!(mean.metrics, [("rmse".to_owned(), 2.0)].into());
        // The standard deviation of 1 and 3 is √2.
        assert!((mean.standard_errors["rmse"] - 1.0).abs() < 1e-12);
        let curve = mean.curve.unwrap();
        assert_eq!((curve.rows, curve.windowed), (vec![20, 30], vec![0.5, 2.5]));
        folds[0].model_bytes = None;
        assert_eq!(Measured::over_folds(&folds).model_bytes, None);
    }
}
