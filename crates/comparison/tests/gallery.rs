//! Runs the example of the gallery that is written in Rust: it makes the picture beside it, in under 60 lines.

#[expect(dead_code, reason = "cargo runs `main`")]
#[path = "../../../docs/gallery/own_rust_learner.rs"]
mod own_rust_learner;

#[test]
fn a_learner_written_in_rust_recovers_from_a_change() {
    let picture = include_str!("../../../docs/gallery/own_rust_learner.svg");
    let source = include_str!("../../../docs/gallery/own_rust_learner.rs");
    assert!(own_rust_learner::picture().unwrap() == picture);
    assert!(source.lines().count() < 60);
}
