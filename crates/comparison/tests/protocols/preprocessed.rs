//! Learners see features that are preprocessed by rows known by then only: by those that are learned before the test, along a
//! stream by those of the first window.

use std::sync::{Arc, Mutex};

use comparison::protocol::{Design, Preprocessing};
use comparison::record::Protocol;
use comparison::{Comparison, Contender, Runner};
use datasets::{Dataset, OpenOptions, TaskKind, open};
use ndarray::{Array2, Axis};
use tables::preprocessing::{FeatureScaling, Pca};

use super::{Own, measured};

const ROWS: usize = 60;
/// The window of a stream of so few rows, which preprocessing is fitted on.
const WINDOW: usize = 20;

/// The rows that one learner saw, in order.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Rows by number, which is their target, with their features.
    learned: Vec<(usize, Vec<f32>)>,
    asked: Vec<Vec<f32>>,
}

/// One entry per learner that was built.
type Log = Arc<Mutex<Vec<Seen>>>;

/// Returns rows whose target is their number. Later rows are larger, so no two sets of rows have the same extremes and moments.
fn growing() -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.csv");
    let line = |row: usize| format!("{row},{},{},{row}\n", row * row, row * 37 % 101 + row);
    let lines: String = (0..ROWS).map(line).collect();
    std::fs::write(&path, format!("a,b,c,number\n{lines}")).unwrap();
    let options = OpenOptions {
        task: Some(TaskKind::Regression),
        ..OpenOptions::default()
    };
    open(path.to_str().unwrap(), &options).unwrap()
}

/// Returns the rows that the learners of a few seeds saw.
fn seen(data: &Dataset, protocol: Protocol, preprocessing: Preprocessing) -> Vec<Seen> {
    let log = Log::default();
    let own = log.clone();
    let watcher = Contender::new("watcher", move |schema, _| {
        own.lock().unwrap().push(Seen::default());
        let (learned, asked) = (own.clone(), own.clone());
        let learn = move |row: &[f32], target, _| {
            let mut learners = learned.lock().unwrap();
            let seen = learners.last_mut().unwrap();
            seen.learned.push((target as usize, row.to_vec()));
        };
        let predict = move |row: &[f32]| {
            let mut learners = asked.lock().unwrap();
            learners.last_mut().unwrap().asked.push(row.to_vec());
            0.0
        };
        Ok(Own::new(schema, 0, learn, predict))
    });
    let design = Design {
        folds: 4,
        delay: 7,
        preprocessing,
        ..Design::default()
    };
    let comparison = Comparison::new(data, protocol, &[watcher], &design).unwrap();
    for record in Runner::new(1, 6).records(&[comparison]) {
        measured(&record);
    }
    let learners = log.lock().unwrap().clone();
    let used = learners.into_iter().filter(|seen| !seen.learned.is_empty());
    used.collect()
}

/// Returns all rows, preprocessed by the rows with these numbers.
fn expected(data: &Dataset, known: &[usize], preprocessing: Preprocessing) -> Array2<f32> {
    let mut rows = data.features.clone();
    if let Some(k) = preprocessing.components {
        let pca = Pca::fit(rows.select(Axis(0), known).view(), k).unwrap();
        rows = pca.transform(rows.view()).unwrap();
    }
    if let Some(scaling) = preprocessing.scaling.scaling() {
        let scaler = scaling.fit(rows.select(Axis(0), known).view()).unwrap();
        rows = scaler.transform(rows).unwrap();
    }
    rows
}

/// Returns the rows that preprocessing may be fitted on.
fn known(protocol: Protocol, seen: &Seen) -> Vec<usize> {
    if protocol.is_stream() {
        (0..WINDOW).collect()
    } else {
        seen.learned.iter().map(|(number, _)| *number).collect()
    }
}

fn near(one: &[f32], other: &[f32]) -> bool {
    let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
    one.len() == other.len() && one.iter().zip(other).all(close)
}

const PROTOCOLS: [Protocol; 4] = [
    Protocol::Holdout,
    Protocol::KFold,
    Protocol::Prequential,
    Protocol::Delayed,
];

#[test]
fn preprocessing_does_not_leak_test_rows_or_later_rows() {
    let data = growing();
    let with = |scaling, components| Preprocessing {
        scaling,
        components,
        ..Preprocessing::default()
    };
    for protocol in PROTOCOLS {
        for preprocessing in [
            with(FeatureScaling::Minmax, None),
            with(FeatureScaling::Standard, None),
            with(FeatureScaling::Robust, None),
            with(FeatureScaling::Quantile, None),
            with(FeatureScaling::None, Some(2)),
            with(FeatureScaling::Minmax, Some(2)),
        ] {
            for seen in seen(&data, protocol, preprocessing) {
                let rows = expected(&data, &known(protocol, &seen), preprocessing);
                let row = |number: usize| rows.row(number).to_vec();
                for (number, features) in &seen.learned {
                    assert!(near(features, &row(*number)), "{protocol}: row {number}");
                }
                for features in &seen.asked {
                    let found = (0..ROWS).any(|number| near(features, &row(number)));
                    assert!(found, "{protocol}, {preprocessing:?}: {features:?}");
                }
            }
        }
    }
}

#[test]
fn what_min_max_is_fitted_on_fills_the_unit_interval_and_other_rows_leave_it() {
    let preprocessing = Preprocessing {
        scaling: FeatureScaling::Minmax,
        ..Preprocessing::default()
    };
    for protocol in PROTOCOLS {
        let mut left = 0;
        for seen in seen(&growing(), protocol, preprocessing) {
            let known = known(protocol, &seen);
            let fitted = seen.learned.iter().filter(|row| known.contains(&row.0));
            for feature in 0..3 {
                let values = fitted.clone().map(|(_, features)| features[feature]);
                let low = values.clone().fold(f32::INFINITY, f32::min);
                let high = values.fold(f32::NEG_INFINITY, f32::max);
                assert_eq!([low, high], [0.0, 1.0], "{protocol}");
            }
            let outside = |row: &&Vec<f32>| row.iter().any(|x| !(0.0..=1.0).contains(x));
            left += seen.asked.iter().filter(outside).count();
        }
        assert!(left > 0, "{protocol}: extremes of other rows were known");
    }
}
