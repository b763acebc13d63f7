//! Runs the examples of the gallery that are written in Rust: each makes the picture beside it, in under 40 lines.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "cargo runs `main`")]
#[path = "../../../../docs/gallery/kinds_of_cuts.rs"]
mod kinds_of_cuts;
#[expect(dead_code, reason = "cargo runs `main`")]
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
fn each_kind_of_tree_cuts_the_same_points() {
    check(&kinds_of_cuts::picture().unwrap(), files!("kinds_of_cuts"));
}

#[test]
fn a_learner_written_in_rust_recovers_from_a_change() {
    check(
        &own_rust_learner::picture().unwrap(),
        files!("own_rust_learner"),
    );
}
