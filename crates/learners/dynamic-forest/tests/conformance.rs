//! The checks of every learner for trees that have no name: `online-forests` checks those that have one, exact and
//! lazy.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, ReadingTree};
use forest_core::Regression;
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_testing::conformance;

use crate::streams::settings;

/// Snapshots resume as if never stopped, too.
#[test]
fn forests_that_are_read_at_several_sizes_conform() {
    for (recheck, min_samples_leaf) in [(0.5, 1), (0.0, 1), (0.1, 3), (0.0, 3)] {
        let settings = settings((None, 2, min_samples_leaf, 1), recheck);
        conformance::check_forests::<ReadingTree>(5, [settings.clone()]).unwrap();
        let build = conformance::forests::<ReadingTree>(4, settings);
        let load = |bytes: &[u8]| decode_value(bytes).unwrap();
        let save = |forest: &_| encode_value(forest).unwrap();
        conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
        conformance::the_same_bytes(&build, &save).unwrap();
    }
}

#[test]
fn large_trees_are_small_ones() {
    let build = conformance::forests::<DynamicTree<Regression>>(1, DynamicSettings::default());
    conformance::large_trees_are_small_ones(&build).unwrap();
}
