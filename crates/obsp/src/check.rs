//! What must hold of summaries, whoever wrote them.

use tessellation_tree::NodeId;

use crate::pairs::{Axes, Pair, pairs};
use crate::plane::Vertex;
use crate::shape::Shape;
use crate::summaries::{Summaries, Summary};
use crate::triangle::Triangle;

/// A mass, grown piece by piece, may be off by so much of itself.
const TOLERANCE: f64 = 1e-9;

impl Summaries {
    /// Whether arrays are as long as they must be, and whatever has a place has one of its own.
    pub(crate) fn is_shaped(&self, nodes: usize, features: usize) -> bool {
        let handful = |summary: &Summary| match *summary {
            Summary::Few(handful) => Some(handful),
            Summary::Row(_) => None,
        };
        self.are_all_pairs(features)
            && self.nodes.len() == nodes
            && self
                .few
                .is_shared_by(features, self.nodes.iter().filter_map(handful))
            && self.has_its_rows()
            && self.hulls.is_shaped()
    }

    fn are_all_pairs(&self, features: usize) -> bool {
        let rated = self.pairs.iter().all(|pair| pair.rate >= 0.0);
        let axes = self.pairs.iter().map(|pair| pair.axes);
        self.pairs.len() == pairs(features) && rated && axes.eq(Axes::all(features))
    }

    /// Rows of hulls are numbered as many as there are, each used once.
    fn has_its_rows(&self) -> bool {
        let row = |summary: &Summary| match *summary {
            Summary::Row(row) => Some(row as usize),
            Summary::Few(_) => None,
        };
        let mut rows: Vec<usize> = self.nodes.iter().filter_map(row).collect();
        rows.sort_unstable();
        rows.iter().copied().eq(0..rows.len())
            && self.masses.len() == rows.len()
            && self.hulls.len() == rows.len() * self.pairs.len()
    }

    /// Whether a node's hulls are exactly those of `points`, and its mass right.
    pub(crate) fn is_hull_of<'a>(
        &self,
        node: NodeId,
        points: impl Iterator<Item = &'a [f32]>,
    ) -> bool {
        let points: Vec<_> = points.collect();
        let mut pairs = self.pairs.iter().enumerate();
        self.is_weighed(node)
            && pairs.all(|(number, Pair { axes, .. })| {
                self.is_outline_of(node, number, points.iter().map(|x| axes.project(x)))
            })
    }

    /// Whether a node's hulls are exactly those of two others together, and its mass right.
    pub(crate) fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        let mut pairs = 0..self.pairs.len();
        self.is_weighed(node)
            && pairs.all(|pair| {
                let [mut a, mut b] = Default::default();
                let (one, other) = (
                    self.polygon(one, pair, &mut a),
                    self.polygon(other, pair, &mut b),
                );
                let vertices = one.vertices.iter().chain(other.vertices);
                self.is_outline_of(node, pair, vertices.copied())
            })
    }

    fn is_outline_of(
        &self,
        node: NodeId,
        pair: usize,
        vertices: impl Iterator<Item = Vertex>,
    ) -> bool {
        let (fresh, shape) = outline(vertices);
        self.polygon(node, pair, &mut Triangle::default()) == shape.of(&fresh)
    }

    /// Whether Λ(S) is what the hulls of the node make it.
    fn is_weighed(&self, node: NodeId) -> bool {
        let fresh: f64 = self.pair_masses(node).map(|(_, mass)| mass).sum();
        let kept = self.mass(node);
        kept == fresh || (kept - fresh).abs() <= TOLERANCE * fresh
    }
}

/// The hull of `vertices`.
fn outline(mut vertices: impl Iterator<Item = Vertex>) -> (Vec<Vertex>, Shape) {
    let Some(first) = vertices.next() else {
        return Default::default();
    };
    let (mut cells, mut shape) = (vec![first], Shape::POINT);
    for x in vertices {
        if let Some(chain) = shape.of(&cells).seen_from(x) {
            cells.resize(shape.len as usize + 1, Vertex::default());
            shape = shape.with(&mut cells, chain, x);
        }
    }
    (cells, shape)
}
