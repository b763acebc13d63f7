//! The batch forest from outside: distributions, edges, determinism, golden draws.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod after_cuts;
mod determinism;
mod edges;
mod prior_law;
mod refusals;

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{Classification, ForestSettings, Schema, TreeRng};
use random_tessellation::batch::{BatchForest, BatchSettings, Training};
use tessellation_tree::CutDistribution;

fn matrix(points: &[Vec<f32>]) -> Array2<f32> {
    let shape = (points.len(), points[0].len());
    Array2::from_shape_fn(shape, |(row, feature)| points[row][feature])
}

fn schema(features: usize) -> Schema<Classification> {
    Schema::new(features).unwrap()
}

fn trees(trees: usize) -> ForestSettings {
    ForestSettings::default().with_trees(trees).with_seed(7)
}

/// Without test rows.
fn training<'a>(rows: &'a Array2<f32>, targets: &'a [u32]) -> Training<'a> {
    Training {
        rows: rows.view(),
        targets,
        test_rows: None,
    }
}

fn fitted<D: CutDistribution>(
    rows: ArrayView2<'_, f32>,
    targets: &[u32],
    settings: &BatchSettings,
    forest: ForestSettings,
) -> BatchForest<D> {
    let training = Training {
        rows,
        targets,
        test_rows: None,
    };
    BatchForest::fit(schema(rows.ncols()), training, settings, forest, |_| ()).unwrap()
}

/// Uniform points in the unit cube, of class 1 above the diagonal.
fn two_classes(n: usize, d: usize) -> (Array2<f32>, Vec<u32>) {
    let mut rng = TreeRng::new(1, 0);
    let rows = Array2::from_shape_simple_fn((n, d), || rng.uniform() as f32);
    let sums = rows.outer_iter().map(|row| row.sum());
    let targets = sums.map(|sum| u32::from(sum > d as f32 / 2.0)).collect();
    (rows, targets)
}
