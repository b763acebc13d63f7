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
    let (mut rng, mut rows, mut targets) =
        (TreeRng::new(5, 0), Array2::zeros((ROWS, 4)), Vec::new());
    for mut row in rows.outer_iter_mut() {
        let (a, d) = (rng.normal() as f32, rng.normal() as f32);
        let is_missing = rng.below(3) == 0;
        let kind = rng.below(5) as u32;
        row[0] = [a, f32::NAN][usize::from(is_missing)];
        row[1] = f32::NAN;
        row[2] = [category(kind), f32::NAN][usize::from(kind == 4)];
        row[3] = d;
        let first = [f64::from(a), 2.0][usize::from(is_missing)];
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
    let (schema, settings) = (Schema::new(4).unwrap(), ResidualSettings::of_numbers());
    let numbers = ResidualForest::new(schema, settings, forest).unwrap();
    let predicted = predictions(&numbers, &rows, &targets);
    let squares: f64 = predicted
        .iter()
        .zip(&targets)
        .map(|(a, b)| (a - b).powi(2))
        .sum();
    assert!(squares / (ROWS as f64) < 0.5, "{squares}");

    let labels: Vec<u32> = targets
        .iter()
        .map(|&target| u32::from(target > 1.0))
        .collect();
    let (schema, settings) = (Schema::new(4).unwrap(), ResidualSettings::of_classes());
    let classes = ResidualClassifier::new(schema, settings, forest).unwrap();
    let predicted = predictions(&classes, &rows, &labels);
    let right = predicted.outer_iter().zip(&labels);
    let right = right.filter(|(p, class)| p[**class as usize] > 0.5).count();
    assert!(right * 10 > ROWS * 9, "{right}");
}
