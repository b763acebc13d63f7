//! A toy algorithm, added as `docs/adding-an-algorithm.md` says: a type and a row in a file, and a line that adds the
//! row.

use crate::common::checks::conforms;
use crate::histogram;
use online_forests::{Algorithm, Regression};

forest_core::submit!(&[histogram::HISTOGRAM]);

const GUIDE: &str = include_str!("../../../docs/adding-an-algorithm.md");

#[test]
fn the_guide_shows_what_is_compiled() {
    let first = include_str!("../../programs/online-forests-cli/examples/own_program.rs");
    let lines = first.lines().filter(|line| !line.is_empty()).count();
    assert_eq!(lines, 31, "the guide states the number of lines");
    let block = format!("```rust\n{first}```");
    assert!(GUIDE.contains(&block), "the guide has another program");
    let line = "forest_core::submit!(&[histogram::HISTOGRAM]);";
    assert!(include_str!("adding_an_algorithm.rs").contains(line) && GUIDE.contains(line));
}

#[test]
fn the_toy_conforms() {
    let algorithm: Algorithm = "histogram:bins=40".parse().unwrap();
    conforms::<Regression>(&algorithm).unwrap();
}
