//! Residual forests by name: inside `adaptive`, where streams change; and read.

use crate::common;
use forest_core::TreeRng;
use ndarray::{Array2, s};
use online_forests::{AnyRegressor, ForestSettings, OnlineLearner, Regression, Schema};

/// Members that start again where the stream has changed, and those by which a change is found.
const RESTARTING: &str = "adaptive:members=residual-forest@change@none+residual-forest@100@none";

const CHANGE: usize = 1000;
const ROWS: usize = 3000;

/// At the end of the stream.
const MEASURED: usize = 1000;

/// Returns points, and Friedman's function of their first five features.
fn friedman(rows: usize, features: usize) -> (Array2<f32>, Vec<f64>) {
    let mut rng = TreeRng::new(21, 0);
    let points = Array2::from_shape_simple_fn((rows, features), || rng.uniform() as f32);
    let values = points.outer_iter().map(common::friedman).collect();
    (points, values)
}

fn with_noise(values: &[f64]) -> Vec<f64> {
    let mut rng = TreeRng::new(22, 0);
    values.iter().map(|value| value + rng.normal()).collect()
}

fn build(name: &str, features: usize, trees: usize) -> AnyRegressor {
    let forest = ForestSettings::default().with_trees(trees).with_seed(23);
    let algorithm: online_forests::Algorithm = name.parse().unwrap();
    let schema = Schema::<Regression>::new(features).unwrap();
    algorithm.build(schema, forest).unwrap()
}

/// Returns a learner after a stream that is mirrored at row `CHANGE`, begun at row `first`, and the root mean squared
/// error of its last rows.
fn error_at_the_end(name: &str, trees: usize, first: usize) -> (f64, AnyRegressor) {
    let (points, mut truths) = friedman(ROWS, 5);
    for value in &mut truths[CHANGE..] {
        *value = 28.0 - *value;
    }
    let targets = with_noise(&truths);
    let mut learner = build(name, 5, trees);
    let rows = points.slice(s![first.., ..]);
    let predictions = learner.predict_then_learn(rows, &targets[first..]).unwrap();
    let pairs = predictions.iter().zip(&truths[first..]);
    let square = |(prediction, truth): (&[f64], &f64)| (prediction[0] - truth).powi(2);
    let squares: f64 = pairs.skip(ROWS - MEASURED - first).map(square).sum();
    ((squares / MEASURED as f64).sqrt(), learner)
}

/// From seed to seed the ratio of two such errors varies by a tenth. The fault that is seen: members that do not start
/// again.
#[test]
fn members_since_the_change_err_as_one_that_begins_there() {
    let (begun, _) = error_at_the_end("residual-forest", 50, CHANGE);
    let (restarting, learner) = error_at_the_end(RESTARTING, 25, 0);
    assert!(restarting < 1.2 * begun, "{restarting} {begun}");
    let changed = learner.members()[0].changed;
    let near = |row: &u64| row.abs_diff(CHANGE as u64) < 100;
    assert!(changed.as_ref().is_some_and(near), "{changed:?}");
    let (lasting, _) = error_at_the_end(&RESTARTING.replace("@change", "@all"), 25, 0);
    assert!(lasting > 1.5 * begun, "{lasting} {begun}");
}

/// Features that the target does not depend on gain little.
#[test]
fn the_trees_of_all_stages_say_which_features_matter() {
    let (points, truths) = friedman(1500, 7);
    let mut learner = build("residual-forest", 7, 10);
    learner.learn(points.view(), &with_noise(&truths)).unwrap();
    assert_eq!(learner.exported().unwrap().len(), 10);
    let importance = learner.feature_importance().unwrap();
    for unused in &importance[5..] {
        let mut used = importance[..5].iter();
        assert!(used.all(|gain| *unused < 0.5 * gain), "{importance:?}");
    }
}
