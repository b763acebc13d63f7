//! The paper's Table 2 on real data: `n_T` = 50, `k` = 50, raw features, mean of three seeds.
//!
//! Data is looked for in the folder that `FOREST_DATA` names, or in `../shared/data` beside the
//! repository; a set that is not there is skipped, and the test says so. MNIST takes too long for a
//! test: `cargo xtask-all reproduce boundary-forest/table-2` measures it with the others.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema};
use ndarray::{ArrayView2, s};

/// Returns a data set, or `None` with a message if it is missing.
fn open(name: &str) -> Option<Dataset> {
    let data_dir = datasets::data_folder();
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

const TREES: usize = 50;

type Rows<'a> = (ArrayView2<'a, f32>, &'a [u32]);

fn schema(rows: Rows<'_>) -> Schema<Classification> {
    Schema::new(rows.0.ncols()).unwrap()
}

fn online(rows: Rows<'_>, seed: u64) -> BoundaryClassifier {
    let settings = ClassifierSettings::default();
    let forest = BoundaryClassifier::<Euclidean>::new(
        schema(rows),
        settings,
        ForestSettings::default().with_trees(TREES).with_seed(seed),
    );
    let mut forest = forest.unwrap();
    forest.learn(rows.0, rows.1).unwrap();
    forest
}

fn offline(rows: Rows<'_>, seed: u64) -> BoundaryClassifier {
    let settings = ClassifierSettings::default();
    BoundaryClassifier::offline(
        schema(rows),
        settings,
        ForestSettings::default().with_trees(TREES).with_seed(seed),
        rows.0,
        rows.1,
    )
    .unwrap()
}

/// Percent of wrong predictions.
fn error(forest: &BoundaryClassifier, (features, labels): Rows<'_>) -> f64 {
    let predictions = forest.predict(features).unwrap();
    100.0 * (1.0 - forest_testing::accuracy(&predictions, labels))
}

fn mean_error(forests: &[BoundaryClassifier], rows: Rows<'_>) -> f64 {
    let errors = forests.iter().map(|forest| error(forest, rows));
    errors.sum::<f64>() / forests.len() as f64
}

/// Trains on the first `rows` rows and tests on the set's own test rows.
#[track_caller]
fn check(name: &str, rows: usize, at_most: f64) {
    let Some(data) = open(name) else { return };
    let split = data.split.unwrap();
    let train = (data.features.slice(s![..rows, ..]), &labels(&data)[..rows]);
    let test = (
        data.features.slice(s![split.., ..]),
        &labels(&data)[split..],
    );
    let bf: Vec<_> = (0..3).map(|seed| online(train, seed)).collect();
    for forest in &bf {
        forest.check_invariants().unwrap();
        let on_train = error(forest, train);
        assert!(
            on_train < 1.0,
            "{name}: {on_train} % of the training set after one pass"
        );
    }
    let obf: Vec<_> = (0..3).map(|seed| offline(train, seed)).collect();
    obf.iter()
        .for_each(|forest| forest.check_invariants().unwrap());
    let [bf, obf] = [bf, obf].map(|forests| mean_error(&forests, test));
    eprintln!("{name}: error {bf:.2} %, offline {obf:.2} %");
    assert!(bf <= at_most, "{name}: {bf} % > {at_most} %");
    assert!(
        obf <= 1.1 * bf,
        "{name}: being offline costs: {obf} % against {bf} %"
    );
}

#[test]
fn letter_is_learned_as_in_the_paper() {
    check("letter", 15_000, 5.4);
}

#[test]
fn pendigits_are_learned_as_in_the_paper() {
    check("pendigits", 7494, 2.62);
}

#[test]
fn dna_is_learned_as_in_the_paper() {
    check("dna", 1400, 14.9);
}
