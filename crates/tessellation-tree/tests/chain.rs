//! A chain of a million new parents: learned, asked, checked, cloned and dropped in loops.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{Forest, OnlineLearner, Regression, Schema};
use serde::{Deserialize, Serialize};
use tessellation_tree::{
    Chance, CutMeasure, LeafMeans, NodeId, Side, Span, TessellationSettings, TessellationTree,
};

/// Intervals on a line, and a cut between old points and new at once: every arrival beyond the
/// points so far becomes a new root.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Eager(Vec<(f32, f32)>);

impl CutMeasure for Eager {
    type Settings = ();
    type Cut = f32;

    fn new(_: usize, (): &()) -> Self {
        Self(Vec::new())
    }

    fn push_empty(&mut self) {
        self.0.push((f32::INFINITY, f32::NEG_INFINITY));
    }

    fn push_copy(&mut self, node: NodeId) {
        self.0.push(self.0[node.index()]);
    }

    fn extend(&mut self, node: NodeId, x: &[f32]) {
        let (low, high) = &mut self.0[node.index()];
        (*low, *high) = (low.min(x[0]), high.max(x[0]));
    }

    fn first_hitting(&self, _: NodeId, _: Span, _: &mut Chance<'_>) -> Option<(f64, f32)> {
        None
    }

    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        _: &mut Chance<'_>,
    ) -> Option<(f64, f32)> {
        let high = self.0[node.index()].1;
        (x[0] > high && span.until > span.from).then_some((span.from + 1.0 / f64::from(x[0]), high))
    }

    fn side(cut: &f32, x: &[f32]) -> Side {
        if x[0] <= *cut {
            Side::Left
        } else {
            Side::Right
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.0.as_slice())
    }

    fn is_shaped(&self, nodes: usize, _: usize) -> bool {
        self.0.len() == nodes
    }

    fn is_cut(&self, cut: &f32) -> bool {
        cut.is_finite()
    }

    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool {
        let mut fresh = Self::new(1, &());
        fresh.push_empty();
        points.for_each(|x| fresh.extend(NodeId::FIRST, x));
        fresh.0[0] == self.0[node.index()]
    }

    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        let ends = [self.0[one.index()], self.0[other.index()]];
        let ends = ends.map(|(low, high)| [[low], [high]]).concat();
        self.is_hull_of(node, ends.iter().map(|end| &end[..]))
    }

    fn is_beside(&self, cut: &f32, node: NodeId, side: Side) -> bool {
        let (low, high) = self.0[node.index()];
        Self::side(cut, &[low]) == side && Self::side(cut, &[high]) == side
    }
}

#[test]
fn a_chain_of_a_million_parents_needs_no_stack() {
    let n = 1_000_000;
    let rows = Array2::from_shape_fn((n, 1), |(row, _)| (row + 1) as f32);
    let targets: Vec<f64> = (0..n).map(|row| row as f64).collect();
    let schema = Schema::<Regression>::new(1).unwrap();
    let settings = TessellationSettings::default();
    let mut forest =
        Forest::<TessellationTree<Eager, LeafMeans>>::new(schema, settings, 1, 1).unwrap();
    forest.learn(rows.view(), &targets).unwrap();
    let tree = forest.trees().next().unwrap();
    assert_eq!(
        tree.path(&[1.0]).count(),
        n - 1,
        "the first two points share a leaf"
    );
    assert_eq!(forest.predict_one(&[1.0]).unwrap(), [0.5]);
    let copy = forest.clone();
    copy.check_invariants().unwrap();
    let bytes = postcard::to_allocvec(&copy).unwrap();
    drop((copy, forest));
    let loaded: Forest<TessellationTree<Eager, LeafMeans>> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.predict_one(&[7.0]).unwrap(), [6.0]);
}
