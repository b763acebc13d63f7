//! What the paper says of the forest, and what must hold at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod data;
mod edges;
mod kept;
mod one_shot;
mod trees;

use boundary_forest::{BoundaryClassifier, BoundaryRegressor, ChildLimit, TreeSettings};
use forest_core::{ForestSettings, Schema};

fn classifier(trees: usize, limit: ChildLimit, width: usize) -> BoundaryClassifier {
    let settings = TreeSettings {
        max_children: limit,
        ..TreeSettings::default()
    };
    BoundaryClassifier::new(
        Schema::new(width).unwrap(),
        settings,
        ForestSettings::default().with_trees(trees).with_seed(1),
    )
    .unwrap()
}

fn regressor(trees: usize, epsilon: f64, width: usize) -> BoundaryRegressor {
    let settings = TreeSettings {
        epsilon,
        ..TreeSettings::default()
    };
    BoundaryRegressor::new(
        Schema::new(width).unwrap(),
        settings,
        ForestSettings::default().with_trees(trees).with_seed(1),
    )
    .unwrap()
}
