//! How far Algorithm 4 as printed strays from the batch law: number of leaves over twelve points
//! in the unit square, s = 1, τ = 0.7, at most three points uncut.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{OnlineLearner, Schema, TreeRng};
use obsp::{BspRegressor, BspSettings, PairSettings, fixed};
use tessellation_tree::laws::statistics;
use tessellation_tree::{Budget, Refine, Update};

const TREES: usize = 40_000;
const TAU: f64 = 0.7;
const POINTS: usize = 12;

fn points() -> Array2<f32> {
    let mut rng = TreeRng::new(4, 0);
    Array2::from_shape_fn((POINTS, 2), |_| rng.uniform() as f32)
}

fn settings() -> BspSettings {
    let measure = PairSettings {
        rate: 1.0,
        ..PairSettings::default()
    };
    BspSettings {
        measure,
        ..fixed(TAU)
    }
}

/// The number of leaves of each tree, and Λ of all points.
fn leaves(settings: BspSettings) -> (Vec<f64>, f64) {
    let mut forest = BspRegressor::new(Schema::new(2).unwrap(), settings, TREES, 1).unwrap();
    let targets = [0.0; POINTS];
    forest.learn(points().view(), &targets).unwrap();
    forest.refine();
    let root = forest
        .trees()
        .next()
        .and_then(|tree| Some(tree.hulls().mass(tree.root()?.id())));
    let count = |tree: &obsp::BspTree<_>| tree.leaves().count() as f64;
    (forest.trees().map(count).collect(), root.unwrap())
}

fn alone(leaves: &[f64]) -> usize {
    leaves.iter().filter(|leaves| **leaves == 1.0).count()
}

#[test]
fn conditional_updates_keep_the_law_and_redrawing_loses_it() {
    let (fixed, mass) = leaves(settings());
    let uncut = (-TAU * mass).exp();
    assert!(
        (0.05..0.25).contains(&uncut),
        "as in the table of the documentation"
    );
    assert!(statistics::same_probability(alone(&fixed), TREES, uncut) > 1e-3);
    let scale = TAU / (POINTS as f64).powf(0.25);
    let budget = Budget::minimax(scale, 2);
    let (growing, _) = leaves(BspSettings {
        budget,
        ..settings()
    });
    assert!(statistics::same_probability(alone(&growing), TREES, uncut) > 1e-3);
    let whole = |leaves: Vec<f64>| leaves.into_iter().map(|leaves| leaves as usize);
    assert!(statistics::same_frequencies(whole(fixed.clone()), whole(growing)) > 1e-3);
    let (redrawn, _) = leaves(BspSettings {
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
