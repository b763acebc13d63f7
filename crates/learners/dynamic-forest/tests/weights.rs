//! Samples with weights: copies at once, bit for bit, and the tree of the set whatever arrived and left.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{
    Classification, Forest, OnlineLearner, OnlineTree, Regression, Retention, SampleWeight, TreeRng,
};
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::ArrayView2;

use crate::changes::{self, forest};
use crate::streams::{Drawn, features};

/// What these tests need of a task.
trait Weighing: Labels + Drawn + ConformanceTask {}

impl Weighing for Classification {}
impl Weighing for Regression {}

type Trees<T> = Forest<DynamicTree<T>>;

fn learn<T: Weighing>(forest: &mut Trees<T>, x: &[f32], target: T::Target, weight: f64) {
    let x = ArrayView2::from_shape((1, x.len()), x).unwrap();
    forest.learn_weighted(x, &[target], &[weight]).unwrap();
}

fn with(recheck: f64) -> DynamicSettings {
    DynamicSettings {
        recheck,
        ..DynamicSettings::default()
    }
}

/// Weights of all sizes and numbers of digits; ones come first.
fn weight(rng: &mut TreeRng, time: usize) -> f64 {
    match rng.below(if time < 40 { 1 } else { 6 }) {
        0 => 1.0,
        1 => 1.0 + rng.below(5) as f64,
        2 => 0.5f64.powi(rng.below(20) as i32),
        3 => rng.uniform() + 0.001,
        4 => rng.uniform() * (SampleWeight::MAX - 1.0) + 1.0,
        _ => [SampleWeight::MIN, SampleWeight::MAX][rng.below(2)],
    }
}

/// Learns and forgets at random; the invariants of an exact tree include that it is the batch tree.
fn come_and_go<T: Weighing>(seed: u64, width: usize, settings: &DynamicSettings, steps: usize) {
    let rng = TreeRng::new(seed, 1);
    changes::come_and_go::<DynamicTree<T>>(
        rng,
        changes::Points {
            width,
            draw: features,
        },
        settings,
        steps,
        |forest, rng, (x, target), time| {
            learn(forest, x, target, weight(rng, time));
        },
    );
}

fn variants(recheck: f64) -> [DynamicSettings; 3] {
    [
        with(recheck),
        DynamicSettings {
            max_features: Some(9),
            min_samples_split: 5,
            ..with(recheck)
        },
        DynamicSettings {
            min_samples_leaf: 3,
            thresholds: 2,
            ..with(recheck)
        },
    ]
}

#[test]
fn an_exact_tree_with_weights_is_the_batch_tree_after_every_step() {
    for (seed, settings) in (0..).zip(variants(0.0)) {
        for width in [1, 3, 9] {
            come_and_go::<Classification>(seed, width, &settings, 400);
            come_and_go::<Regression>(seed, width, &settings, 400);
        }
    }
}

#[test]
fn a_lazy_tree_with_weights_holds_together_after_every_step() {
    for (seed, settings) in (0..).zip(variants(0.5)) {
        come_and_go::<Classification>(seed, 7, &settings, 300);
        come_and_go::<Regression>(seed, 7, &settings, 300);
    }
}

/// Rows with targets and weights.
struct Weighted<T: Weighing> {
    rows: Vec<(Vec<f32>, T::Target, f64)>,
}

impl<T: Weighing> Weighted<T> {
    /// Whole weights, multiplied by `scale`.
    fn new(seed: u64, count: usize, scale: f64) -> Self {
        let mut rng = TreeRng::new(seed, 2);
        let row = |time| {
            let x = features(&mut rng, 6);
            let target = T::draw(&mut rng, &x, time);
            (x, target, scale * (1 + rng.below(6)) as f64)
        };
        let rows = (0..count).map(row).collect();
        Self { rows }
    }

    fn learned(&self, settings: &DynamicSettings) -> Trees<T> {
        let mut forest = forest::<DynamicTree<T>>(6, settings, Retention::Everything);
        for (x, target, weight) in &self.rows {
            learn(&mut forest, x, *target, *weight);
        }
        forest
    }

    /// Returns the forest of `1 / scale` times as many copies as each row weighs.
    fn copied(&self, settings: &DynamicSettings, scale: f64) -> Trees<T> {
        let mut forest = forest::<DynamicTree<T>>(6, settings, Retention::Everything);
        for (x, target, weight) in &self.rows {
            for _ in 0..(weight / scale) as usize {
                forest.learn_one(x, *target).unwrap();
            }
        }
        forest
    }
}

/// Returns the bits of all predictions at points between the samples, and the cuts of the trees.
fn all_of<T: Weighing>(forest: &Trees<T>) -> (Vec<u64>, Vec<usize>) {
    let mut rng = TreeRng::new(11, 0);
    let predictions = (0..300).flat_map(|_| forest.predict_one(&features(&mut rng, 6)).unwrap());
    let bits = predictions.map(f64::to_bits).collect();
    (bits, forest.trees().map(DynamicTree::cuts).collect())
}

fn weights_are_copies<T: Weighing>(recheck: f64) {
    for seed in 0..6 {
        let settings = with(recheck);
        let whole = Weighted::<T>::new(seed, 250, 1.0);
        let expected = all_of(&whole.copied(&settings, 1.0));
        let forest = whole.learned(&settings);
        assert_eq!(all_of(&forest), expected, "seed {seed}");
        for scale in [0.5f64.powi(20), 0.25, 2.0, 2f64.powi(17)] {
            let scaled = Weighted::<T>::new(seed, 250, scale).learned(&settings);
            assert_eq!(all_of(&scaled), expected, "seed {seed}, scale {scale}");
        }
    }
}

