//! A chain of a million inner nodes: walked, checked, cloned, stored, changed and dropped in loops. And walks that are made ahead,
//! in trees on a line.

use forest_core::ndarray::Array2;
use forest_core::registry::Inequality;
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{
    ForestContext, InvariantError, OnlineTree, Regression, SampleId, SampleStore, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::structure::node::{Child, Node, Subtree};
use crate::walks::ahead::Route;
use crate::{CutDistribution, LeafMeans, Side, TessellationSettings, TessellationTree};

/// Thresholds on a line, at the upper of two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line;

fn length(a: &[f32], b: &[f32]) -> f64 {
    f64::from((a[0] - b[0]).abs())
}

impl CutDistribution for Line {
    type Settings = ();
    type Cut = f32;

    fn new(_: usize, (): &()) -> Self {
        Self
    }

    fn side(&self, cut: &f32, x: &[f32]) -> Side {
        if x[0] < *cut { Side::Left } else { Side::Right }
    }

    fn inequality(&self, cut: &f32, inequality: &mut Inequality) {
        inequality.normal = vec![(0, 1.0)];
        inequality.threshold = f64::from(cut.next_down());
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        length(a, b)
    }

    fn draw_between(&mut self, a: &[f32], b: &[f32], _: f64, _: &mut TreeRng) -> Option<f32> {
        Some(a[0].max(b[0]))
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        length(lower, upper)
    }

    fn draw_within(&mut self, _: &[f32], upper: &[f32], _: f64, _: &mut TreeRng) -> Option<f32> {
        Some(upper[0])
    }

    fn check<'a>(
        &self,
        _: usize,
        mut cuts: impl Iterator<Item = &'a f32>,
    ) -> Result<(), InvariantError> {
        let finite = cuts.all(|cut| cut.is_finite());
        InvariantError::require(finite, "cuts", "one is not finite")
    }
}

type Tree = TessellationTree<Line, LeafMeans>;

/// Returns the samples 0, 1, 2, … at these places, with these targets.
fn samples(n: usize) -> SampleStore<Regression> {
    let rows = Array2::from_shape_fn((n, 1), |(row, _)| row as f32);
    let targets: Vec<f64> = (0..n).map(|row| row as f64).collect();
    let schema = Schema::new(1).expect("one feature");
    SampleStore::with_samples(rows.view(), &targets, &schema).expect("finite numbers")
}

/// Returns a chain: each sample parts from those before it, the later the earlier.
fn chain(n: usize) -> Tree {
    let mut tree = Tree::new(1, &());
    tree.structure.links.fit(SampleId::new(n - 1));
    let mut below = Subtree::Sample(SampleId::new(0));
    for index in 1..n {
        let sample = Subtree::Sample(SampleId::new(index));
        let node = Node::new(1.0 / index as f64, index as f32, Side::Right, sample, below);
        below = Subtree::Inner(tree.structure.nodes.insert(node));
    }
    tree.structure.root = Some(Child::from(below));
    let structure = &mut tree.structure;
    (structure.held, structure.budget) = (n, 2.0);
    tree
}

#[test]
fn a_chain_of_a_million_nodes_needs_no_stack() {
    let n = 1_000_000;
    let (mut tree, samples, settings) = (chain(n), samples(n), TessellationSettings::default());
    let context = ForestContext {
        settings: &settings,
        samples: &samples,
        outputs: (),
    };
    assert_eq!(tree.path(&[0.0]).map(Iterator::count), Some(n - 1));
    let copy = tree.clone();
    let bytes = encode_value(&copy).expect("memory");
    drop(copy);
    let loaded: Tree = decode_value(&bytes).expect("what was stored");
    assert_eq!(loaded, tree);
    let mut rng = TreeRng::new(1, 0);
    tree.forget(SampleId::new(0), &context, &mut rng);
    tree.learn(SampleId::new(0), &context, &mut rng);
    let mut prediction = [0.0];
    tree.vote(&[7.0], &context, &mut prediction);
    assert_eq!(prediction, [7.0]);
    assert_eq!(tree.len(), n);
}

/// Every sample whose walk was made ahead would walk the same way now.
fn waiting_routes_are_walks(tree: &mut Tree, samples: &SampleStore<Regression>) {
    let Some(root) = tree.structure.root else {
        return;
    };
    let waiting: Vec<Route> = tree.structure.cache.ahead.waiting().to_vec();
    for route in waiting {
        let mut turns = Vec::new();
        let leaf = tree
            .structure
            .view()
            .note(root, samples.features(route.id), &mut turns);
        assert_eq!((route.leaf, route.turns), (leaf, turns));
    }
}

/// Sees routes that are walked again before a node of too few samples becomes a leaf, or not at all. Exact, after every sample
/// that is learned and every one that is forgotten.
#[test]
fn routes_that_wait_are_walks_of_the_tree_as_it_is() {
    let (n, window, batch) = (3000, 20, 15);
    let mut rng = TreeRng::new(2, 0);
    let rows = Array2::from_shape_simple_fn((n, 1), || rng.below(100) as f32);
    let targets = vec![0.0; n];
    let schema = Schema::new(1).expect("one feature");
    let samples = SampleStore::with_samples(rows.view(), &targets, &schema).expect("finite");
    let settings = TessellationSettings {
        max_uncut: 4,
        ..TessellationSettings::default()
    };
    let context = ForestContext {
        settings: &settings,
        samples: &samples,
        outputs: (),
    };
    let mut tree = Tree::new(1, &());
    for id in 0..n {
        if id % batch == 0 {
            tree.look_ahead((id..id + batch).map(SampleId::new), &context);
        }
        tree.learn(SampleId::new(id), &context, &mut rng);
        waiting_routes_are_walks(&mut tree, &samples);
        if let Some(oldest) = id.checked_sub(window) {
            tree.forget(SampleId::new(oldest), &context, &mut rng);
            waiting_routes_are_walks(&mut tree, &samples);
        }
    }
}

#[test]
fn a_chain_keeps_the_invariants() {
    let n = 2000;
    let (tree, samples, settings) = (chain(n), samples(n), TessellationSettings::default());
    let context = ForestContext {
        settings: &settings,
        samples: &samples,
        outputs: (),
    };
    tree.check_against(&context).expect("a chain is a tree");
}
