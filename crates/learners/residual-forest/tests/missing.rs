//! Missing values and categories: batches are rows, threads do not count, predictions are finite.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::threads::with_threads;
use forest_core::{ForestSettings, OnlineLearner, Schema, Task, TreeRng, category};
use ndarray::{Array2, Axis};
use residual_forest::{ResidualClassifier, ResidualForest, ResidualSettings};

const ROWS: usize = 600;

/// The first feature is missing at times, the second always; the third is a category or missing, the fourth a number.
/// Both numbers and whether the first is there count.
fn sample() -> (Array2<f32>, Vec<f64>) {
    let mut rng = TreeRng::new(5, 0);
    let mut rows = Array2::zeros((ROWS, 4));
    let mut targets = Vec::new();
    for mut row in rows.outer_iter_mut() {
        let a = rng.normal() as f32;
        let d = rng.normal() as f32;
        let is_missing = rng.below(3) == 0;
        let kind = rng.below(5) as u32;
        row[0] = if is_missing { f32::NAN } else { a };
        row[1] = f32::NAN;
        row[2] = if kind == 4 { f32::NAN } else { category(kind) };
        row[3] = d;
        let first = if is_missing { 2.0 } else { f64::from(a) };
        targets.push(f64::from(d) + first + f64::from(kind % 2));
    }
    (rows, targets)
}

fn predictions<L: OnlineLearner + Clone + Send>(
    empty: &L,
    rows: &Array2<f32>,
    targets: &[<L::Task as Task>::Target],
) -> Array2<f64> {
    let learned = |threads, batch: usize| {
        let mut learner = empty.clone();
        let learn = || {
            let parts = rows.axis_chunks_iter(Axis(0), batch);
            for (rows, targets) in parts.zip(targets.chunks(batch)) {
                learner.learn(rows, targets).unwrap();
            }
            learner.check_invariants().unwrap();
            learner.predict(rows.view()).unwrap()
        };
        with_threads(threads, learn).unwrap()
    };
    let predictions = learned(1, 1);
    assert!(predictions.iter().all(|value| value.is_finite()));
    assert!(predictions == learned(2, ROWS) && predictions == learned(2, 70));
    predictions
}

#[test]
fn rows_with_missing_values_and_categories_are_learned() {
    let (rows, targets) = sample();
    let forest = ForestSettings::default().with_trees(10).with_seed(3);
    let schema = Schema::new(4).unwrap();
    let numbers = ResidualForest::new(schema, ResidualSettings::of_numbers(), forest).unwrap();
    let predicted = predictions(&numbers, &rows, &targets);
    let pairs = predicted.iter().zip(&targets);
    let squares: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
    assert!(squares / (ROWS as f64) < 0.5, "{squares}");

    let labels = targets.iter().map(|&target| u32::from(target > 1.0));
    let labels: Vec<u32> = labels.collect();
    let schema = Schema::new(4).unwrap();
    let classes = ResidualClassifier::new(schema, ResidualSettings::of_classes(), forest).unwrap();
    let predicted = predictions(&classes, &rows, &labels);
    let right = predicted.outer_iter().zip(&labels);
    let right = right.filter(|(p, class)| p[**class as usize] > 0.5).count();
    assert!(right * 10 > ROWS * 9, "{right}");
}
