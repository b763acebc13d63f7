//! The checks of every learner, for both tasks, exact and lazy.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, ReadingTree};
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{Classification, Forest, OnlineTree, Regression};
use forest_testing::conformance::{self, ConformanceTask};
use serde::{Serialize, de::DeserializeOwned};

/// ε, K, `min_samples_split`, `min_samples_leaf`, thresholds.
const VARIANTS: [(f64, Option<u32>, u32, u32, u32); 7] = [
    (0.5, None, 2, 1, 1),
    (0.0, None, 2, 1, 1),
    (0.0, Some(1), 10, 1, 1),
    (0.1, Some(2), 5, 1, 1),
    (1.0, None, 2, 1, 1),
    (0.0, None, 2, 3, 2),
    (0.5, None, 2, 3, 2),
];

/// Snapshots resume as if never stopped, too.
fn conforms<K>()
where
    K: OnlineTree<Task: ConformanceTask, Settings = DynamicSettings> + Serialize + DeserializeOwned,
{
    for (recheck, max_features, min_samples_split, min_samples_leaf, thresholds) in VARIANTS {
        let settings = DynamicSettings {
            max_features,
            min_samples_split,
            min_samples_leaf,
            thresholds,
            recheck,
        };
        conformance::check_forests::<K>(5, [settings.clone()]).unwrap();
        let build = conformance::forests::<K>(4, settings);
        let save = |forest: &Forest<K>| encode_value(forest).unwrap();
        let load = |bytes: &[u8]| decode_value(bytes).unwrap();
        conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
        conformance::the_same_bytes(&build, &save).unwrap();
    }
}

#[test]
fn classifiers_conform() {
    conforms::<DynamicTree<Classification>>();
}

#[test]
fn forests_that_are_read_at_several_sizes_conform() {
    conforms::<ReadingTree>();
}

#[test]
fn regressors_conform() {
    conforms::<DynamicTree<Regression>>();
    let build = conformance::forests::<DynamicTree<Regression>>(1, DynamicSettings::default());
    conformance::large_trees_are_small_ones(&build).unwrap();
}
