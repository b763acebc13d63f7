//! A million points in sorted order.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::Instant;

use forest_core::ndarray::Array2;
use forest_core::{ForestSettings, OnlineLearner, Schema};
use mondrian::{MondrianRegressor, TessellationSettings, fixed};

fn sorted(n: usize) -> (Array2<f32>, Vec<f64>) {
    let features = Array2::from_shape_fn((n, 1), |(row, _)| row as f32 / n as f32);
    (features, (0..n).map(|row| row as f64).collect())
}

fn learn(n: usize, settings: TessellationSettings) -> (MondrianRegressor, f64) {
    let (features, targets) = sorted(n);
    let mut forest = MondrianRegressor::new(
        Schema::new(1).unwrap(),
        settings,
        ForestSettings::default().with_trees(1).with_seed(1),
    )
    .unwrap();
    let start = Instant::now();
    forest.learn(features.view(), &targets).unwrap();
    (forest, start.elapsed().as_secs_f64())
}

#[test]
fn a_million_sorted_points_take_linear_time_with_a_small_budget() {
    let (mut small, seconds_small) = learn(100_000, fixed(3.0));
    let (mut large, seconds_large) = learn(1_000_000, fixed(3.0));
    let times = seconds_large / seconds_small.max(1e-3);
    assert!(
        times < 40.0,
        "ten times the points take {times:.1} times as long"
    );
    small.refine().unwrap();
    large.refine().unwrap();
    large.check_invariants().unwrap();
    assert!(large.footprint().nodes < 100);
}
