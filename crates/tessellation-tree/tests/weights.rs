//! Samples with weights: copies at once, frequencies and means of weights, and nothing left of what was forgotten.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{Forest, ForestSettings, InputError, OnlineLearner, Schema, TreeRng};
use mondrian::{MondrianTree, TessellationSettings, fixed};
use tessellation_tree::{Budget, ClassFrequencies, LabelModel, LeafMeans, Pause};

use crate::{TargetOf, uniform};

type MondrianForest<L> = Forest<MondrianTree<L>>;

fn unpaused(budget: Budget, max_uncut: u32) -> TessellationSettings {
    TessellationSettings {
        budget,
        max_uncut,
        pause: Pause::Never,
        ..fixed(0.0)
    }
}

const UNLIMITED: Budget = Budget::Fixed(f64::INFINITY);

fn forest<L: LabelModel>(settings: &TessellationSettings) -> MondrianForest<L> {
    let forest = ForestSettings::default().with_trees(5).with_seed(3);
    Forest::new(Schema::new(2).unwrap(), settings.clone(), forest).unwrap()
}

fn fully_grown<L: LabelModel>() -> MondrianForest<L> {
    forest(&unpaused(UNLIMITED, 1))
}

fn learn<L: LabelModel>(
    forest: &mut MondrianForest<L>,
    x: [f32; 2],
    target: TargetOf<L>,
    weight: f64,
) {
    let x = ArrayView2::from_shape((1, 2), &x).unwrap();
    forest.learn_weighted(x, &[target], &[weight]).unwrap();
    forest.check_invariants().unwrap();
}

/// Points of a grid, so that many coincide.
fn point(rng: &mut TreeRng) -> [f32; 2] {
    [(); 2].map(|()| rng.below(5) as f32 / 5.0)
}

/// Draws one of the targets; the first of a stream is the largest class, so that all classes are known.
fn drawn<T: Copy>(targets: &[T], is_first: bool, rng: &mut TreeRng) -> T {
    if is_first {
        return targets[0];
    }
    targets[rng.below(targets.len())]
}

/// A forest that learns weights of 1 to 4, beside one that learns the same samples without weights and then, at last,
/// their copies: these fall on points that are held, so that no random number is drawn for them, and both have the same
/// cuts.
fn weights_are_copies<L: LabelModel>(targets: &[TargetOf<L>], slack: f64) {
    let mut weighted = fully_grown::<L>();
    let mut copied = weighted.clone();
    let mut rng = TreeRng::new(1, 0);
    let mut copies = Vec::new();
    for row in 0..300 {
        let target = drawn(targets, row == 0, &mut rng);
        let x = point(&mut rng);
        let weight = 1 + row % 4;
        learn(&mut weighted, x, target, f64::from(weight));
        copied.learn_one(&x, target).unwrap();
        copies.extend((1..weight).map(|_| (x, target)));
    }
    for (x, target) in copies {
        copied.learn_one(&x, target).unwrap();
    }
    copied.check_invariants().unwrap();
    for x in uniform(100, 2, 9).rows() {
        let [own, expected] = [&weighted, &copied].map(|one| one.predict_one(&x.to_vec()).unwrap());
        for (own, expected) in own.iter().zip(expected) {
            assert!((own - expected).abs() <= slack, "{x:?}: {own} {expected}");
        }
    }
}

#[test]
fn predictions_of_whole_weights_are_those_of_copies() {
    weights_are_copies::<ClassFrequencies>(&[2, 1, 0], 0.0);
    weights_are_copies::<LeafMeans>(&[1.0, 2.5, -4.0], 1e-13);
}

/// Weights of the leaf's samples, by hand.
fn expected<L: LabelModel>(
    forest: &MondrianForest<L>,
    x: &[f32],
    add: impl Fn(&mut [f64], TargetOf<L>, f64),
    width: usize,
) -> Vec<f64> {
    let mut prediction = vec![0.0; width];
    for tree in forest.trees() {
        let leaf = tree.nodes_above(x).last().unwrap();
        let mut sums = vec![0.0; width];
        let mut total = 0.0;
        for id in leaf.samples() {
            let weight = forest.samples().weight(id).value();
            add(&mut sums, forest.samples().target(id), weight);
            total += weight;
        }
        for (cell, sum) in prediction.iter_mut().zip(sums) {
            *cell += sum / total / 5.0;
        }
    }
    prediction
}

