//! Learners see features that are preprocessed by rows known by then only: by those that are learned before the test, along a
//! stream by those of the first window.

use std::sync::{Arc, Mutex};

use comparison::protocol::{Design, Preprocessing};
use comparison::record::Protocol;
use comparison::{Comparison, Contender, Runner};
use datasets::Dataset;
use ndarray::{Array2, Axis};
use tables::preprocessing::{FeatureScaling, Pca};

use super::{Own, dataset, measured};

const ROWS: usize = 60;
/// The window of a stream of so few rows, which preprocessing is fitted on.
const WINDOW: usize = 20;
const PROTOCOLS: [Protocol; 4] = [
    Protocol::Holdout,
    Protocol::KFold,
    Protocol::Prequential,
    Protocol::Delayed,
];

/// The rows that one learner saw, in order.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Rows by number, which is their target, with their features.
    learned: Vec<(usize, Vec<f32>)>,
    asked: Vec<Vec<f32>>,
}

/// Returns rows whose target is their number. Later rows are larger, so no two sets of rows have the same extremes and moments.
fn growing() -> Dataset {
    let value = |row: usize, column: usize| [row, row * row, row * 37 % 101 + row][column] as f32;
    dataset(ROWS, 3, value, (0..ROWS).map(|row| row as f64).collect())
}

/// Returns the rows that the learners of a few seeds saw, and the numbers of those that preprocessing may be fitted on.
fn seen(
    data: &Dataset,
    protocol: Protocol,
    preprocessing: Preprocessing,
) -> Vec<(Seen, Vec<usize>)> {
    let log = Arc::<Mutex<Vec<Seen>>>::default();
    let own = log.clone();
    let watcher = Contender::new("watcher", move |schema, _| {
        own.lock().unwrap().push(Seen::default());
        let (learned, asked) = (own.clone(), own.clone());
        let learn = move |row: &[f32], target, _| {
            let mut learners = learned.lock().unwrap();
            learners
                .last_mut()
                .unwrap()
                .learned
                .push((target as usize, row.to_vec()));
        };
        let predict = move |row: &[f32]| {
            asked
                .lock()
                .unwrap()
                .last_mut()
                .unwrap()
                .asked
                .push(row.to_vec());
            0.0
        };
        let (seen, bytes) = (0, 0);
        Ok(Own {
            schema,
            seen,
            bytes,
            learn,
            predict,
        })
    });
    let (folds, delay) = (4, 7);
    let design = Design {
        folds,
        delay,
        preprocessing,
        ..Design::default()
    };
    let comparison = Comparison::new(data, protocol, &[watcher], &design).unwrap();
    Runner::new(1, 6)
        .records(&[comparison])
        .iter()
        .for_each(|record| assert!(measured(record).learn_seconds >= 0.0));
    let mut all = log.lock().unwrap().clone();
    all.retain(|seen| !seen.learned.is_empty());
    let known = |seen: &Seen| match protocol.is_stream() {
        true => (0..WINDOW).collect(),
        false => seen.learned.iter().map(|row| row.0).collect(),
    };
    all.into_iter()
        .map(|seen| (seen.clone(), known(&seen)))
        .collect()
}

/// Returns all rows, preprocessed by the rows with these numbers.
fn expected(data: &Dataset, known: &[usize], preprocessing: Preprocessing) -> Array2<f32> {
    let mut rows = data.features.clone();
    if let Some(k) = preprocessing.components {
        let pca = Pca::fit(rows.select(Axis(0), known).view(), k).unwrap();
        rows = pca.transform(rows.view()).unwrap();
    }
    let fitted = rows.select(Axis(0), known);
    if let Some(scaler) = preprocessing.scaling.fit(fitted.view()).unwrap() {
        rows = scaler.transform(rows).unwrap();
    }
    rows
}

fn near(one: &[f32], other: &[f32]) -> bool {
    let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
    one.len() == other.len() && one.iter().zip(other).all(close)
}

#[test]
fn preprocessing_does_not_leak_test_rows_or_later_rows() {
    let data = growing();
    let scalings = [
        (FeatureScaling::Minmax, None),
        (FeatureScaling::Standard, None),
        (FeatureScaling::Robust, None),
        (FeatureScaling::Quantile, None),
        (FeatureScaling::None, Some(2)),
        (FeatureScaling::Minmax, Some(2)),
    ];
    for (protocol, (scaling, components)) in PROTOCOLS
        .iter()
        .flat_map(|it| scalings.map(|one| (*it, one)))
    {
        let preprocessing = Preprocessing {
            scaling,
            components,
            ..Preprocessing::default()
        };
        let (mut left, is_minmax) = (0, scaling == FeatureScaling::Minmax && components.is_none());
        for (seen, known) in seen(&data, protocol, preprocessing) {
            let rows = expected(&data, &known, preprocessing);
            let row = |number: usize| rows.row(number).to_vec();
            for (number, features) in &seen.learned {
                assert!(near(features, &row(*number)), "{protocol}: row {number}");
            }
            for features in &seen.asked {
                let is_found = (0..ROWS).any(|number| near(features, &row(number)));
                assert!(is_found, "{protocol}, {preprocessing:?}: {features:?}");
            }
            // What it is fitted on fills the unit interval, and other rows leave it.
            let fitted = seen
                .learned
                .iter()
                .filter(|row| is_minmax && known.contains(&row.0));
            assert!(
                fitted
                    .clone()
                    .all(|row| row.1.iter().all(|x| (0.0..=1.0).contains(x)))
            );
            let outside = |row: &&Vec<f32>| row.iter().any(|x| !(0.0..=1.0).contains(x));
            left += seen.asked.iter().filter(outside).count();
        }
        assert!(
            left > 0 || !is_minmax,
            "{protocol}: extremes of other rows were known"
        );
    }
}