/// `1e-9` reconsiders every cut with every sample: lazy upkeep of the batch tree.
#[test]
fn weights_are_copies_bit_for_bit_and_their_scale_is_nothing() {
    for recheck in [0.0, 1e-9] {
        weights_are_copies::<Classification>(recheck);
        weights_are_copies::<Regression>(recheck);
    }
}

/// A tree that has switched to weights and no longer holds any predicts as one that never did.
fn nothing_is_left<T: Weighing>() {
    let settings = with(0.0);
    let plain = Weighted::<T>::new(8, 120, 1.0).rows;
    let mut never = forest::<DynamicTree<T>>(6, &settings, Retention::Everything);
    let mut weighted = never.clone();
    for (arrival, (x, target, weight)) in plain.iter().enumerate() {
        if arrival % 3 == 0 {
            learn(&mut weighted, x, *target, *weight + 0.3);
        } else {
            never.learn_one(x, *target).unwrap();
            weighted.learn_one(x, *target).unwrap();
        }
    }
    (0..40).for_each(|gone| weighted.forget(3 * gone).unwrap());
    weighted.check_invariants().unwrap();
    assert_eq!(all_of(&weighted), all_of(&never));
}

#[test]
fn a_weight_that_is_forgotten_leaves_nothing() {
    nothing_is_left::<Classification>();
    nothing_is_left::<Regression>();
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
    let settings = DynamicSettings {
        max_features: Some(2),
        min_samples_split: 5,
        ..with(0.0)
    };
    let prediction = |weighted: bool| {
        let mut forest = forest::<DynamicTree<Classification>>(2, &settings, Retention::Everything);
        for (x, class, weight) in samples {
            learn(&mut forest, &x, class, if weighted { weight } else { 1.0 });
        }
        forest.predict_one(&[0.0, 1.0]).unwrap()
    };
    assert_eq!(prediction(false), [0.0, 1.0]);
    assert_eq!(prediction(true), [0.75, 0.25]);
}

fn they_are_saved<T: Weighing>() {
    for retention in [Retention::Everything, Retention::Latest(60)] {
        for recheck in [0.0, 0.5] {
            let rows = Weighted::<T>::new(5, 200, 0.3).rows;
            let mut forest = forest::<DynamicTree<T>>(6, &with(recheck), retention);
            let teach = |forest: &mut Trees<T>, part: std::ops::Range<usize>| {
                for (x, target, weight) in &rows[part] {
                    learn(forest, x, *target, *weight);
                }
            };
            teach(&mut forest, 0..100);
            let bytes = encode_value(&forest).unwrap();
            let mut loaded: Trees<T> = decode_value(&bytes).unwrap();
            teach(&mut forest, 100..200);
            teach(&mut loaded, 100..200);
            loaded.check_invariants().unwrap();
            let again = [&forest, &loaded].map(|forest| encode_value(forest).unwrap());
            assert_eq!(again[0], again[1]);
        }
    }
}

#[test]
fn trees_with_weights_are_saved_and_resume() {
    they_are_saved::<Classification>();
    they_are_saved::<Regression>();
}

fn ones_are_nothing<T: Weighing>() {
    let stream = Stream::<T>::uniform(200, 4, 6);
    let (features, targets) = stream.part(0, 200);
    let mut plain = forest::<DynamicTree<T>>(4, &with(0.5), Retention::Everything);
    let mut ones = plain.clone();
    plain.learn(features, targets).unwrap();
    ones.learn_weighted(features, targets, &[1.0; 200]).unwrap();
    let bytes = [&plain, &ones].map(|forest| encode_value(forest).unwrap());
    assert_eq!(bytes[0], bytes[1]);
    assert_eq!(plain.footprint().bytes, ones.footprint().bytes);
}

/// Whether samples come one at a time or many makes no difference to the bytes.
fn batches_are_rows<T: Weighing>() {
    let stream = Stream::<T>::uniform(60, 4, 6);
    let (rows, targets) = stream.part(0, 60);
    let weights: Vec<f64> = (0..60).map(|row| 0.25 + f64::from(row) / 16.0).collect();
    let mut batch = forest::<DynamicTree<T>>(4, &with(0.5), Retention::Everything);
    let mut single = batch.clone();
    batch.learn_weighted(rows, targets, &weights).unwrap();
    for (row, x) in rows.outer_iter().enumerate() {
        learn(&mut single, &x.to_vec(), targets[row], weights[row]);
    }
    let bytes = [&batch, &single].map(|forest| encode_value(forest).unwrap());
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn samples_with_weights_may_come_in_batches() {
    batches_are_rows::<Classification>();
    batches_are_rows::<Regression>();
}

#[test]
fn weights_of_one_are_not_weights() {
    ones_are_nothing::<Classification>();
    ones_are_nothing::<Regression>();
}

#[test]
fn a_tree_that_does_not_weigh_its_samples_is_refused() {
    fn is_refused<T: Weighing>() {
        let mut weighted = forest::<DynamicTree<T>>(4, &with(0.5), Retention::Everything);
        let mut plain = weighted.clone();
        let stream = Stream::<T>::uniform(50, 4, 6);
        let (features, targets) = stream.part(0, 50);
        plain.learn(features, targets).unwrap();
        weighted
            .learn_weighted(features, targets, &[2.0; 50])
            .unwrap();
        let context = weighted.context();
        let trees = plain.trees().zip(weighted.trees());
        trees.for_each(|(plain, weighted)| {
            weighted.check(&context).unwrap();
            let error = plain.check(&context).unwrap_err();
            assert_eq!(error.what, "it does not weight its samples");
        });
    }
    is_refused::<Classification>();
    is_refused::<Regression>();
}
