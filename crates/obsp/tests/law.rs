//! The pair measure has the right distribution, and the tests fail where it has not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_testing::laws::suite::{
    closed_forms_hold_everywhere, neighbouring_floats_separate_in_time, online_is_batch_everywhere,
    redrawing_is_detected, removal_keeps_the_law_everywhere, subsets_are_first_cut_everywhere,
    units_do_not_matter_anywhere, wrong_rate_is_detected,
};
use forest_testing::laws::{Refining, cuts_are_their_inequalities};
use obsp::{BspSettings, PairCuts, PairSettings, PairWeights, exact, fixed};
use tessellation_tree::planar::{Point, convex_hull};
use tessellation_tree::{Budget, Pause};

/// Returns a fixed budget without a limit on splitting.
fn unlimited(budget: f64) -> BspSettings<()> {
    let max_uncut = 1;
    BspSettings {
        max_uncut,
        ..fixed(budget)
    }
}

/// Returns a budget that gives about three leaves of twelve points.
fn reach(d: usize) -> f64 {
    1.4 / (d * (d - 1)).max(1) as f64
}

fn settings(d: usize) -> Vec<BspSettings<()>> {
    let pause = Pause::WhileLabelsAgree;
    vec![
        unlimited(reach(d)),
        fixed(2.0 * reach(d)),
        exact(reach(d), d),
        BspSettings {
            pause,
            ..unlimited(reach(d))
        },
    ]
}

