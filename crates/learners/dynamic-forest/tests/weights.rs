//! Samples with weights: copies at once, bit for bit.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicTree, Labels};
use forest_core::registry::snapshot::encode_value;
use forest_core::{Classification, Forest, OnlineLearner, Regression, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};

use crate::streams::{Drawn, forest, learn, numbers, settings, splits};

/// What these tests need of a task.
trait Weighing: Labels + Drawn + ConformanceTask {}

impl Weighing for Classification {}
impl Weighing for Regression {}

type Trees<T> = Forest<DynamicTree<T>>;

/// Rows with targets and whole weights.
fn rows<T: Weighing>(seed: u64, count: usize) -> Vec<(Vec<f32>, T::Target, usize)> {
    let mut rng = TreeRng::new(seed, 2);
    let row = |time| {
        let x = numbers(&mut rng, 6);
        let target = T::draw(&mut rng, &x, time);
        (x, target, 1 + rng.below(6))
    };
    (0..count).map(row).collect()
}

/// Returns the bits of all predictions at points between the samples, and the splits of the trees.
fn all_of<T: Weighing>(forest: &Trees<T>) -> (Vec<u64>, usize) {
    let mut rng = TreeRng::new(11, 0);
    let predictions = (0..300).flat_map(|_| forest.predict_one(&numbers(&mut rng, 6)).unwrap());
    (predictions.map(f64::to_bits).collect(), splits(forest))
}

fn weights_are_copies<T: Weighing>(recheck: f64) {
    for seed in 0..6 {
        let rows = rows::<T>(seed, 250);
        let mut copied: Trees<T> = forest(6, &settings((None, 2, 1, 1), recheck));
        for (x, target, weight) in &rows {
            (0..*weight).for_each(|_| copied.learn_one(x, *target).unwrap());
        }
        let expected = all_of(&copied);
        for scale in [1.0, 0.5f64.powi(20), 0.25, 2.0, 2f64.powi(17)] {
            let mut scaled: Trees<T> = forest(6, &settings((None, 2, 1, 1), recheck));
            for (x, target, weight) in &rows {
                learn(&mut scaled, x, *target, scale * *weight as f64);
            }
            assert_eq!(all_of(&scaled), expected, "seed {seed}, scale {scale}");
        }
    }
}

/// `1e-9` reconsiders every split with every sample: lazy upkeep of the batch tree.
#[test]
fn weights_are_copies_bit_for_bit_and_their_scale_is_nothing() {
    for recheck in [0.0, 1e-9] {
        weights_are_copies::<Classification>(recheck);
        weights_are_copies::<Regression>(recheck);
    }
}

#[test]
fn gains_and_predictions_weigh_samples() {
    // Feature 0 divides the heavy samples, feature 1 the light ones.
    let samples = [
        ([0.0, 0.0], 0, 9.0),
        ([1.0, 0.0], 1, 9.0),
        ([0.0, 1.0], 1, 1.0),
        ([0.0, 1.0], 1, 1.0),
        ([0.0, 1.0], 1, 1.0),
    ];
    let settings = settings((Some(2), 5, 1, 1), 0.0);
    let prediction = |weighted: bool| {
        let mut forest: Trees<Classification> = forest(2, &settings);
        for (x, class, weight) in samples {
            learn(&mut forest, &x, class, if weighted { weight } else { 1.0 });
        }
        forest.predict_one(&[0.0, 1.0]).unwrap()
    };
    assert_eq!(prediction(false), [0.0, 1.0]);
    assert_eq!(prediction(true), [0.75, 0.25]);
}

fn ones_are_nothing<T: Weighing>() {
    let stream = Stream::<T>::uniform(200, 4, 6);
    let (features, targets) = stream.part(0, 200);
    let mut plain: Trees<T> = forest(4, &settings((None, 2, 1, 1), 0.5));
    let mut ones = plain.clone();
    plain.learn(features, targets).unwrap();
    ones.learn_weighted(features, targets, &[1.0; 200]).unwrap();
    let [plain_bytes, bytes] = [&plain, &ones].map(|forest| encode_value(forest).unwrap());
    assert_eq!(plain_bytes, bytes);
    assert_eq!(plain.footprint().bytes, ones.footprint().bytes);
}

#[test]
fn weights_of_one_are_not_weights() {
    ones_are_nothing::<Classification>();
    ones_are_nothing::<Regression>();
}
