//! What a node keeps of its points: a few of them as they are, or a hull a pair of axes.

use forest_core::Arena;
use serde::{Deserialize, Serialize};
use tessellation_tree::NodeId;

use crate::PairSettings;
use crate::contact::Sight;
use crate::few::{FewPoints, Handful};
use crate::pairs::Pair;
use crate::polygon::Polygon;
use crate::store::{HullId, Hulls};
use crate::triangle::Triangle;

/// The summaries of all nodes of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summaries {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) nodes: Arena<Summary>,
    pub(crate) few: FewPoints,
    pub(crate) hulls: Hulls,
    /// Λ(S) of each row of hulls.
    pub(crate) masses: Arena<f64>,
}

/// Where the summary of one node is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Summary {
    Few(Handful),
    /// The number of its row of hulls.
    Row(u32),
}

impl Summaries {
    pub(crate) fn new(features: usize, settings: &PairSettings) -> Self {
        Self {
            pairs: Pair::all(features, settings),
            nodes: Arena::default(),
            few: FewPoints::new(features),
            hulls: Hulls::default(),
            masses: Arena::default(),
        }
    }

    pub(crate) fn push_empty(&mut self) {
        self.nodes.push(Summary::Few(self.few.take()));
    }

    pub(crate) fn push_copy(&mut self, node: NodeId) {
        let copy = match self.nodes[node.index()] {
            Summary::Few(handful) => Summary::Few(self.few.copy(handful)),
            Summary::Row(row) => self.copy_row(row),
        };
        self.nodes.push(copy);
    }

    fn copy_row(&mut self, row: u32) -> Summary {
        for pair in 0..self.pairs.len() {
            self.hulls.push_copy(self.hull(row, pair));
        }
        self.push_row(self.masses[row as usize])
    }

    /// Names the row of the hulls just added.
    fn push_row(&mut self, mass: f64) -> Summary {
        let row = u32::try_from(self.masses.len()).expect("a tree has at most 2³² nodes");
        self.masses.push(mass);
        Summary::Row(row)
    }

    #[inline]
    pub(crate) fn has_hulls(&self, node: NodeId) -> bool {
        matches!(self.nodes[node.index()], Summary::Row(_))
    }

    #[inline]
    pub(crate) fn hull(&self, row: u32, pair: usize) -> HullId {
        HullId(row as usize * self.pairs.len() + pair)
    }

    /// The hull of a node's points as a pair sees them; `triangle` holds it if it has to be made.
    pub(crate) fn polygon<'a>(
        &'a self,
        node: NodeId,
        pair: usize,
        triangle: &'a mut Triangle,
    ) -> Polygon<'a> {
        match self.nodes[node.index()] {
            Summary::Row(row) => self.hulls.polygon(self.hull(row, pair)),
            Summary::Few(handful) => {
                let axes = self.pairs[pair].axes;
                *triangle = Triangle::of(self.few.points(handful).map(|x| axes.project(x)));
                triangle.polygon()
            }
        }
    }

    /// Leaves of the pairs named in `some` those for which `keep` holds.
    #[inline]
    pub(crate) fn each_polygon(
        &self,
        node: NodeId,
        some: &mut Vec<usize>,
        mut keep: impl FnMut(Polygon<'_>, Pair, usize) -> bool,
    ) {
        match self.nodes[node.index()] {
            Summary::Row(row) => some.retain(|&pair| {
                keep(
                    self.hulls.polygon(self.hull(row, pair)),
                    self.pairs[pair],
                    pair,
                )
            }),
            Summary::Few(_) => some.retain(|&pair| {
                keep(
                    self.polygon(node, pair, &mut Triangle::default()),
                    self.pairs[pair],
                    pair,
                )
            }),
        }
    }

    /// L of a node's points as a pair sees them.
    pub(crate) fn perimeter(&self, node: NodeId, pair: usize) -> f64 {
        self.polygon(node, pair, &mut Triangle::default())
            .perimeter()
    }

    /// Every pair with the mass of its cuts that hit the node's points.
    pub(crate) fn pair_masses(&self, node: NodeId) -> impl Iterator<Item = (usize, f64)> {
        let mass = move |(pair, Pair { rate, .. }): (usize, &Pair)| {
            (pair, rate * self.perimeter(node, pair))
        };
        self.pairs.iter().enumerate().map(mass)
    }

    /// Λ(S) of a node.
    pub(crate) fn mass(&self, node: NodeId) -> f64 {
        match self.nodes[node.index()] {
            Summary::Row(row) => self.masses[row as usize],
            Summary::Few(_) => self.pair_masses(node).map(|(_, mass)| mass).sum(),
        }
    }

    /// Keeps `x` among the few points of a node; `false` if the node has, or now gets, hulls.
    pub(crate) fn keep(&mut self, node: NodeId, x: &[f32]) -> bool {
        let Summary::Few(handful) = self.nodes[node.index()] else {
            return false;
        };
        let room = handful.has_room();
        self.nodes[node.index()] = if room {
            Summary::Few(self.few.push(handful, x))
        } else {
            self.open(handful)
        };
        room
    }

    /// Makes the hulls of a few points, and lets go of these.
    fn open(&mut self, handful: Handful) -> Summary {
        let mut mass = 0.0;
        for &Pair { axes, rate } in &self.pairs {
            let triangle = Triangle::of(self.few.points(handful).map(|x| axes.project(x)));
            mass += rate * triangle.polygon().perimeter();
            self.hulls.push(triangle.polygon());
        }
        self.few.give(handful);
        self.push_row(mass)
    }

    /// Takes `x` into the hulls of a node, of which it sees `sights`.
    #[inline]
    pub(crate) fn extend(&mut self, node: NodeId, x: &[f32], sights: &[Sight]) {
        for sight in sights {
            if let Summary::Row(row) = self.nodes[node.index()] {
                self.extend_hull(row, x, sight);
            }
        }
    }

    fn extend_hull(&mut self, row: u32, x: &[f32], &Sight { pair, chain, mass }: &Sight) {
        let (hull, axes) = (self.hull(row, pair), self.pairs[pair].axes);
        self.hulls.extend(hull, axes.project(x), chain);
        self.masses[row as usize] += mass;
    }

    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.nodes.bytes() + size_of_val(self.pairs.as_slice());
        nodes + self.masses.bytes() + self.few.bytes() + self.hulls.bytes()
    }
}
