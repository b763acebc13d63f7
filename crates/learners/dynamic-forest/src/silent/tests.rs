//! Samples that are left out, against forests that have forgotten them; targets that change, against forests that had
//! them from the beginning.

use forest_core::{ForestSettings, OnlineLearner, OnlineTree, Schema, TreeRng};

use super::*;
use crate::{DynamicSettings, HonestForest};

fn forest(recheck: f64, side: u32) -> HonestForest {
    let settings = DynamicSettings {
        recheck,
        min_samples_leaf: side,
        ..DynamicSettings::default()
    };
    let trees = ForestSettings::default().with_trees(6).with_seed(4);
    let mut forest = HonestForest::new(Schema::new(2).unwrap(), settings, trees).unwrap();
    forest.refine_to(1.0 / HonestTree::FOLDS as f64);
    forest
}

/// Samples come and go, of a few distinct points, whose targets are noisy and at times equal, with weights from time to
/// time.
fn changed(forest: &mut HonestForest, rng: &mut TreeRng, held: &mut Vec<u64>, weighted: bool) {
    if rng.below(10) >= 7 && held.len() >= 3 {
        let arrival = held.swap_remove(rng.below(held.len()));
        return forest.forget(arrival).unwrap();
    }
    let x: [f32; 2] = std::array::from_fn(|_| rng.below(12) as f32 / 12.0);
    let noise = if rng.below(3) == 0 { 0.0 } else { rng.normal() };
    held.push(forest.samples_seen());
    let rows = ndarray::ArrayView2::from_shape((1, 2), &x).unwrap();
    let is_heavy = weighted && rng.below(2) == 0;
    let weight = if is_heavy { 2.5 } else { 1.0 };
    let target = f64::from(x[0]) + noise;
    forest.learn_weighted(rows, &[target], &[weight]).unwrap();
}

#[test]
fn a_silent_sample_is_left_out_as_if_it_had_never_come() {
    for (recheck, side, weighted) in [
        (0.0, 1, false),
        (0.5, 3, false),
        (0.5, 1, true),
        (0.0, 3, true),
    ] {
        let mut forest = forest(recheck, side);
        let mut rng = TreeRng::new(5, 0);
        let mut held = Vec::new();
        let mut compared = 0;
        // Never forgotten, so that the unit of targets stays.
        forest.learn_one(&[2.0, 2.0], 9.0).unwrap();
        for _ in 0..400 {
            changed(&mut forest, &mut rng, &mut held, weighted);
            let arrival = held[rng.below(held.len())];
            let samples = forest.samples();
            let id = samples.find(arrival).unwrap();
            let mut without = forest.clone();
            without.forget(arrival).unwrap();
            let context = without.context();
            for (tree, other) in forest.trees().zip(without.trees()) {
                let mut expected = [0.0];
                other.vote(samples.features(id), &context, &mut expected);
                tree.left_out(&[id], samples, |_, found| {
                    assert!((found - expected[0]).abs() < 1e-9, "{found} {expected:?}");
                    compared += 1;
                });
            }
        }
        // Half of six trees, but for samples that are alone.
        assert!((1000..=1200).contains(&compared), "{compared}");
    }
}

/// Checks that leaves predict the means of their targets, and pure ones have one target.
fn check_leaves(forest: &HonestForest) {
    let context = forest.context();
    let store = context.samples;
    for tree in forest.trees() {
        for own in store.ids() {
            let leaf = tree.leaf_of(store.features(own));
            let mut sum = 0.0;
            let mut weights = 0.0;
            for id in tree.links.list(tree.nodes.first(leaf).unwrap()) {
                sum += store.target(id) * store.weight(id).value();
                weights += store.weight(id).value();
                let is_pure = matches!(leaf.get(), Below::Pure(_));
                assert!(!is_pure || store.target(id) == store.target(own));
            }
            let mut found = [0.0];
            tree.vote(store.features(own), &context, &mut found);
            assert!((found[0] - sum / weights).abs() < 1e-9, "{found:?}");
        }
    }
}

/// Trees with leaves of one sample have others then.
#[test]
fn targets_that_change_are_followed() {
    for (recheck, side, weighted) in [
        (0.5, 1, false),
        (0.5, 3, false),
        (0.0, 1, false),
        (0.5, 2, true),
    ] {
        let mut forest = forest(recheck, side);
        let mut rng = TreeRng::new(6, 0);
        let mut held = Vec::new();
        for time in 0..300 {
            changed(&mut forest, &mut rng, &mut held, weighted);
            let mut arrivals = vec![held[rng.below(held.len())], held[rng.below(held.len())]];
            arrivals.dedup();
            let scale = if time % 50 == 49 { 100.0 } else { 1.0 };
            let mut changes = Vec::new();
            for arrival in arrivals {
                let is_zero = rng.below(4) == 0;
                let target = if is_zero { 0.0 } else { scale * rng.normal() };
                changes.push((forest.samples().find(arrival).unwrap(), target));
            }
            forest.retarget(&changes);
            for (id, target) in changes {
                assert_eq!(forest.samples().target(id), target);
            }
            forest.check_invariants().unwrap();
            check_leaves(&forest);
        }
    }
}
