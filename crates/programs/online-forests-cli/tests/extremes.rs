//! Targets at the end of what numbers can be: sums of their squares would be infinite. They are refused, and what is
//! accepted is predicted and saved.

use forest_core::registry::snapshot::{Snapshot as _, from_bytes, to_bytes};
use ndarray::Array2;
use online_forests::{
    Algorithm, AnyLearner, AnyRegressor, ForestSettings, OnlineLearner, Regression, Schema,
};

fn regressors() -> impl Iterator<Item = AnyRegressor> {
    let algorithms = Algorithm::all().filter(Algorithm::supports::<Regression>);
    let settings = ForestSettings::default().with_trees(3);
    algorithms.map(move |algorithm| algorithm.build(Schema::new(2).unwrap(), settings).unwrap())
}

/// `count` rows on a line across the unit square.
fn rows(count: usize) -> Array2<f32> {
    Array2::from_shape_fn((count, 2), |(row, column)| {
        let place = row as f32 / count as f32;
        if column == 0 { place } else { 1.0 - place }
    })
}

fn bytes(learner: &AnyRegressor) -> Vec<u8> {
    to_bytes(learner).unwrap()
}

/// Predictions at the rows that were learned; all of them are finite.
fn predictions(learner: &AnyRegressor, rows: &Array2<f32>) -> Vec<f64> {
    let predictions = learner.predict(rows.view()).unwrap();
    let predictions: Vec<f64> = predictions.iter().copied().collect();
    let finite = predictions.iter().all(|prediction| prediction.is_finite());
    assert!(finite, "{}: {predictions:?}", learner.label());
    predictions
}

#[test]
fn targets_beyond_the_bound_are_refused_and_change_nothing() {
    let two = [
        [1e308, 1e308],
        [1e308, 1.7e308],
        [-1e308, 1e308],
        [1.0, 1e101],
    ];
    for mut learner in regressors() {
        learner.learn(rows(20).view(), &[0.5; 20]).unwrap();
        let before = bytes(&learner);
        for targets in two {
            let refused = learner.learn(rows(2).view(), &targets).unwrap_err();
            assert!(refused.to_string().contains("beyond ±1e100"), "{refused}");
            assert!(bytes(&learner) == before, "{} has changed", learner.label());
        }
        predictions(&learner, &rows(20));
    }
}

#[test]
fn the_largest_targets_are_predicted_and_saved() {
    let rows = rows(200);
    let mut asked = 0;
    let targets: Vec<f64> = (0..200).map(|row| [1e100, -1e100][row % 2]).collect();
    for mut learner in regressors() {
        learner.learn(rows.view(), &targets).unwrap();
        learner.check_invariants().unwrap();
        let saved: AnyLearner<Regression> = from_bytes(&bytes(&learner)).unwrap();
        assert_eq!(predictions(&saved, &rows), predictions(&learner, &rows));
        asked += 1;
    }
    assert!(asked > 12, "{asked} learners of numbers");
}
