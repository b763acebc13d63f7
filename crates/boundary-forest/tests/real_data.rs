//! The paper's Table 2 on real data: `n_T` = 50, `k` = 50, raw features, mean of three seeds.
//!
//! Data is looked for in the folder that `FOREST_DATA` names, or in `../shared/data` beside the
//! repository; a set that is not there is skipped, and the test says so.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{OnlineLearner, Schema, argmax};
use ndarray::{ArrayView2, Axis};

fn data_dir() -> PathBuf {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    std::env::var_os("FOREST_DATA").map_or_else(beside, PathBuf::from)
}

/// A set; `None`, said aloud, if it is not there.
fn open(name: &str) -> Option<Dataset> {
    let data_dir = data_dir();
    if !data_dir.join(name).is_dir() {
        eprintln!("skipped: no {name} in {}", data_dir.display());
        return None;
    }
    let options = OpenOptions {
        data_dir: Some(data_dir),
        ..OpenOptions::default()
    };
    Some(datasets::open(name, &options).unwrap())
}

fn labels(data: &Dataset) -> &[u32] {
    match &data.target {
        Target::Classes { labels, .. } => labels,
        Target::Values { .. } => &[],
    }
}

fn learned(features: ArrayView2<'_, f32>, labels: &[u32], seed: u64) -> BoundaryClassifier {
    let schema = Schema::new(features.ncols()).unwrap();
    let settings = ClassifierSettings::default();
    let mut forest = BoundaryClassifier::<Euclidean>::new(schema, settings, 50, seed).unwrap();
    forest.learn(features, labels).unwrap();
    forest
}

/// Percent of wrong answers.
fn error(forest: &BoundaryClassifier, features: ArrayView2<'_, f32>, labels: &[u32]) -> f64 {
    let answers = forest.predict(features).unwrap();
    let answers = answers.rows().into_iter().zip(labels);
    let wrong = answers.filter(|(row, label)| argmax(&row.to_vec()) != **label as usize);
    100.0 * wrong.count() as f64 / labels.len() as f64
}

#[track_caller]
fn check(name: &str, train_rows: usize, at_most: f64) {
    let Some(data) = open(name) else { return };
    assert_eq!(data.split, Some(train_rows));
    let (train, test) = data.features.view().split_at(Axis(0), train_rows);
    let (train_labels, test_labels) = labels(&data).split_at(train_rows);
    let mut mean = 0.0;
    for seed in 0..3 {
        let forest = learned(train, train_labels, seed);
        forest.check_invariants().unwrap();
        let on_train = error(&forest, train, train_labels);
        assert!(
            on_train < 1.0,
            "{name}: {on_train} % of the training set after one pass"
        );
        mean += error(&forest, test, test_labels) / 3.0;
    }
    eprintln!("{name}: error {mean:.2} %");
    assert!(mean <= at_most, "{name}: {mean} % > {at_most} %");
}

#[test]
fn letter_is_learned_as_in_the_paper() {
    check("letter", 15_000, 5.4);
}

#[test]
fn pendigits_are_learned_as_in_the_paper() {
    check("pendigits", 7494, 2.8);
}
