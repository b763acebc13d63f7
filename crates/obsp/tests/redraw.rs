//! How far Algorithm 4 as printed strays from the batch distribution: number of leaves over twelve points
//! in the unit square, s = 1, τ = 0.7, at most three points uncut.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::window::perimeter;
use forest_core::ndarray::Array2;
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, convex_hull};
use forest_testing::statistics;
use obsp::{BspRegressor, TessellationSettings, fixed};
use tessellation_tree::{Budget, CutSettings, Update};

const TREES: usize = 40_000;
const TAU: f64 = 0.7;
const POINTS: usize = 12;

/// From left to right, so that every point lies outside of the hull of those before.
fn points() -> Array2<f32> {
    let mut rng = TreeRng::new(4, 0);
    let mut points = [(); POINTS].map(|()| [(); 2].map(|()| rng.uniform() as f32));
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Array2::from(points.to_vec())
}

fn settings() -> TessellationSettings {
    let cuts = CutSettings {
        rate: Some(1.0),
        ..CutSettings::default()
    };
    TessellationSettings { cuts, ..fixed(TAU) }
}

/// Returns the number of leaves of each tree.
fn leaves(settings: TessellationSettings) -> Vec<f64> {
    let mut forest = BspRegressor::new(
        Schema::new(2).unwrap(),
        settings,
        ForestSettings::default().with_trees(TREES).with_seed(1),
    )
    .unwrap();
    forest.learn(points().view(), &[0.0; POINTS]).unwrap();
    forest.refine().unwrap();
    let count = |tree: &obsp::BspTree<_>| tree.leaves().count() as f64;
    forest.trees().map(count).collect()
}

/// Returns Λ of the first points with s = 1: the perimeter of their hull.
fn mass(count: usize) -> f64 {
    let points = points();
    let rows = points.rows().into_iter().take(count);
    let points = rows.map(|x| [f64::from(x[0]), f64::from(x[1])]);
    perimeter(&convex_hull(points.collect()))
}

fn alone(leaves: &[f64]) -> usize {
    leaves.iter().filter(|leaves| **leaves == 1.0).count()
}

#[test]
fn conditional_updates_keep_the_law_and_redrawing_loses_it() {
    let fixed = leaves(settings());
    let uncut = (-TAU * mass(POINTS)).exp();
    assert!(
        (0.05..0.25).contains(&uncut),
        "as in the table of the documentation"
    );
    assert!(statistics::same_probability(alone(&fixed), TREES, uncut) > 1e-3);
    let budget = Budget::minimax(TAU / (POINTS as f64).powf(0.25), 2);
    let growing = leaves(TessellationSettings {
        budget,
        ..settings()
    });
    assert!(statistics::same_probability(alone(&growing), TREES, uncut) > 1e-3);
    let whole = |leaves: Vec<f64>| leaves.into_iter().map(|leaves| leaves as usize);
    assert!(statistics::same_frequencies(whole(fixed.clone()), whole(growing)) > 1e-3);
    let redrawn = leaves(TessellationSettings {
        update: Update::Redraw,
        ..settings()
    });
    let mean = |leaves: &[f64]| leaves.iter().sum::<f64>() / TREES as f64;
    assert!(
        alone(&redrawn) < TREES / 500,
        "{} trees are uncut",
        alone(&redrawn)
    );
    assert!(
        mean(&redrawn) > mean(&fixed) + 1.0,
        "{} leaves",
        mean(&redrawn)
    );
}

/// As printed, each sample has its leaf redrawn from its birth: a tree is uncut if all of these draws cut nothing,
/// those of four points and more.
#[test]
fn redrawing_draws_a_leaf_again_at_every_sample() {
    let budget = 0.05;
    let redrawn = leaves(TessellationSettings {
        update: Update::Redraw,
        budget: Budget::Fixed(budget),
        ..settings()
    });
    let masses: f64 = (4..=POINTS).map(mass).sum();
    let uncut = (-budget * masses).exp();
    assert!((0.2..0.8).contains(&uncut), "{uncut}");
    assert!(statistics::same_probability(alone(&redrawn), TREES, uncut) > 1e-3);
}
