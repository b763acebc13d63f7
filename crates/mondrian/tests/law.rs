//! The axis measure has the right distribution, and the tests fail where it has not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_testing::laws::suite::{
    every_law, other_numbers_than_0_are_detected, redrawing_is_detected, refining_keeps_the_law,
    widening_keeps_the_law_everywhere, wrong_rate_is_detected,
};
use mondrian::{AxisCuts, TessellationSettings, fixed, increasing};
use tessellation_tree::Pause;

/// Returns a fixed budget, whatever the labels.
fn unpaused(budget: f64) -> TessellationSettings {
    TessellationSettings {
        pause: Pause::Never,
        ..fixed(budget)
    }
}

/// Returns a budget that gives about three leaves of twelve points.
fn reach(d: usize) -> f64 {
    1.4 / d as f64
}

fn settings(d: usize) -> Vec<TessellationSettings> {
    vec![
        fixed(reach(d)),
        unpaused(reach(d)),
        TessellationSettings {
            max_uncut: 3,
            ..unpaused(2.0 * reach(d))
        },
        TessellationSettings {
            max_uncut: 3,
            ..increasing(reach(d), d)
        },
    ]
}

/// Returns Λ(S) = Σᵢ extentᵢ.
fn mass(set: &[&[f32]]) -> f64 {
    let extent = |i: usize| {
        let values = || set.iter().map(|x| f64::from(x[i]));
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    (0..set[0].len()).map(extent).sum()
}

#[test]
fn every_law_holds() {
    for d in [1, 2, 3, 5, 10] {
        every_law::<AxisCuts>(d, &settings(d), &unpaused(reach(d)), mass).unwrap();
    }
}

#[test]
fn refining_after_every_sample_keeps_the_law() {
    refining_keeps_the_law::<AxisCuts>(&increasing(reach(2), 2), reach(2)).unwrap();
}

#[test]
fn another_distribution_is_detected() {
    for d in [1, 2, 5] {
        assert!(
            redrawing_is_detected::<AxisCuts>(d, &settings(d)),
            "{d} dimensions"
        );
    }
    let unlimited = unpaused(reach(2));
    assert!(wrong_rate_is_detected::<AxisCuts, 90>(2, &[unlimited]));
}

#[test]
fn a_feature_that_is_added_keeps_the_law() {
    for d in [2, 3, 5] {
        widening_keeps_the_law_everywhere::<AxisCuts>(d, &settings(d)).unwrap();
    }
    let detected = other_numbers_than_0_are_detected::<AxisCuts>(2, &settings(2));
    assert!(detected, "the test can fail");
}
