//! Forgetting: random changes keep the invariants, and a window is what its rows alone make.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, OnlineLearner, Refused, Schema, TreeRng};
use forest_testing::{conformance, statistics};
use mondrian::{MondrianRegressor, MondrianTree, TessellationSettings, fixed, increasing};
use tessellation_tree::{Budget, Pause};
use tessellation_tree::{ClassFrequencies, LeafMeans};

type TargetOf<L> = <<L as OnlineLearner>::Task as forest_core::Task>::Target;

/// Points of a grid, so that many coincide.
fn point(rng: &mut TreeRng) -> [f32; 2] {
    [(); 2].map(|()| rng.below(4) as f32 / 4.0)
}

fn not_held(forest: &mut impl OnlineLearner, arrival: u64) -> String {
    match forest.forget(arrival) {
        Err(Refused::Argument(reason)) => reason,
        other => unreachable!("sample {arrival} is not held: {other:?}"),
    }
}

/// Inserts and removals at random among up to about a dozen samples, checked after every one.
///
/// At last all are forgotten, and the prediction adds up to `prior`.
fn change_at_random<L: OnlineLearner>(
    mut forest: L,
    targets: [TargetOf<L>; 2],
    prior: f64,
    seed: u64,
) {
    let (mut rng, mut held) = (TreeRng::new(seed, 0), Vec::new());
    for _ in 0..200_000 {
        if rng.below(12) >= held.len() {
            held.push(forest.samples_seen());
            let target = targets[rng.below(2)];
            forest.learn_one(&point(&mut rng), target).unwrap();
        } else {
            let arrival = held.swap_remove(rng.below(held.len()));
            forest.forget(arrival).unwrap();
            assert!(not_held(&mut forest, arrival).ends_with(&format!("the {} held", held.len())));
        }
        forest.check_invariants().unwrap();
    }
    held.into_iter()
        .for_each(|arrival| forest.forget(arrival).unwrap());
    assert_eq!(
        (forest.footprint().nodes, forest.footprint().stored_samples),
        (0, 0)
    );
    assert_eq!(
        forest.predict_one(&[0.5, 0.5]).unwrap().iter().sum::<f64>(),
        prior
    );
}

/// Without limits, with a budget that grows, with small leaves, while labels agree, and with classes.
#[test]
fn random_changes_keep_the_invariants() {
    let mut small = fixed(4.0);
    small.max_uncut = 3;
    let means = [TessellationSettings::default(), increasing(0.5, 2), small];
    for (seed, settings) in (1..).zip(means) {
        change_at_random(forest(1, seed, settings), [1.0, 2.5], 0.0, seed);
    }
    let mut unpaused = fixed(1.5);
    unpaused.pause = Pause::Never;
    for (seed, settings) in (4..).zip([fixed(f64::INFINITY), unpaused]) {
        let build = conformance::forests::<MondrianTree<ClassFrequencies>>(1, settings);
        change_at_random(build(Schema::new(2).unwrap(), seed), [0, 3], 1.0, seed);
    }
}

fn stream(rows: usize) -> (Array2<f32>, Vec<f64>) {
    let mut rng = TreeRng::new(6, 0);
    let features = Array2::from_shape_fn((rows, 2), |_| rng.uniform() as f32);
    let targets = features
        .rows()
        .into_iter()
        .map(|row| f64::from(row[0]))
        .collect();
    (features, targets)
}

fn forest(trees: usize, seed: u64, settings: TessellationSettings) -> MondrianRegressor {
    conformance::forests(trees, settings)(Schema::new(2).unwrap(), seed)
}

/// Of each tree: the number of nodes and the time of the first cut.
fn shapes(forest: &Forest<MondrianTree<LeafMeans>>) -> (Vec<f64>, Vec<f64>) {
    let nodes = forest.trees().map(|tree| tree.walk().count() as f64);
    let first_cut = |tree: &MondrianTree<_>| Some(tree.root()?.cut()?.1);
    (
        nodes.collect(),
        forest.trees().filter_map(first_cut).collect(),
    )
}

/// Returns the least p-value of the tests that the trees of both forests have one distribution.
fn same_law(one: &Forest<MondrianTree<LeafMeans>>, other: &Forest<MondrianTree<LeafMeans>>) -> f64 {
    let (one, other) = (shapes(one), shapes(other));
    let nodes = statistics::same_distribution(one.0, other.0);
    nodes.min(statistics::same_distribution(one.1, other.1))
}

