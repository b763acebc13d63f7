//! The checks of every learner, for both tasks, exact and lazy.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, ReadingTree};
use forest_core::{Classification, Forest, OnlineTree, Regression};
use forest_testing::conformance::{self, ConformanceTask};

use forest_core::registry::snapshot::{decode_value, encode_value};

fn variants() -> Vec<DynamicSettings> {
    let with = |recheck, max_features, min_samples_split| DynamicSettings {
        max_features,
        min_samples_split,
        recheck,
        ..DynamicSettings::default()
    };
    let sides = |recheck| DynamicSettings {
        min_samples_leaf: 3,
        thresholds: 2,
        ..with(recheck, None, 2)
    };
    vec![
        DynamicSettings::default(),
        with(0.0, None, 2),
        with(0.0, Some(1), 10),
        with(0.1, Some(2), 5),
        with(1.0, None, 2),
        sides(0.0),
        sides(0.5),
    ]
}

#[test]
fn classifiers_keep_every_law() {
    conformance::check_forests::<DynamicTree<Classification>>(5, variants()).unwrap();
}

#[test]
fn forests_that_are_read_at_several_sizes_conform() {
    conformance::check_forests::<ReadingTree>(5, variants()).unwrap();
}

#[test]
fn regressors_keep_every_law() {
    conformance::check_forests::<DynamicTree<Regression>>(5, variants()).unwrap();
}

#[test]
fn large_trees_learn_and_predict_together_as_alone() {
    let build = conformance::forests::<DynamicTree<Regression>>(1, DynamicSettings::default());
    conformance::large_trees_are_small_ones(&build).unwrap();
}

fn a_snapshot_resumes<K: OnlineTree<Task: ConformanceTask>>(settings: K::Settings) {
    let build = conformance::forests::<K>(4, settings);
    let save = |forest: &Forest<K>| encode_value(forest).unwrap();
    let load = |bytes: &[u8]| decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
}

#[test]
fn snapshots_resume_as_if_never_stopped() {
    for settings in variants() {
        a_snapshot_resumes::<DynamicTree<Classification>>(settings.clone());
        a_snapshot_resumes::<ReadingTree>(settings.clone());
        a_snapshot_resumes::<DynamicTree<Regression>>(settings);
    }
}
