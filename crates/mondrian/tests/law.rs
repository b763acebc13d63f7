//! The axis measure has the right distribution, and the tests fail where it has not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_testing::laws::suite::{
    closed_forms_hold_everywhere, neighbouring_floats_separate_in_time, online_is_batch_everywhere,
    other_numbers_than_0_are_detected, redrawing_is_detected, removal_keeps_the_law_everywhere,
    subsets_are_first_cut_everywhere, units_do_not_matter_anywhere,
    widening_keeps_the_law_everywhere, wrong_rate_is_detected,
};
use forest_testing::laws::{Refining, cuts_are_their_inequalities};
use mondrian::{AxisCuts, AxisWeights, MondrianSettings, fixed, increasing};
use tessellation_tree::{Budget, Pause};

/// Returns a fixed budget, whatever the labels.
fn unpaused(budget: f64) -> MondrianSettings<()> {
    let pause = Pause::Never;
    MondrianSettings {
        pause,
        ..fixed(budget)
    }
}

/// Returns a budget that gives about three leaves of twelve points.
fn reach(d: usize) -> f64 {
    1.4 / d as f64
}

fn settings(d: usize) -> Vec<MondrianSettings<()>> {
    let max_uncut = 3;
    vec![
        fixed(reach(d)),
        unpaused(reach(d)),
        MondrianSettings {
            max_uncut,
            ..unpaused(2.0 * reach(d))
        },
        MondrianSettings {
            max_uncut,
            ..increasing(reach(d), d)
        },
    ]
}

#[test]
fn online_is_batch_in_one_dimension() {
    online_is_batch_everywhere::<AxisCuts>(1, &settings(1), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_two_dimensions() {
    online_is_batch_everywhere::<AxisCuts>(2, &settings(2), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_five_dimensions() {
    online_is_batch_everywhere::<AxisCuts>(5, &settings(5), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_three_dimensions() {
    online_is_batch_everywhere::<AxisCuts>(3, &settings(3), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_ten_dimensions() {
    online_is_batch_everywhere::<AxisCuts>(10, &settings(10), Refining::AtTheEnd).unwrap();
}

#[test]
fn refining_after_every_sample_keeps_the_law() {
    // A budget that grows fast, so that refining cuts leaves between any two samples.
    let budget = Budget::Schedule {
        scale: reach(2) / 6.0,
        power: 1.0,
    };
    let settings = [Pause::Never, Pause::WhileLabelsAgree].map(|pause| MondrianSettings {
        pause,
        budget,
        ..increasing(reach(2), 2)
    });
    online_is_batch_everywhere::<AxisCuts>(2, &settings, Refining::AfterEverySample).unwrap();
}

#[test]
fn the_redrawing_update_has_another_law() {
    for d in [1, 2, 5] {
        assert!(
            redrawing_is_detected::<AxisCuts>(d, &settings(d)),
            "{d} dimensions"
        );
    }
}

#[test]
fn a_rate_that_is_a_tenth_too_low_is_another_law() {
    let unlimited = unpaused(reach(2));
    assert!(wrong_rate_is_detected::<AxisCuts, 90>(2, &[unlimited]));
}

/// Returns Λ({a, b}) = Σᵢ |aᵢ − bᵢ|.
fn pair_mass(a: &[f32], b: &[f32]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs())
        .sum()
}

#[test]
fn pairs_separate_as_their_distance_says_and_subsets_are_consistent() {
    for d in [1, 2, 5] {
        let settings = unpaused(reach(d));
        closed_forms_hold_everywhere::<AxisCuts>(d, &settings, pair_mass).unwrap();
        let off = |a: &[f32], b: &[f32]| 1.1 * pair_mass(a, b);
        let wrong = closed_forms_hold_everywhere::<AxisCuts>(d, &settings, off);
        assert!(wrong.is_err(), "the test can fail");
    }
}

#[test]
fn neighbouring_floats_are_separated_with_the_probability_of_their_distance() {
    for d in [1, 2, 3] {
        neighbouring_floats_separate_in_time::<AxisCuts>(d, &unpaused(1.0), pair_mass).unwrap();
    }
}

#[test]
fn removal_keeps_the_law() {
    for d in [1, 2, 3, 5, 10] {
        removal_keeps_the_law_everywhere::<AxisCuts>(d, &settings(d)).unwrap();
    }
}

#[test]
fn a_feature_that_is_added_keeps_the_law() {
    for d in [2, 3, 5] {
        widening_keeps_the_law_everywhere::<AxisCuts>(d, &settings(d)).unwrap();
    }
    let detected = other_numbers_than_0_are_detected::<AxisCuts>(2, &settings(2));
    assert!(detected, "the test can fail");
}

#[test]
fn units_do_not_matter() {
    for d in [1, 2, 3, 5, 10] {
        units_do_not_matter_anywhere::<AxisCuts>(d, &settings(d)).unwrap();
    }
}

#[test]
fn every_subset_is_first_cut_after_an_exponential_time() {
    for d in [1, 2, 3, 4, 10] {
        subsets_are_first_cut_everywhere::<AxisCuts>(d, &AxisWeights::Equal, set_mass).unwrap();
        let off = |set: &[&[f32]]| 1.1 * set_mass(set);
        let wrong = subsets_are_first_cut_everywhere::<AxisCuts>(d, &AxisWeights::Equal, off);
        assert!(wrong.is_err(), "the test can fail");
    }
}

/// Returns Λ(S) = Σᵢ extentᵢ.
fn set_mass(set: &[&[f32]]) -> f64 {
    let extent = |i: usize| {
        let values = || set.iter().map(|x| f64::from(x[i]));
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    (0..set[0].len()).map(extent).sum()
}

#[test]
fn cuts_are_read_as_they_are() {
    for d in [1, 2, 5] {
        cuts_are_their_inequalities::<AxisCuts>(d, &AxisWeights::Equal).unwrap();
    }
}
