//! Comparisons as a user makes them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

#[cfg(feature = "baselines")]
mod learners;
mod protocols;
mod scipy;

#[path = "../examples/own_learner.rs"]
mod own_learner;
#[expect(dead_code, reason = "cargo runs `main`")]
#[path = "../../../docs/gallery/own_rust_learner.rs"]
mod own_rust_learner;

#[test]
fn a_learner_written_in_a_few_lines_is_compared_with_two_of_ours() {
    own_learner::main().unwrap();
    assert!(include_str!("../examples/own_learner.rs").lines().count() < 40);
}

/// The example of the gallery makes the picture beside it.
#[test]
fn a_learner_written_in_rust_recovers_from_a_change() {
    let picture = include_str!("../../../docs/gallery/own_rust_learner.svg");
    let source = include_str!("../../../docs/gallery/own_rust_learner.rs");
    assert!(own_rust_learner::picture().unwrap() == picture);
    assert!(source.lines().count() < 60);
}
