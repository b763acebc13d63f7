//! All tests in one program, which compiles what they share once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod facts;
mod reference;
mod retrieval;
mod vectors;

use boundary_forest::{BoundaryForest, Label, TreeSettings};
use forest_core::{ForestSettings, Schema, Task};

/// Returns an empty forest of so many trees for points of so many numbers.
fn forest<T: Task<Target: Label>>(
    trees: usize,
    max_children: Option<u32>,
    epsilon: f64,
    width: usize,
) -> BoundaryForest<T> {
    let settings = TreeSettings {
        max_children,
        epsilon,
        ..TreeSettings::default()
    };
    let trees = ForestSettings::default().with_trees(trees).with_seed(3);
    BoundaryForest::new(Schema::new(width).unwrap(), settings, trees).unwrap()
}
