//! Forests continue after being saved, and bytes that were tampered with never cause a panic.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{ForestSettings, OnlineLearner, Regression, Schema, TreeRng};
use forest_testing::conformance;
use obsp::{BspRegressor, exact};
use registry::snapshot::{decode_value, encode_value};
use tessellation_tree::Pause;

fn save(forest: &BspRegressor) -> Vec<u8> {
    encode_value(forest).unwrap()
}

fn build(schema: Schema<Regression>, seed: u64) -> BspRegressor {
    let features = schema.features();
    BspRegressor::new(
        schema,
        exact(20.0, features),
        ForestSettings::default().with_trees(3).with_seed(seed),
    )
    .unwrap()
}

#[test]
fn a_saved_forest_resumes() {
    let load = |bytes: &[u8]| decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
}

#[test]
fn tampered_bytes_are_refused_or_harmless() {
    let settings = obsp::BspSettings {
        pause: Pause::WhileLabelsAgree,
        ..exact(9.0, 3)
    };
    let mut forest = BspRegressor::new(
        Schema::new(3).unwrap(),
        settings,
        ForestSettings::default().with_trees(1).with_seed(5),
    )
    .unwrap();
    let stream = conformance::Stream::<Regression>::uniform(60, 3, 1);
    stream.teach(&mut forest, 0, 60).unwrap();
    let bytes = save(&forest);
    let mut rng = TreeRng::new(9, 0);
    let (mut refused, mut unread) = (0, 0);
    for _ in 0..20_000 {
        let mut tampered = bytes.clone();
        tampered[rng.below(bytes.len())] = rng.bits() as u8;
        match decode_value::<BspRegressor>(&tampered) {
            Ok(forest) => refused += usize::from(forest.check_invariants().is_err()),
            Err(_) => unread += 1,
        }
    }
    assert!(refused > 5000, "{refused} refused, {unread} not even read");
}
