//! The pair measure has the right distribution, and the tests fail where it has not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::window::perimeter;
use forest_core::convex_hull;
use forest_testing::laws::suite::{
    every_law, redrawing_is_detected, refining_keeps_the_law, wrong_rate_is_detected,
};
use obsp::{PairCuts, TessellationSettings, exact, fixed};
use tessellation_tree::Pause;

/// Returns a fixed budget without a limit on splitting.
fn unlimited(budget: f64) -> TessellationSettings {
    TessellationSettings {
        max_uncut: 1,
        ..fixed(budget)
    }
}

/// Returns a budget that gives about three leaves of twelve points.
fn reach(d: usize) -> f64 {
    1.4 / (d * (d - 1)).max(1) as f64
}

fn settings(d: usize) -> Vec<TessellationSettings> {
    vec![
        unlimited(reach(d)),
        fixed(2.0 * reach(d)),
        exact(reach(d), d),
        TessellationSettings {
            pause: Pause::WhileLabelsAgree,
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
    refining_keeps_the_law::<PairCuts>(&exact(reach(2), 2), reach(2)).unwrap();
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

/// Returns Λ(S) with s = ½: half the perimeters of the hulls of all projections; in one dimension the extent.
fn mass(set: &[&[f32]]) -> f64 {
    let d = set[0].len();
    let at = |x: &&[f32], axis: usize| x.get(axis).copied().map_or(0.0, f64::from);
    let pairs = (0..d).flat_map(|i| (i + 1..d.max(2)).map(move |j| (i, j)));
    let of_pair = |(i, j)| {
        let points = set.iter().map(|x| [at(x, i), at(x, j)]);
        perimeter(&convex_hull(points.collect()))
    };
    0.5 * pairs.map(of_pair).sum::<f64>()
}