#[test]
fn online_is_batch_in_one_dimension() {
    online_is_batch_everywhere::<PairCuts>(1, &settings(1), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_two_dimensions() {
    online_is_batch_everywhere::<PairCuts>(2, &settings(2), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_three_dimensions() {
    online_is_batch_everywhere::<PairCuts>(3, &settings(3), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_five_dimensions() {
    online_is_batch_everywhere::<PairCuts>(5, &settings(5), Refining::AtTheEnd).unwrap();
}

#[test]
fn online_is_batch_in_ten_dimensions() {
    online_is_batch_everywhere::<PairCuts>(10, &settings(10), Refining::AtTheEnd).unwrap();
}

#[test]
fn refining_after_every_sample_keeps_the_law() {
    // A budget that grows fast, so that refining cuts leaves between any two samples.
    let budget = Budget::Schedule {
        scale: reach(2) / 6.0,
        power: 1.0,
    };
    let settings = [Pause::Never, Pause::WhileLabelsAgree].map(|pause| BspSettings {
        pause,
        budget,
        ..exact(reach(2), 2)
    });
    online_is_batch_everywhere::<PairCuts>(2, &settings, Refining::AfterEverySample).unwrap();
}

#[test]
fn the_redrawing_update_has_another_law() {
    for d in [1, 2, 3, 5] {
        assert!(
            redrawing_is_detected::<PairCuts>(d, &settings(d)),
            "{d} dimensions"
        );
    }
}

#[test]
fn a_rate_that_is_a_tenth_too_low_is_another_law() {
    let unlimited = unlimited(reach(2));
    assert!(wrong_rate_is_detected::<PairCuts, 90>(2, &[unlimited]));
}

/// Returns Λ({a, b}) with s = ½: Σ_{i<j} √(δᵢ² + δⱼ²), in one dimension |δ|.
fn pair_mass(a: &[f32], b: &[f32]) -> f64 {
    weighted_pair_mass(&[], a, b)
}

/// The same with a weight for each pair of axes; 1 where none is given.
fn weighted_pair_mass(weights: &[f64], a: &[f32], b: &[f32]) -> f64 {
    let difference = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    let delta: Vec<f64> = a.iter().zip(b).map(difference).collect();
    if let [alone] = delta[..] {
        return alone.abs();
    }
    let later = |i: usize| delta[i + 1..].iter().map(move |j| (i, *j));
    let pairs = (0..delta.len()).flat_map(later);
    let weights = weights.iter().copied().chain(std::iter::repeat(1.0));
    let masses = pairs.map(|(i, other)| delta[i].hypot(other));
    masses
        .zip(weights)
        .map(|(mass, weight)| weight * mass)
        .sum()
}

#[test]
fn pairs_separate_as_their_distance_says_and_subsets_are_consistent() {
    for d in [1, 2, 3, 5] {
        let settings = unlimited(reach(d));
        closed_forms_hold_everywhere::<PairCuts>(d, &settings, pair_mass).unwrap();
        let off = |a: &[f32], b: &[f32]| 1.1 * pair_mass(a, b);
        let wrong = closed_forms_hold_everywhere::<PairCuts>(d, &settings, off);
        assert!(wrong.is_err(), "the test can fail");
    }
}

#[test]
fn neighbouring_floats_are_separated_with_the_probability_of_their_distance() {
    for d in [1, 2, 3] {
        neighbouring_floats_separate_in_time::<PairCuts>(d, &unlimited(1.0), pair_mass).unwrap();
    }
}

#[test]
fn given_weights_have_their_law() {
    let weights = vec![0.2, 2.0, 1.0];
    let weighted = |settings: BspSettings<()>| BspSettings {
        cuts: PairSettings {
            weights: PairWeights::Given(weights.clone()),
            ..settings.cuts
        },
        ..settings
    };
    let all: Vec<_> = settings(3).into_iter().map(weighted).collect();
    online_is_batch_everywhere::<PairCuts>(3, &all, Refining::AtTheEnd).unwrap();
    let mass = |a: &[f32], b: &[f32]| weighted_pair_mass(&weights, a, b);
    let settings = weighted(unlimited(reach(3)));
    closed_forms_hold_everywhere::<PairCuts>(3, &settings, mass).unwrap();
    let unweighted = closed_forms_hold_everywhere::<PairCuts>(3, &settings, pair_mass);
    assert!(unweighted.is_err(), "the test can fail");
}

#[test]
fn removal_keeps_the_law() {
    for d in [1, 2, 3, 5, 10] {
        removal_keeps_the_law_everywhere::<PairCuts>(d, &settings(d)).unwrap();
    }
}

#[test]
fn units_do_not_matter() {
    for d in [1, 2, 3, 5, 10] {
        units_do_not_matter_anywhere::<PairCuts>(d, &settings(d)).unwrap();
    }
}

#[test]
fn every_subset_is_first_cut_after_an_exponential_time() {
    for d in [1, 2, 3, 4, 10] {
        subsets_are_first_cut_everywhere::<PairCuts>(d, &PairSettings::default(), set_mass)
            .unwrap();
        let off = |set: &[&[f32]]| 1.1 * set_mass(set);
        let wrong = subsets_are_first_cut_everywhere::<PairCuts>(d, &PairSettings::default(), off);
        assert!(wrong.is_err(), "the test can fail");
    }
}

/// Returns Λ(S) with s = ½: half the perimeters of the hulls of all projections; in one dimension the extent.
fn set_mass(set: &[&[f32]]) -> f64 {
    let d = set[0].len();
    let at = |x: &&[f32], axis: usize| x.get(axis).copied().map_or(0.0, f64::from);
    let pairs = (0..d).flat_map(|i| (i + 1..d.max(2)).map(move |j| (i, j)));
    let perimeter = |(i, j)| {
        let hull = convex_hull(set.iter().map(|x| [at(x, i), at(x, j)]).collect());
        let next = hull.iter().cycle().skip(1);
        let length = |(a, b): (&Point, &Point)| (a[0] - b[0]).hypot(a[1] - b[1]);
        hull.iter().zip(next).map(length).sum::<f64>()
    };
    0.5 * pairs.map(perimeter).sum::<f64>()
}

#[test]
fn cuts_are_read_as_they_are() {
    for d in [1, 2, 5] {
        cuts_are_their_inequalities::<PairCuts>(d, &PairSettings::default()).unwrap();
    }
}
