//! Runs the examples of the gallery that are written in Rust: each makes the picture beside it, in under 40 lines.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../../../docs/gallery/growing_trees.rs"]
mod growing_trees;
#[path = "../../../../docs/gallery/own_rust_learner.rs"]
mod own_rust_learner;

/// The source and the picture of an example.
macro_rules! files {
    ($name:literal) => {
        [
            include_str!(concat!("../../../../docs/gallery/", $name, ".rs")),
            include_str!(concat!("../../../../docs/gallery/", $name, ".svg")),
        ]
    };
}

fn check(picture: &str, [source, expected]: [&str; 2]) {
    assert!(picture == expected, "the example prints another picture");
    assert!(source.lines().count() < 40);
}

#[test]
fn trees_that_grow() {
    check(&growing_trees::picture().unwrap(), files!("growing_trees"));
}

#[test]
fn a_learner_written_in_rust_recovers_from_a_change() {
    check(
        &own_rust_learner::picture().unwrap(),
        files!("own_rust_learner"),
    );
}
