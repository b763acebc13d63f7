//! Forests whose samples arrive and leave.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::DynamicSettings;
use forest_core::{
    Forest, ForestSettings, OnlineLearner, OnlineTree, Retention, Schema, Task, TreeRng,
};

use crate::streams::Drawn;

/// Two trees.
pub(crate) fn forest<K: OnlineTree<Settings = DynamicSettings>>(
    width: usize,
    settings: &DynamicSettings,
    retention: Retention,
) -> Forest<K> {
    let forest = ForestSettings::default()
        .with_trees(2)
        .with_seed(3)
        .with_retention(retention);
    Forest::new(Schema::new(width).unwrap(), settings.clone(), forest).unwrap()
}

/// Where rows come from: `draw` returns one of `width` features.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    pub(crate) width: usize,
    pub(crate) draw: fn(&mut TreeRng, usize) -> Vec<f32>,
}

/// Learns with `learn`, and forgets, at random; the invariants of an exact tree include that it is the batch tree.
pub(crate) fn come_and_go<K: OnlineTree<Task: Drawn, Settings = DynamicSettings>>(
    mut rng: TreeRng,
    points: Points,
    settings: &DynamicSettings,
    steps: usize,
    mut learn: impl FnMut(&mut Forest<K>, &mut TreeRng, (&[f32], <K::Task as Task>::Target), usize),
) {
    let mut forest = forest::<K>(points.width, settings, Retention::Everything);
    let (mut held, mut seen) = (Vec::new(), 0u64);
    let mut rows: Vec<Vec<f32>> = Vec::new();
    for time in 0..steps {
        let grows = rng.below(10) < [9, 5, 8, 1][time * 4 / steps];
        if grows || held.is_empty() {
            let again = !rows.is_empty() && rng.below(4) == 0;
            let x = if again {
                rows[rng.below(rows.len())].clone()
            } else {
                (points.draw)(&mut rng, points.width)
            };
            let target = K::Task::draw(&mut rng, &x, time);
            learn(&mut forest, &mut rng, (&x, target), time);
            rows.push(x);
            held.push(seen);
            seen += 1;
        } else {
            let gone = held.swap_remove(rng.below(held.len()));
            forest.forget(gone).unwrap();
        }
        let checked = forest.check_invariants();
        assert!(
            checked.is_ok(),
            "width {}, step {time}: {checked:?}",
            points.width
        );
    }
}
