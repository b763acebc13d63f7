//! Comparisons as a user makes them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

#[cfg(feature = "baselines")]
mod learners;
mod protocols;
mod scipy;

#[expect(dead_code, reason = "cargo runs `main`")]
#[path = "../../../docs/gallery/own_rust_learner.rs"]
mod own_rust_learner;

/// The example of the gallery makes the picture beside it.
#[test]
fn a_learner_written_in_rust_recovers_from_a_change() {
    let picture = include_str!("../../../docs/gallery/own_rust_learner.svg");
    let source = include_str!("../../../docs/gallery/own_rust_learner.rs");
    assert!(own_rust_learner::picture().unwrap() == picture);
    assert!(source.lines().count() < 60);
}
