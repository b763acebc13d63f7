//! The learner of classes is nearly a function of its rows, in whatever order they come.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::registry::snapshot;
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, argmax};
use ndarray::{Array2, Axis};
use residual_forest::{ResidualClassifier, ResidualSettings};

type Rows = Vec<([f32; 2], u32)>;

fn learner(recheck: f64) -> ResidualClassifier {
    let forest = ForestSettings::default().with_trees(20).with_seed(3);
    let settings = ResidualSettings {
        recheck,
        ..ResidualSettings::of_classes()
    };
    ResidualClassifier::new(Schema::new(2).unwrap(), settings, forest).unwrap()
}

fn teach(learner: &mut ResidualClassifier, rows: &Rows) {
    for (x, class) in rows {
        learner.learn_one(x, *class).unwrap();
    }
}

fn taught(rows: &Rows) -> ResidualClassifier {
    let mut learner = learner(0.7);
    teach(&mut learner, rows);
    learner.check_invariants().unwrap();
    learner
}

/// Normal rows around a place of their class, of which one in `noise` has a class at random.
fn drawn(rng: &mut TreeRng, count: usize, classes: usize, noise: usize) -> Rows {
    let mut row = || {
        let class = rng.below(classes);
        let angle = class as f64 * 6.3 / classes as f64;
        let x = [angle.cos(), angle.sin()].map(|at| (2.0 * at + rng.normal()) as f32);
        let is_noise = rng.below(noise) == 0;
        let class = if is_noise { rng.below(classes) } else { class };
        (x, class as u32)
    };
    (0..count).map(|_| row()).collect()
}

/// Returns the share of rows whose class is the likeliest, and the mean of −ln p.
fn score(learner: &ResidualClassifier, rows: &Rows) -> (f64, f64) {
    let mut right = 0.0;
    let mut loss = 0.0;
    for (x, class) in rows {
        let p = learner.predict_one(x).unwrap();
        right += f64::from(u8::from(argmax(&p) == *class as usize));
        loss -= p[*class as usize].max(1e-15).ln();
    }
    let count = rows.len() as f64;
    (right / count, loss / count)
}

#[test]
fn sorted_rows_are_learned_as_well_as_shuffled_ones() {
    for (classes, noise) in [(2, 5), (4, 20)] {
        let mut rng = TreeRng::new(1, 0);
        let mut rows = drawn(&mut rng, 1500, classes, noise);
        let test = drawn(&mut rng, 1000, classes, noise);
        let (accuracy, loss) = score(&taught(&rows), &test);
        rows.sort_by_key(|row| row.1);
        let sorted = score(&taught(&rows), &test);
        rows.reverse();
        let reversed = score(&taught(&rows), &test);
        for (other, others_loss) in [sorted, reversed] {
            let is_near = other > accuracy - 0.015 && others_loss < 1.1 * loss;
            assert!(is_near, "{accuracy} {loss} {sorted:?} {reversed:?}");
        }
    }
}

/// Rows of one class, then a few of another; and two classes, then five rows of a third.
#[test]
fn a_rare_class_that_comes_last_takes_nothing_from_others() {
    let mut rng = TreeRng::new(2, 0);
    let mut rows: Rows = drawn(&mut rng, 990, 1, 1);
    rows.extend((0..10).map(|i| ([-3.0 - i as f32 / 10.0, rng.normal() as f32], 1)));
    let (accuracy, loss) = score(&taught(&rows), &rows);
    assert!(accuracy > 0.99 && loss < 0.1, "{accuracy} {loss}");

    let mut rows = drawn(&mut rng, 400, 2, 10);
    let (before, _) = score(&taught(&rows), &rows);
    rows.extend((0..5).map(|i| ([8.0 + i as f32 / 10.0, 8.0], 2)));
    let learner = taught(&rows);
    let (accuracy, _) = score(&learner, &rows[..400].to_vec());
    assert!(accuracy > before - 0.02, "{accuracy} {before}");
    let (accuracy, _) = score(&learner, &rows[400..].to_vec());
    assert!(accuracy > 0.7, "{accuracy}");
}

#[test]
fn few_rows_are_those_of_plain_trees() {
    let rows = drawn(&mut TreeRng::new(4, 0), 23, 3, 10);
    let mut learner = learner(0.7);
    for (x, class) in &rows {
        learner.learn_one(x, *class).unwrap();
        let (first, others) = learner.weights().split_first().unwrap();
        assert!(*first == 1.0 && others.iter().all(|weight| *weight == 0.0));
    }
}

/// As a learner that never had them: exact trees to the bit once as many rows are silent, and the rest but for weights
/// that have not been fitted again.
#[test]
fn forgotten_rows_leave_little() {
    let mut rng = TreeRng::new(5, 0);
    let kept = drawn(&mut rng, 600, 2, 20);
    let noise = drawn(&mut rng, 150, 2, 1);
    let test = drawn(&mut rng, 500, 2, 20);
    for (recheck, most) in [(0.0, 0.05), (0.7, 0.15)] {
        let mut alone = learner(recheck);
        let mut forgetful = alone.clone();
        teach(&mut alone, &kept);
        teach(&mut forgetful, &kept);
        teach(&mut forgetful, &noise);
        let differences = |forgetful: &ResidualClassifier| -> f64 {
            let difference = |(x, _): &([f32; 2], u32)| {
                let [a, b] = [forgetful, &alone].map(|one| one.predict_one(x).unwrap()[0]);
                (a - b).abs()
            };
            test.iter().map(difference).fold(0.0, f64::max)
        };
        let before = differences(&forgetful);
        (600..750).for_each(|arrival| forgetful.forget(arrival).unwrap());
        forgetful.check_invariants().unwrap();
        let after = differences(&forgetful);
        let is_little = after < most && before > 3.0 * after;
        assert!(is_little, "{recheck}: {after} {before}");
    }
}

/// A weight of 1 is none, rows with weights one by one are their batch, and a weight of 3 is three rows, nearly.
#[test]
fn rows_with_weights_are_learned_together_as_alone() {
    let rows = drawn(&mut TreeRng::new(6, 0), 300, 3, 10);
    let x = Array2::from_shape_fn((rows.len(), 2), |(row, feature)| rows[row].0[feature]);
    let classes: Vec<u32> = rows.iter().map(|row| row.1).collect();
    let bytes = |learner: &ResidualClassifier| snapshot::encode_value(learner).unwrap();
    let mut ones = learner(0.7);
    let learned = ones.learn_weighted(x.view(), &classes, &[1.0; 300]);
    learned.unwrap();
    assert!(bytes(&ones) == bytes(&taught(&rows)));

    let weight = |&class: &u32| if class == 0 { 3.0 } else { 1.0 };
    let weights: Vec<f64> = classes.iter().map(weight).collect();
    let mut alone = learner(0.7);
    let mut batch = alone.clone();
    batch.learn_weighted(x.view(), &classes, &weights).unwrap();
    for ((x, class), weight) in x.outer_iter().zip(&classes).zip(&weights) {
        let x = x.insert_axis(Axis(0));
        alone.learn_weighted(x, &[*class], &[*weight]).unwrap();
    }
    batch.check_invariants().unwrap();
    assert!(bytes(&batch) == bytes(&alone));
    let mean = |learner: &ResidualClassifier| learner.predict(x.view()).unwrap().column(0).mean();
    assert!(mean(&batch) > mean(&ones).map(|mean| mean + 0.02));
    let refused = batch.learn_weighted(x.view(), &classes, &[0.0; 300]);
    assert!(refused.is_err());
}