/// Leaves of many samples, which come and go, and are cut when labels differ or the budget has grown: after each
/// change, the predictions are those of `expected`.
fn leaves_predict_by_weights<L: LabelModel>(
    targets: &[TargetOf<L>],
    add: impl Fn(&mut [f64], TargetOf<L>, f64) + Copy,
    width: usize,
) {
    for settings in [
        fixed(3.0),
        unpaused(UNLIMITED, 3),
        unpaused(Budget::minimax(0.5, 2), 1),
    ] {
        let mut forest = forest::<L>(&settings);
        let mut rng = TreeRng::new(2, 0);
        let mut held = Vec::new();
        for round in 0..600 {
            if held.len() < 2 || rng.below(20) >= held.len() {
                held.push(forest.samples_seen());
                let target = drawn(targets, round == 0, &mut rng);
                let weight = match rng.below(3) {
                    0 => 1.0,
                    1 => 1.0 + rng.below(3) as f64,
                    _ => 0.01 + 3.0 * rng.uniform(),
                };
                learn(&mut forest, point(&mut rng), target, weight);
            } else {
                let arrival = held.swap_remove(rng.below(held.len()));
                forest.forget(arrival).unwrap();
                forest.check_invariants().unwrap();
            }
            let x = point(&mut rng);
            let own = forest.predict_one(&x).unwrap();
            for (own, expected) in own.iter().zip(expected(&forest, &x, add, width)) {
                assert!((own - expected).abs() < 1e-12, "{round}: {own} {expected}");
            }
        }
    }
}

#[test]
fn leaves_predict_frequencies_and_means_by_weights() {
    let add = |sums: &mut [f64], class: u32, weight| sums[class as usize] += weight;
    leaves_predict_by_weights::<ClassFrequencies>(&[3, 1, 0], add, 4);
    let add = |sums: &mut [f64], target, weight| sums[0] += weight * target;
    leaves_predict_by_weights::<LeafMeans>(&[1.0, 2.5, -3.0], add, 1);
}

/// Weighted samples come and are forgotten before the next one without a weight comes: predictions have the bits of the
/// forest that never had them.
#[test]
fn a_weighted_sample_that_is_forgotten_leaves_no_trace_in_counts() {
    let mut forest = fully_grown::<ClassFrequencies>();
    let mut rng = TreeRng::new(5, 0);
    for class in [1, 0, 1, 1, 0, 0, 1] {
        learn(&mut forest, [0.5, 0.5], class, 1.0);
    }
    let before = forest.predict_one(&[0.5, 0.5]).unwrap();
    for _ in 0..200 {
        let arrival = forest.samples_seen();
        for class in [0, 1, 0] {
            learn(&mut forest, [0.5, 0.5], class, 0.01 + rng.uniform());
        }
        assert_ne!(forest.predict_one(&[0.5, 0.5]).unwrap(), before);
        (0..3).for_each(|sample| forest.forget(arrival + sample).unwrap());
        forest.check_invariants().unwrap();
        assert_eq!(forest.predict_one(&[0.5, 0.5]).unwrap(), before);
    }
}

#[test]
fn weights_of_1_are_not_weights() {
    let rows = uniform(100, 2, 7);
    let targets: Vec<u32> = (0..100).map(|row| row % 3).collect();
    let mut weighted = fully_grown::<ClassFrequencies>();
    let mut plain = weighted.clone();
    weighted
        .learn_weighted(rows.view(), &targets, &[1.0; 100])
        .unwrap();
    plain.learn(rows.view(), &targets).unwrap();
    assert!(weighted.trees().eq(plain.trees()));
    assert_eq!(weighted.samples(), plain.samples());
    assert_eq!(weighted.footprint(), plain.footprint());
}

#[test]
fn what_is_not_a_weight_is_refused_and_nothing_is_learned() {
    let mut forest = fully_grown::<ClassFrequencies>();
    let mut learn = |weights: &[f64]| {
        let refused = forest.learn_weighted(Array2::zeros((2, 2)).view(), &[0, 1], weights);
        assert_eq!(forest.samples_seen(), 0);
        refused
    };
    for value in [0.0, -1.0, 1e-9, 1e9, f64::INFINITY] {
        let error = learn(&[1.0, value]).unwrap_err().to_string();
        let expected = format!("row 1: the weight {value} is");
        assert!(error.starts_with(&expected), "{error}");
    }
    assert!(matches!(learn(&[f64::NAN, 1.0]), Err(InputError::Value(_))));
    assert_eq!(learn(&[1.0]), InputError::check_number("weight", 1, 2));
}

/// Classes of several hundred thousand copies, and so many that 32 bits do not count them.
#[test]
fn large_weights_keep_frequencies() {
    let mut forest = fully_grown::<ClassFrequencies>();
    let x = ArrayView2::from_shape((1, 2), &[0.5_f32, 0.5]).unwrap();
    for row in 0..9000 {
        let class = u32::from(row % 3 == 0);
        forest.learn_weighted(x, &[class], &[1_048_576.0]).unwrap();
    }
    let expected = [2.0 / 3.0, 1.0 / 3.0];
    assert_eq!(forest.predict_one(&[0.5, 0.5]).unwrap(), expected);
}
