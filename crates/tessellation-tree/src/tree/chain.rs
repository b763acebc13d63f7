//! A chain of a million inner nodes: walked, checked, cloned, stored, changed and dropped in loops.

use forest_core::ndarray::Array2;
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{
    ForestContext, Inequality, InvariantError, OnlineTree, Regression, SampleId, SampleStore,
    Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::structure::node::{Child, Node, NodeId, Subtree};
use crate::{
    CutDistribution, CutSettings, LeafMeans, Side, TessellationSettings, TessellationTree,
};

/// Thresholds on a line, at the upper of two points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line;

fn length(a: &[f32], b: &[f32]) -> f64 {
    f64::from((a[0] - b[0]).abs())
}

impl CutDistribution for Line {
    type Cut = f32;

    fn new(_: usize, _: &CutSettings) -> Self {
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

    fn draw_between(&mut self, [a, b]: [&[f32]; 2], _: f64, _: &mut TreeRng) -> Option<f32> {
        Some(a[0].max(b[0]))
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        length(lower, upper)
    }

    fn draw_within(&mut self, ends: [&[f32]; 2], _: f64, _: &mut TreeRng) -> Option<f32> {
        Some(ends[1][0])
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
    let mut tree = Tree::new(1, &CutSettings::default());
    tree.structure.links.fit(SampleId::new(n - 1));
    let mut below = Subtree::Sample(SampleId::new(0));
    for index in 1..n {
        let sample = Subtree::Sample(SampleId::new(index));
        let node = Node::new(1.0 / index as f64, index as f32, Side::Right, sample, below);
        below = Subtree::Inner(NodeId(tree.structure.nodes.insert(node)));
    }
    tree.structure.root = Some(Child::from(below));
    let structure = &mut tree.structure;
    structure.held = n;
    structure.budget = 2.0;
    tree
}

#[test]
fn a_chain_of_a_million_nodes_needs_no_stack() {
    let n = 1_000_000;
    let mut tree = chain(n);
    let samples = samples(n);
    let settings = TessellationSettings::default();
    let context = ForestContext {
        settings: &settings,
        samples: &samples,
        outputs: (),
    };
    assert_eq!(tree.with_path(&[0.0], |path| path.steps.len()), Some(n - 1));
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
    assert_eq!((prediction, tree.len()), ([7.0], n));
    // Costs a walk for every sample.
    let context = ForestContext {
        samples: &self::samples(2000),
        ..context
    };
    let short = chain(2000);
    short.check_against(&context).expect("a chain is a tree");
}
