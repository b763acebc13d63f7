//! Missing values and categories: batches are rows, threads do not count, predictions are finite.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::threads::with_threads;
use forest_core::{ForestSettings, OnlineLearner, Schema, Task, TreeRng, category};
use ndarray::{Array2, Axis};
use residual_forest::{ResidualClassifier, ResidualForest, ResidualSettings};

const ROWS: usize = 600;

/// The first feature is missing at times, the second always; the third is a category or missing, the fourth a number. Both numbers and whether the first is there count.
fn sample() -> (Array2<f32>, Vec<f64>) {
    let mut rng = TreeRng::new(5, 0);
    let mut rows = Array2::zeros((ROWS, 4));
    let targets = rows.outer_iter_mut().map(|mut row| {
        let (a, d) = (rng.normal() as f32, rng.normal() as f32);
        let is_missing = rng.below(3) == 0;
        let kind = rng.below(5) as u32;
        row[0] = [a, f32::NAN][usize::from(is_missing)];
        row[1] = f32::NAN;
        row[2] = [category(kind), f32::NAN][usize::from(kind == 4)];
        row[3] = d;
        f64::from(d) + if is_missing { 2.0 } else { f64::from(a) } + f64::from(kind % 2)
    });
    let targets = targets.collect();
    (rows, targets)
}

fn keeps_its_word<L: OnlineLearner + Clone + Send>(
    empty: &L,
    targets: &[<L::Task as Task>::Target],
) -> Array2<f64> {
    let (rows, _) = sample();
    let learned = |threads, batch: usize| {
        let mut learner = empty.clone();
        let learn = || {
            let parts = rows
                .axis_chunks_iter(Axis(0), batch)
                .zip(targets.chunks(batch));
            for (rows, targets) in parts {
                learner.learn(rows, targets).unwrap();
            }
            learner.check_invariants().unwrap();
            learner.predict(rows.view()).unwrap()
        };
        with_threads(threads, learn).unwrap()
    };
    let predictions = learned(1, 1);
    assert!(predictions.iter().all(|value| value.is_finite()));
    assert_eq!(predictions, learned(2, ROWS));
    assert_eq!(predictions, learned(2, 70));
    predictions
}

#[test]
fn numbers_are_learned_beside_missing_values_and_categories() {
    let (_, targets) = sample();
    let forest = ForestSettings::default().with_trees(10).with_seed(3);
    let schema = Schema::new(4).unwrap();
    let empty = ResidualForest::new(schema, ResidualSettings::of_numbers(), forest).unwrap();
    let predictions = keeps_its_word(&empty, &targets);
    let pairs = predictions.iter().zip(&targets);
    let squares: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
    assert!(squares / (ROWS as f64) < 0.5, "{squares}");
}

#[test]
fn classes_are_learned_beside_missing_values_and_categories() {
    let (_, targets) = sample();
    let classes: Vec<u32> = targets
        .iter()
        .map(|&target| u32::from(target > 1.0))
        .collect();
    let forest = ForestSettings::default().with_trees(10).with_seed(3);
    let schema = Schema::new(4).unwrap();
    let settings = ResidualSettings::of_classes();
    let empty = ResidualClassifier::new(schema, settings, forest).unwrap();
    let predictions = keeps_its_word(&empty, &classes);
    let right = predictions.outer_iter().zip(&classes);
    let right = right.filter(|(p, class)| p[**class as usize] > 0.5).count();
    assert!(right * 10 > ROWS * 9, "{right}");
}
