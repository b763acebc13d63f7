//! The pair measure has the right distribution, and the tests fail where it has not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Point, convex_hull};
use forest_testing::laws::Refining;
use forest_testing::laws::suite::{
    closed_forms_hold_everywhere, every_law, online_is_batch_everywhere, redrawing_is_detected,
    wrong_rate_is_detected,
};
use obsp::{BspSettings, PairCuts, PairSettings, PairWeights, exact, fixed};
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
fn every_law_holds() {
    for d in [1, 2, 3, 5, 10] {
        every_law::<PairCuts>(d, &settings(d), &unlimited(reach(d)), mass).unwrap();
    }
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
fn another_distribution_is_detected() {
    for d in [1, 2, 3, 5] {
        assert!(
            redrawing_is_detected::<PairCuts>(d, &settings(d)),
            "{d} dimensions"
        );
    }
    let unlimited = unlimited(reach(2));
    assert!(wrong_rate_is_detected::<PairCuts, 90>(2, &[unlimited]));
}

/// Returns Λ({a, b}) with s = ½ and a weight for each pair of axes: Σ_{i<j} ω_ij·√(δᵢ² + δⱼ²).
fn weighted_pair_mass(weights: &[f64], a: &[f32], b: &[f32]) -> f64 {
    let difference = |(a, b): (&f32, &f32)| f64::from(*a) - f64::from(*b);
    let delta: Vec<f64> = a.iter().zip(b).map(difference).collect();
    let later = |i: usize| delta[i + 1..].iter().map(move |j| (i, *j));
    let pairs = (0..delta.len()).flat_map(later);
    let masses = pairs.map(|(i, other)| delta[i].hypot(other));
    masses
        .zip(weights)
        .map(|(mass, weight)| weight * mass)
        .sum()
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
    let settings = weighted(unlimited(reach(3)));
    let pair_mass = |a: &[f32], b: &[f32]| weighted_pair_mass(&weights, a, b);
    closed_forms_hold_everywhere::<PairCuts>(3, &settings, pair_mass).unwrap();
    let unweighted = closed_forms_hold_everywhere::<PairCuts>(3, &settings, |a, b| mass(&[a, b]));
    assert!(unweighted.is_err(), "the test can fail");
}

/// Returns Λ(S) with s = ½: half the perimeters of the hulls of all projections; in one dimension the extent.
fn mass(set: &[&[f32]]) -> f64 {
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
