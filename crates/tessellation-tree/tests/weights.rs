//! Samples with weights: copies at once, frequencies and means of weights, and nothing left of what was forgotten.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{
    Forest, ForestSettings, InputError, OnlineLearner, Retention, Schema, TreeRng, Vote,
};
use mondrian::{MondrianSettings, MondrianTree, fixed};
use tessellation_tree::{Budget, ClassFrequencies, LabelModel, LabelSettings, LeafMeans, Pause};

use crate::TargetOf;

type MondrianForest<L> = Forest<MondrianTree<L>>;
type SettingsOf<L> = MondrianSettings<<L as LabelModel>::Settings>;

fn forest<L: LabelModel>(settings: &SettingsOf<L>, retention: Retention) -> MondrianForest<L> {
    let forest = ForestSettings::default()
        .with_trees(5)
        .with_seed(3)
        .with_retention(retention);
    Forest::new(Schema::new(2).unwrap(), settings.clone(), forest).unwrap()
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

fn unlimited<S: LabelSettings>(labels: S) -> MondrianSettings<S> {
    MondrianSettings {
        labels,
        pause: Pause::Never,
        ..fixed(f64::INFINITY)
    }
}

/// A forest that learns weights of 1 to 4, beside one that learns the same samples without weights and then, at last, their
/// copies: these fall on points that are held, so that no random number is drawn for them, and both have the same cuts.
fn weights_are_copies<L: LabelModel>(labels: L::Settings, targets: &[TargetOf<L>], slack: f64) {
    let settings = unlimited(labels);
    let mut weighted = forest::<L>(&settings, Retention::Everything);
    let mut copied = weighted.clone();
    let (mut rng, mut copies) = (TreeRng::new(1, 0), Vec::new());
    for row in 0..300 {
        let of_row = if row == 0 {
            0
        } else {
            rng.below(targets.len())
        };
        let (x, target, weight) = (point(&mut rng), targets[of_row], 1 + row % 4);
        learn(&mut weighted, x, target, f64::from(weight));
        copied.learn_one(&x, target).unwrap();
        copies.extend((1..weight).map(|_| (x, target)));
    }
    for (x, target) in copies {
        copied.learn_one(&x, target).unwrap();
    }
    copied.check_invariants().unwrap();
    for _ in 0..100 {
        let x = [(); 2].map(|()| rng.uniform() as f32);
        let [own, expected] = [&weighted, &copied].map(|one| one.predict_one(&x).unwrap());
        for (own, expected) in own.iter().zip(expected) {
            assert!((own - expected).abs() <= slack, "{x:?}: {own} {expected}");
        }
    }
}

#[test]
fn predictions_of_whole_weights_are_those_of_copies() {
    weights_are_copies::<ClassFrequencies>(Vote::default(), &[2, 1, 0], 0.0);
    weights_are_copies::<LeafMeans>((), &[1.0, 2.5, -4.0], 1e-13);
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
        let (mut sums, mut total) = (vec![0.0; width], 0.0);
        for id in leaf.samples() {
            let weight = forest.samples().weight(id).value();
            add(&mut sums, forest.samples().target(id), weight);
            total += weight;
        }
        let cells = prediction.iter_mut().zip(sums);
        cells.for_each(|(cell, sum)| *cell += sum / total / 5.0);
    }
    prediction
}

/// Returns a number that is not a whole one, a whole one, or 1.
fn weight(rng: &mut TreeRng) -> f64 {
    match rng.below(3) {
        0 => 1.0,
        1 => 1.0 + rng.below(3) as f64,
        _ => 0.01 + 3.0 * rng.uniform(),
    }
}

/// Leaves of many samples, which come and go, and are cut when labels differ or the budget has grown.
fn settings<S: LabelSettings>() -> [MondrianSettings<S>; 3] {
    let paused = MondrianSettings {
        pause: Pause::WhileLabelsAgree,
        ..fixed(3.0)
    };
    let few = MondrianSettings {
        max_uncut: 3,
        pause: Pause::Never,
        ..fixed(f64::INFINITY)
    };
    let growing = MondrianSettings {
        budget: Budget::minimax(0.5, 2),
        pause: Pause::Never,
        ..fixed(1.0)
    };
    [paused, few, growing]
}

/// Random changes; after each, the predictions are those of `expected`.
fn leaves_predict_by_weights<L>(
    targets: &[TargetOf<L>],
    add: impl Fn(&mut [f64], TargetOf<L>, f64) + Copy,
    width: usize,
) where
    L: LabelModel,
{
    for settings in settings() {
        let mut forest = forest::<L>(&settings, Retention::Everything);
        let (mut rng, mut held) = (TreeRng::new(2, 0), Vec::new());
        // The largest class first, so that all classes are known.
        for round in 0..600 {
            if held.len() < 2 || rng.below(20) >= held.len() {
                held.push(forest.samples_seen());
                let target = targets[if round == 0 {
                    0
                } else {
                    rng.below(targets.len())
                }];
                let weight = weight(&mut rng);
                learn(&mut forest, point(&mut rng), target, weight);
            } else {
                let arrival = held.swap_remove(rng.below(held.len()));
                forest.forget(arrival).unwrap();
                forest.check_invariants().unwrap();
            }
            let x = point(&mut rng);
            let own = forest.predict_one(&x).unwrap();
            let expected = expected(&forest, &x, add, width);
            for (own, expected) in own.iter().zip(expected) {
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

/// Weighted samples come and are forgotten before the next one without a weight comes: predictions have the bits of the forest that
/// never had them. Their points are far off, so that cuts that part them are not those of others.
#[test]
fn a_weighted_sample_that_is_forgotten_leaves_no_trace_in_counts() {
    let settings = unlimited(Vote::default());
    let mut forest = forest::<ClassFrequencies>(&settings, Retention::Everything);
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
    let settings = unlimited(Vote::default());
    let mut rng = TreeRng::new(7, 0);
    let rows = Array2::from_shape_simple_fn((100, 2), || rng.uniform() as f32);
    let targets: Vec<u32> = (0..100).map(|row| row % 3).collect();
    let mut weighted = forest::<ClassFrequencies>(&settings, Retention::Everything);
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
    let settings = unlimited(Vote::default());
    let mut forest = forest::<ClassFrequencies>(&settings, Retention::Everything);
    let rows = Array2::zeros((2, 2));
    let mut learn = |weights: &[f64]| {
        let refused = forest.learn_weighted(rows.view(), &[0, 1], weights);
        assert_eq!(forest.samples_seen(), 0);
        refused
    };
    for value in [0.0, -1.0, 1e-9, 1e9, f64::INFINITY] {
        let error = learn(&[1.0, value]).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("row 1: the weight {value} is")),
            "{error}"
        );
    }
    assert!(matches!(learn(&[f64::NAN, 1.0]), Err(InputError::Value(_))));
    assert_eq!(learn(&[1.0]), InputError::check_number("weight", 1, 2));
}

/// Classes of several hundred thousand copies, and so many that 32 bits do not count them.
#[test]
fn large_weights_keep_frequencies() {
    let settings = unlimited(Vote::default());
    let mut forest = forest::<ClassFrequencies>(&settings, Retention::Everything);
    let x = ArrayView2::from_shape((1, 2), &[0.5_f32, 0.5]).unwrap();
    for row in 0..9000 {
        let class = u32::from(row % 3 == 0);
        forest.learn_weighted(x, &[class], &[1_048_576.0]).unwrap();
    }
    let expected = [2.0 / 3.0, 1.0 / 3.0];
    assert_eq!(forest.predict_one(&[0.5, 0.5]).unwrap(), expected);
}
