//! Forgetting: random changes keep the invariants, and a window is what its rows alone make.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, OnlineLearner, Refused, Schema, TreeRng};
use forest_testing::{conformance, statistics};
use mondrian::{MondrianRegressor, MondrianTree, TessellationSettings, fixed, increasing};
use tessellation_tree::{Budget, ClassFrequencies, LabelModel, LeafMeans, Pause};

use crate::{TargetOf, uniform};

fn grown<L: LabelModel>(
    trees: usize,
    seed: u64,
    settings: TessellationSettings,
) -> Forest<MondrianTree<L>> {
    conformance::forests(trees, settings)(Schema::new(2).unwrap(), seed)
}

fn not_held(forest: &mut impl OnlineLearner, arrival: u64) -> String {
    match forest.forget(arrival) {
        Err(Refused::Argument(reason)) => reason,
        other => unreachable!("sample {arrival} is not held: {other:?}"),
    }
}

/// Inserts and removals at random among up to about a dozen samples of a grid, where many coincide, checked after every
/// one. At last all are forgotten, and the prediction adds up to `prior`.
fn change_at_random<L: LabelModel>(
    settings: TessellationSettings,
    targets: [TargetOf<L>; 2],
    prior: f64,
    seed: u64,
) {
    let mut forest = grown::<L>(1, seed, settings);
    let mut rng = TreeRng::new(seed, 0);
    let mut held = Vec::new();
    for _ in 0..200_000 {
        if rng.below(12) >= held.len() {
            held.push(forest.samples_seen());
            let target = targets[rng.below(2)];
            let x = [(); 2].map(|()| rng.below(4) as f32 / 4.0);
            forest.learn_one(&x, target).unwrap();
        } else {
            let arrival = held.swap_remove(rng.below(held.len()));
            forest.forget(arrival).unwrap();
            assert!(not_held(&mut forest, arrival).ends_with(&format!("the {} held", held.len())));
        }
        forest.check_invariants().unwrap();
    }
    for arrival in held {
        forest.forget(arrival).unwrap();
    }
    let left = forest.footprint();
    assert_eq!((left.nodes, left.stored_samples), (0, 0));
    let prediction = forest.predict_one(&[0.5, 0.5]).unwrap();
    assert_eq!(prediction.iter().sum::<f64>(), prior);
}

fn unpaused(budget: Budget) -> TessellationSettings {
    TessellationSettings {
        pause: Pause::Never,
        budget,
        ..fixed(0.0)
    }
}

/// Without limits, with a budget that grows, with small leaves, while labels agree, and with classes.
#[test]
fn random_changes_keep_the_invariants() {
    let small = TessellationSettings {
        max_uncut: 3,
        ..fixed(4.0)
    };
    let means = [TessellationSettings::default(), increasing(0.5, 2), small];
    for (seed, settings) in (1..).zip(means) {
        change_at_random::<LeafMeans>(settings, [1.0, 2.5], 0.0, seed);
    }
    for (seed, settings) in (4..).zip([fixed(f64::INFINITY), unpaused(Budget::Fixed(1.5))]) {
        change_at_random::<ClassFrequencies>(settings, [0, 3], 1.0, seed);
    }
}

/// Rows whose targets are their first features.
fn stream(rows: usize) -> (Array2<f32>, Vec<f64>) {
    let features = uniform(rows, 2, 6);
    let targets = features.column(0).iter().map(|&x| f64::from(x)).collect();
    (features, targets)
}

/// Of each tree: the number of nodes and the time of the first cut.
fn shapes(forest: &MondrianRegressor) -> [Vec<f64>; 2] {
    let nodes = forest.trees().map(|tree| tree.walk().count() as f64);
    let first_cut = |tree: &MondrianTree<_>| Some(tree.root()?.cut()?.1);
    [
        nodes.collect(),
        forest.trees().filter_map(first_cut).collect(),
    ]
}

/// Returns the p-value that a window of 1,000 has the distribution of a forest of those rows.
fn window_against_its_rows(window: usize) -> f64 {
    let (features, targets) = stream(3500);
    let mut moving = grown(400, 7, unpaused(Budget::Fixed(30.0)));
    moving.keep_latest(window).unwrap();
    moving.learn(features.view(), &targets).unwrap();
    moving.check_invariants().unwrap();
    let mut fresh = grown(400, 8, unpaused(Budget::Fixed(30.0)));
    fresh
        .learn(features.slice(s![2500.., ..]), &targets[2500..])
        .unwrap();
    let shapes = shapes(&moving).into_iter().zip(shapes(&fresh));
    let p = shapes.map(|(a, b)| statistics::same_distribution(a, b));
    p.fold(1.0, f64::min)
}

#[test]
fn a_window_has_the_law_of_a_forest_of_its_rows() {
    let p = window_against_its_rows(1000);
    assert!(p > 1e-3, "{p}");
    let p = window_against_its_rows(1400);
    assert!(p < 1e-4, "the test can fail: {p}");
}

/// The budget reached stays when samples are forgotten: of 250 trees as many cut three samples, of which two come when
/// a thousand were learned and all but one of these forgotten, as 1 − exp(−τ₁₀₀₀·Λ) says. Sees a tree that takes the
/// budget of the samples that it holds, here τ₃, in place of the largest so far. Two-sided, level 10⁻³.
#[test]
fn the_budget_does_not_fall_when_samples_are_forgotten() {
    let budget = Budget::Schedule {
        scale: 0.05,
        power: 0.5,
    };
    let (features, targets) = stream(1000);
    let mut forest = grown::<LeafMeans>(250, 13, unpaused(budget));
    forest.learn(features.view(), &targets).unwrap();
    (1..1000).for_each(|arrival| forest.forget(arrival).unwrap());
    let [x, y] = [features[[0, 0]], features[[0, 1]]];
    let more = [[x + 0.5, y], [x, y + 0.25]];
    for sample in more {
        forest.learn_one(&sample, 0.0).unwrap();
    }
    let mass = f64::from(more[0][0] - x) + f64::from(more[1][1] - y);
    let is_cut = |tree: &&MondrianTree<_>| tree.root().is_some_and(|root| root.cut().is_some());
    let hits = forest.trees().filter(is_cut).count();
    let p_at = |samples: usize| {
        statistics::same_probability(hits, 250, -(-budget.at(samples) * mass).exp_m1())
    };
    assert!(p_at(1000) > 1e-3, "{hits} of 250: {}", p_at(1000));
    assert!(p_at(3) < 1e-9, "the test can fail: {}", p_at(3));
}

#[test]
fn a_window_takes_no_more_memory_as_the_stream_continues() {
    let mut moving = grown::<LeafMeans>(2, 9, TessellationSettings::default());
    moving.keep_latest(1000).unwrap();
    let (features, targets) = stream(100_000);
    let mut bytes = Vec::new();
    for start in (0..100_000).step_by(2500) {
        let rows = features.slice(s![start..start + 2500, ..]);
        moving.learn(rows, &targets[start..start + 2500]).unwrap();
        assert_eq!(moving.footprint().stored_samples, 1000);
        bytes.push(moving.footprint().bytes);
    }
    let (early, late) = bytes.split_at(4);
    assert!(late.iter().max() <= early.iter().max(), "{bytes:?}");
}
