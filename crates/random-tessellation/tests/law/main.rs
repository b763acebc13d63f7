//! The distributions of cuts have the right distribution, and the tests fail where they have not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod masses;

use forest_testing::laws::suite::{
    closed_forms_hold_everywhere, every_law, redrawing_is_detected, same_law,
    wrong_rate_is_detected,
};
use masses::Directions;
use mondrian::AxisCuts;
use obsp::PairCuts;
use random_tessellation::LinearCuts;
use tessellation_tree::{Budget, CutDistribution, CutSettings, Pause, TessellationSettings};

/// Returns a fixed budget without a limit on cutting.
fn unlimited(cuts: &CutSettings, budget: f64) -> TessellationSettings {
    TessellationSettings {
        cuts: cuts.clone(),
        budget: Budget::Fixed(budget),
        ..TessellationSettings::default()
    }
}

/// Fixed and increasing budgets, with and without limits; `reach` is a budget that gives about three
/// leaves of twelve points.
fn settings(d: usize, cuts: &CutSettings, reach: f64) -> Vec<TessellationSettings> {
    let fixed = |budget| unlimited(cuts, budget);
    vec![
        fixed(reach),
        TessellationSettings {
            pause: Pause::WhileLabelsAgree,
            ..fixed(reach)
        },
        TessellationSettings {
            max_uncut: 3,
            ..fixed(2.0 * reach)
        },
        TessellationSettings {
            max_uncut: 3,
            budget: Budget::minimax(reach, d),
            ..fixed(0.0)
        },
    ]
}

/// Runs every law of the suite in `d` dimensions, for a distribution in which the unit cube's diagonal has this `mass`.
fn keeps_the_law<D: CutDistribution>(
    d: usize,
    cuts: &CutSettings,
    mass: &dyn Fn(&[&[f32]]) -> f64,
) {
    let corners = [vec![0.0f32; d], vec![1.0; d]];
    let reach = 1.5 / mass(&[&corners[0], &corners[1]]);
    every_law::<D>(d, &settings(d, cuts, reach), &unlimited(cuts, reach), mass).unwrap();
}

#[test]
fn uniform_directions_keep_the_law() {
    for d in [1, 2, 3, 5, 10] {
        let directions = Directions::uniform(d);
        keeps_the_law::<LinearCuts>(d, &CutSettings::default(), &|set| {
            directions.uniform_mass(set)
        });
    }
}

#[test]
fn pairs_are_separated_at_the_rate_c_d_in_many_dimensions() {
    for d in [2, 3, 10, 50] {
        let corners = [vec![0.0f32; d], vec![1.0; d]];
        let directions = Directions::uniform(d);
        let reach = 1.5 / directions.uniform_mass(&[&corners[0], &corners[1]]);
        let unlimited = unlimited(&CutSettings::default(), reach);
        let mass = |a: &[f32], b: &[f32]| directions.uniform_mass(&[a, b]);
        closed_forms_hold_everywhere::<LinearCuts>(d, &unlimited, mass).unwrap();
        let off = |a: &[f32], b: &[f32]| 1.1 * mass(a, b);
        let refused = closed_forms_hold_everywhere::<LinearCuts>(d, &unlimited, off);
        assert!(refused.is_err(), "the test can fail");
    }
}

#[test]
fn weighted_poles_keep_the_law() {
    let weights = [vec![1.0, 3.0], vec![2.0, 1.0, 0.5, 0.0, 1.0]];
    for weights in weights {
        let cuts = CutSettings::weighted(&weights);
        let mass = |set: &[&[f32]]| {
            let extents = weights.iter().enumerate();
            extents.map(|(i, w)| w * masses::extent(set, i)).sum()
        };
        keeps_the_law::<AxisCuts>(weights.len(), &cuts, &mass);
    }
}

#[test]
fn weighted_directions_keep_the_law() {
    let weights = [
        vec![1.0],
        vec![1.0, 3.0],
        vec![1.0, 0.01],
        vec![2.0, 1.0, 0.5, 0.0, 1.0],
    ];
    for weights in weights {
        let directions = Directions::weighted(&weights);
        let mass = |set: &[&[f32]]| 0.5 * directions.mean_width(set);
        keeps_the_law::<LinearCuts>(weights.len(), &CutSettings::weighted(&weights), &mass);
    }
}

#[test]
fn faults_are_detected() {
    let uniform = unlimited(&CutSettings::default(), 3.0);
    assert!(wrong_rate_is_detected::<LinearCuts, 90>(2, &[uniform]));
    let all = settings(3, &CutSettings::default(), 3.0);
    assert!(redrawing_is_detected::<LinearCuts>(3, &all));
}

/// In the plane Λ of uniform directions is 1/(2π) of the perimeter, and that of pairs is s of it: they make the same
/// trees.
#[test]
fn uniform_directions_in_the_plane_are_the_pairs() {
    let pairs = CutSettings {
        rate: Some(0.5 / std::f64::consts::PI),
        ..CutSettings::default()
    };
    let uniform = settings(2, &CutSettings::default(), 3.0);
    let pairs = settings(2, &pairs, 3.0);
    for (uniform, pairs) in uniform.iter().zip(&pairs) {
        same_law::<LinearCuts, PairCuts>(2, uniform, pairs).unwrap();
    }
}

#[test]
fn other_distributions_are_distinguished() {
    let uniform = unlimited(&CutSettings::default(), 3.0);
    let axes = unlimited(&CutSettings::default(), 0.7);
    assert!(same_law::<LinearCuts, AxisCuts>(2, &uniform, &axes).is_err());
}