/// Returns the p-value that a window of 1,000 has the distribution of a forest of those rows.
fn window_against_its_rows(window: usize) -> f64 {
    let settings = TessellationSettings {
        pause: Pause::Never,
        ..fixed(30.0)
    };
    let (features, targets) = stream(3500);
    let mut moving = forest(400, 7, settings.clone());
    moving.keep_latest(window).unwrap();
    moving.learn(features.view(), &targets).unwrap();
    moving.check_invariants().unwrap();
    let mut fresh = forest(400, 8, settings);
    fresh
        .learn(features.slice(s![2500.., ..]), &targets[2500..])
        .unwrap();
    same_law(&moving, &fresh)
}

#[test]
fn a_window_has_the_law_of_a_forest_of_its_rows() {
    let p = window_against_its_rows(1000);
    assert!(p > 1e-3, "{p}");
    let p = window_against_its_rows(1400);
    assert!(p < 1e-4, "the test can fail: {p}");
}

/// Returns how many of 250 trees cut three samples, of which two come when a thousand were learned and all but one of these
/// forgotten, and the mass of the cuts that separate the three.
fn cut_after_forgetting(budget: Budget) -> (usize, f64) {
    let settings = TessellationSettings {
        budget,
        pause: Pause::Never,
        ..TessellationSettings::default()
    };
    let (features, targets) = stream(1000);
    let mut forest = forest(250, 13, settings);
    forest.learn(features.view(), &targets).unwrap();
    (1..1000).for_each(|arrival| forest.forget(arrival).unwrap());
    let [x, y] = [features[[0, 0]], features[[0, 1]]];
    let more = [[x + 0.5, y], [x, y + 0.25]];
    for sample in more {
        forest.learn_one(&sample, 0.0).unwrap();
    }
    let mass = f64::from(more[0][0] - x) + f64::from(more[1][1] - y);
    let is_cut = |tree: &&MondrianTree<_>| tree.root().is_some_and(|root| root.cut().is_some());
    (forest.trees().filter(is_cut).count(), mass)
}

/// The budget reached stays when samples are forgotten: three samples are cut with probability 1 − exp(−τ₁₀₀₀·Λ). Sees a
/// tree that takes the budget of the samples that it holds, here τ₃, in place of the largest so far. Two-sided, level 10⁻³.
#[test]
fn the_budget_does_not_fall_when_samples_are_forgotten() {
    let budget = Budget::Schedule {
        scale: 0.05,
        power: 0.5,
    };
    let (hits, mass) = cut_after_forgetting(budget);
    let p_at = |samples: usize| {
        let probability = -(-budget.at(samples) * mass).exp_m1();
        statistics::same_probability(hits, 250, probability)
    };
    assert!(p_at(1000) > 1e-3, "{hits} of 250: {}", p_at(1000));
    assert!(p_at(3) < 1e-9, "the test can fail: {}", p_at(3));
}

#[test]
fn a_window_takes_no_more_memory_as_the_stream_continues() {
    let mut moving = forest(2, 9, TessellationSettings::default());
    moving.keep_latest(1000).unwrap();
    let (features, targets) = stream(100_000);
    let mut bytes = Vec::new();
    for start in (0..100_000).step_by(2500) {
        let rows = s![start..start + 2500, ..];
        moving
            .learn(features.slice(rows), &targets[start..start + 2500])
            .unwrap();
        assert_eq!(moving.footprint().stored_samples, 1000);
        bytes.push(moving.footprint().bytes);
    }
    let (early, late) = bytes.split_at(4);
    assert!(late.iter().max() <= early.iter().max(), "{bytes:?}");
}

#[test]
fn what_is_not_held_cannot_be_forgotten_and_nothing_changes() {
    let mut forest = forest(2, 10, TessellationSettings::default());
    let (features, targets) = stream(5);
    forest.learn(features.view(), &targets).unwrap();
    forest.forget(3).unwrap();
    let before = format!("{forest:?}");
    for arrival in [3, 5, u64::MAX] {
        let error = not_held(&mut forest, arrival);
        assert!(
            error.starts_with(&format!("sample {arrival} "))
                && error.contains("5 samples were")
                && error.ends_with("the 4 held")
        );
        assert_eq!(format!("{forest:?}"), before);
    }
}
