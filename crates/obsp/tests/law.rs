//! The pair measure has the law it should, and the tests can tell when it has not.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use forest_core::TreeRng;
use obsp::{BspSettings, PairMeasure, exact, fixed};
use tessellation_tree::laws::{
    Experiment, online_is_batch, pairs_separate_in_time, subsets_are_consistent,
};
use tessellation_tree::{Pause, Update};

const TREES: usize = 20_000;

/// Twelve points in d dimensions: generic, collinear, or four positions three times each.
fn point_sets(d: usize) -> Vec<(&'static str, Vec<Vec<f32>>)> {
    let mut rng = TreeRng::new(d as u64, 1);
    let mut point = || (0..d).map(|_| rng.uniform() as f32).collect::<Vec<_>>();
    let generic: Vec<_> = (0..12).map(|_| point()).collect();
    let collinear = (0..12).map(|i| (0..d).map(|j| (i * (j + 1)) as f32 / 24.0).collect());
    let duplicated = (0..12).map(|i| generic[i % 4].clone());
    vec![
        ("collinear", collinear.collect()),
        ("duplicated", duplicated.collect()),
        ("generic", generic),
    ]
}

/// The points as they are, backwards, and sorted by their first coordinate.
fn orders(points: &[Vec<f32>]) -> Vec<(&'static str, Vec<Vec<f32>>)> {
    let backwards = points.iter().rev().cloned().collect();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]));
    vec![
        ("as drawn", points.to_vec()),
        ("backwards", backwards),
        ("sorted", sorted),
    ]
}

/// About three leaves of twelve generic points.
fn reach(d: usize) -> f64 {
    1.4 / (d * (d - 1)).max(1) as f64
}

fn settings(d: usize) -> Vec<BspSettings> {
    let always = |settings| BspSettings {
        min_points: 1,
        ..settings
    };
    vec![
        always(fixed(reach(d))),
        fixed(2.0 * reach(d)),
        exact(reach(d), d),
        BspSettings {
            pause: Pause::WhileLabelsAgree,
            ..always(fixed(reach(d)))
        },
    ]
}

fn check_online_is_batch(d: usize) {
    for (set, points) in point_sets(d) {
        for (order, points) in orders(&points) {
            for settings in settings(d) {
                let experiment = Experiment::<PairMeasure> {
                    points: &points,
                    settings,
                    trees: TREES,
                    seed: 11,
                };
                let law = online_is_batch(&experiment);
                law.unwrap_or_else(|broken| panic!("{set}, {order}, {experiment:?}: {broken}"));
            }
        }
    }
}

#[test]
fn online_is_batch_in_one_dimension() {
    check_online_is_batch(1);
}

#[test]
fn online_is_batch_in_two_dimensions() {
    check_online_is_batch(2);
}

#[test]
fn online_is_batch_in_three_dimensions() {
    check_online_is_batch(3);
}

#[test]
fn online_is_batch_in_five_dimensions() {
    check_online_is_batch(5);
}

#[test]
fn the_redrawing_update_has_another_law() {
    for d in [1, 2, 3, 5] {
        let points = &point_sets(d)[2].1;
        for settings in settings(d) {
            let settings = BspSettings {
                update: Update::Redraw,
                ..settings
            };
            let experiment = Experiment::<PairMeasure> {
                points,
                settings,
                trees: TREES,
                seed: 11,
            };
            assert!(online_is_batch(&experiment).is_err(), "{experiment:?}");
        }
    }
}

/// Λ({a, b}) with s = ½: Σ_{i<j} √(δᵢ² + δⱼ²), in one dimension |δ|.
fn pair_mass(a: &[f32], b: &[f32]) -> f64 {
    let difference = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    let delta: Vec<f64> = a.iter().zip(b).map(difference).collect();
    if let [alone] = delta[..] {
        return alone.abs();
    }
    let later = |i: usize| delta[i + 1..].iter();
    (0..delta.len())
        .flat_map(|i| later(i).map(move |j| (i, *j)))
        .map(|(i, other)| delta[i].hypot(other))
        .sum()
}

/// Trees without a limit on splitting: sets of points, and rates.
fn unlimited(d: usize) -> Vec<Experiment<'static, PairMeasure>> {
    let settings = BspSettings {
        min_points: 1,
        ..fixed(reach(d))
    };
    let sets = point_sets(d).into_iter().map(|(_, points)| points.leak());
    let experiment = |points| Experiment {
        points,
        settings: settings.clone(),
        trees: TREES,
        seed: 3,
    };
    sets.map(|points| experiment(&*points)).collect()
}

#[test]
fn pairs_separate_as_their_distance_says() {
    for d in [1, 2, 3, 5] {
        for experiment in unlimited(d) {
            pairs_separate_in_time(&experiment, pair_mass).unwrap();
            let off = |a: &[f32], b: &[f32]| 1.1 * pair_mass(a, b);
            assert!(
                pairs_separate_in_time(&experiment, off).is_err(),
                "the test can fail"
            );
        }
    }
}

#[test]
fn a_tree_looked_at_on_some_points_is_a_tree_of_those() {
    for d in [1, 2, 3, 5] {
        for experiment in unlimited(d) {
            subsets_are_consistent(&experiment).unwrap();
        }
    }
}
