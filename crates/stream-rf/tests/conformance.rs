//! Every property of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, Forest, OnlineTree, Regression};
use forest_testing::conformance::{self, ConformanceTask};
use stream_rf::{FringeLimit, SaffariSettings, SaffariTree, StreamSettings, StreamTree};

/// Returns the defaults, the paper's settings, a fringe of one leaf, and streams of unequal shares.
fn variants() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let narrow = StreamSettings {
        fringe: FringeLimit::AtMost(1),
        ..default.clone()
    };
    let small = StreamSettings {
        fringe: FringeLimit::AtMost(7),
        m: 3,
        ..default.clone()
    };
    let streams = StreamSettings {
        structure: 0.3,
        ..default.clone()
    };
    vec![
        default,
        crate::mixture_of_gaussians(),
        narrow,
        small,
        streams,
    ]
}

#[test]
fn classifiers_keep_every_law() {
    conformance::check_forests::<StreamTree<Classification>>(10, variants()).unwrap();
}

#[test]
fn regressors_keep_every_law() {
    conformance::check_forests::<StreamTree<Regression>>(10, variants()).unwrap();
}

fn saffari_variants() -> Vec<SaffariSettings> {
    let default = SaffariSettings::default();
    let eager = SaffariSettings {
        tests: 2,
        m: 1,
        min_samples: 2,
        min_gain: 0.0,
        ..default.clone()
    };
    let shallow = SaffariSettings {
        max_depth: 3,
        ..default.clone()
    };
    vec![default, eager, shallow]
}

#[test]
fn the_forest_of_saffari_keeps_every_law() {
    conformance::check_forests::<SaffariTree<Classification>>(10, saffari_variants()).unwrap();
    conformance::check_forests::<SaffariTree<Regression>>(10, saffari_variants()).unwrap();
}

/// Forests of tree `K` resume from a snapshot as if they had never been saved.
fn a_snapshot_resumes<K: OnlineTree<Task: ConformanceTask>>(settings: K::Settings) {
    let build = conformance::forests::<K>(7, settings);
    let save = |forest: &Forest<K>| forest_core::registry::snapshot::encode_value(forest).unwrap();
    let load = |bytes: &[u8]| forest_core::registry::snapshot::decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
}

#[test]
fn snapshots_resume_as_if_never_stopped() {
    for settings in variants() {
        a_snapshot_resumes::<StreamTree<Classification>>(settings.clone());
        a_snapshot_resumes::<StreamTree<Regression>>(settings);
    }
}
