//! What is walked ahead of learning changes nothing: a batch makes the trees that its rows make one by one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::num::NonZeroU32;

use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, ForestSettings, OnlineLearner, Retention, Schema, TreeRng};
use mondrian::{MondrianRegressor, TessellationSettings, fixed, increasing};

/// Points of a grid, so that many share a leaf or are alike.
fn points(rows: usize, places: usize) -> Array2<f32> {
    let mut rng = TreeRng::new(6, 0);
    Array2::from_shape_simple_fn((rows, 2), || rng.below(places) as f32 / places as f32)
}

fn forest(settings: TessellationSettings, retention: Retention) -> MondrianRegressor {
    let trees = ForestSettings::default()
        .with_trees(3)
        .with_seed(3)
        .with_retention(retention);
    Forest::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

fn same_trees(a: &MondrianRegressor, b: &MondrianRegressor) -> bool {
    a.trees().eq(b.trees())
}

/// Learns the same rows in batches of several lengths and one by one.
fn batches_are_rows(settings: &TessellationSettings, retention: Retention) {
    let points = points(900, 40);
    let target = |row: usize| (row % 7) as f64;
    let alone = {
        let mut forest = forest(settings.clone(), retention);
        for (row, x) in points.rows().into_iter().enumerate() {
            let x = x.as_slice().unwrap();
            forest.learn_one(x, target(row)).unwrap();
        }
        forest
    };
    for batch in [2, 3, 15, 16, 17, 40, 900] {
        let mut forest = forest(settings.clone(), retention);
        for start in (0..900).step_by(batch) {
            let rows = start..900.min(start + batch);
            let targets: Vec<f64> = rows.clone().map(target).collect();
            forest.learn(points.slice(s![rows, ..]), &targets).unwrap();
            forest.check_invariants().unwrap();
        }
        assert!(same_trees(&forest, &alone), "{batch} {settings:?}");
    }
}

#[test]
fn batches_make_the_trees_of_single_rows() {
    let small_leaves = TessellationSettings {
        max_uncut: 4,
        ..fixed(f64::INFINITY)
    };
    let bounded = TessellationSettings {
        max_nodes: NonZeroU32::new(301),
        ..fixed(f64::INFINITY)
    };
    let all = [
        fixed(f64::INFINITY),
        fixed(3.0),
        increasing(8.0, 2),
        small_leaves,
    ];
    for settings in &all {
        batches_are_rows(settings, Retention::Everything);
        for window in [1, 2, 30] {
            batches_are_rows(settings, Retention::Latest(window));
        }
    }
    batches_are_rows(&bounded, Retention::Everything);
}
