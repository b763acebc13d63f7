//! The distribution of the reservoir: each set of samples of its size is equally likely.

use std::collections::BTreeMap;

use forest_core::{Forget, Retention};
use forest_testing::statistics;

use super::ledger::{CanForget, HoldsNone, forest};
use super::{held, learn};

/// Probability with which a test of this file fails by chance.
const LEVEL: f64 = 1e-3;

/// Returns the p-value of the χ² test that the sets, all of them of one size, are uniform among `possible` ones.
fn uniform(sets: &[Vec<usize>], possible: usize) -> f64 {
    let mut seen: BTreeMap<&[usize], usize> = BTreeMap::new();
    sets.iter()
        .for_each(|set| *seen.entry(set).or_default() += 1);
    assert!(seen.len() <= possible);
    assert!(sets.len() >= 20 * possible, "enough of each for the test");
    let mut counts: Vec<usize> = seen.into_values().collect();
    counts.resize(possible, 0);
    statistics::is_uniform(&counts)
}

/// Returns what reservoirs of `size` hold after `rows` samples, each drawn with a seed of its own.
fn reservoirs(size: usize, rows: usize) -> Vec<Vec<usize>> {
    let reservoir = |seed| {
        let mut forest = forest::<HoldsNone>(seed, Retention::Reservoir(size));
        learn(&mut forest, 0, rows);
        held(&forest)
    };
    (0..20_000).map(reservoir).collect()
}

#[test]
fn each_sample_and_each_pair_is_equally_likely() {
    assert!(uniform(&reservoirs(1, 7), 7) > LEVEL);
    assert!(uniform(&reservoirs(2, 7), 21) > LEVEL);
}

#[test]
fn each_set_is_equally_likely() {
    let sets = reservoirs(3, 8);
    assert!(uniform(&sets, 56) > LEVEL);
    // The test can fail: every 20th set loses its first sample to the last.
    let biased = sets.into_iter().enumerate().map(|(index, mut set)| {
        if index % 20 == 0 && set[2] != 7 {
            set.rotate_left(1);
            set[2] = 7;
        }
        set
    });
    assert!(uniform(&biased.collect::<Vec<_>>(), 56) < 1e-6);
}

/// Where a sample was forgotten on request, a reservoir may hold one less: those of each size are uniform.
#[test]
fn samples_that_nobody_asked_to_forget_are_equally_likely() {
    let (mut full, mut short) = (Vec::new(), Vec::new());
    for seed in 0..20_000 {
        let mut forest = forest::<CanForget>(seed, Retention::Reservoir(2));
        learn(&mut forest, 0, 4);
        // Of samples 0 to 3, 1 is to be forgotten; it may be gone already.
        let _ = forest.forget(1);
        learn(&mut forest, 4, 7);
        let set = held(&forest);
        if set.len() == 2 {
            &mut full
        } else {
            &mut short
        }
        .push(set);
    }
    assert!(uniform(&full, 15) > LEVEL, "of 6 samples, each pair");
    assert!(uniform(&short, 6) > LEVEL, "of 6 samples, each");
    // The forgotten one is among the two held of seven as often as any other.
    let share = short.len() as f64 / 20_000.0;
    let deviation = (2.0 / 7.0 * 5.0 / 7.0 / 20_000.0f64).sqrt();
    assert!((share - 2.0 / 7.0).abs() < 3.3 * deviation, "{share}");
}
