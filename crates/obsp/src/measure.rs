//! The pair measure: masses of a node and of what a point adds to it, and cuts drawn from both.

use serde::{Deserialize, Serialize};
use tessellation_tree::planar::{HalfPlane, Planar};
use tessellation_tree::{Chance, CutMeasure, NodeId, Side, Span};

use crate::contact::{Contact, Sight};
use crate::cut::PairCut;
use crate::few::Triangle;
use crate::line::{Line, pick};
use crate::pairs::{Axes, PairSettings};
use crate::plane::{Point, Vertex, wide};
use crate::polygon::Polygon;
use crate::summaries::Summaries;

/// Cuts oblique in a pair of axes, Λ(S) = s·Σ_{i<j} ω_ij·L(conv of S projected on (i, j)).
///
/// A node of more than three points keeps one convex hull a pair, `O(d²)` of them; vertices are
/// coordinates of points, so `f32` holds them exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMeasure {
    pub(crate) features: usize,
    pub(crate) summaries: Summaries,
    #[serde(skip)]
    contact: Contact,
}

/// So often is a cut drawn anew that floating point cannot realise, before it counts as none. One
/// that fails is as rare as an angle within 10⁻⁷ of an edge, but for points that floating point
/// hardly tells apart.
const TRIES: usize = 16;

impl PairMeasure {
    /// Λ(S) of a node.
    pub fn mass(&self, node: NodeId) -> f64 {
        self.summaries.mass(node)
    }

    /// ΔΛ of a node and a point.
    pub fn growth(&self, node: NodeId, x: &[f32]) -> f64 {
        let mut contact = Contact::default();
        contact.look(&self.summaries, node, x);
        contact.mass()
    }

    /// The pairs of axes, in the order of their numbers.
    pub fn pairs(&self) -> impl Iterator<Item = Axes> {
        self.summaries.pairs.iter().map(|pair| pair.axes)
    }

    /// The hull of a node's points as the pair number `pair` sees them: its vertices
    /// counter-clockwise, from the leftmost.
    pub fn polygon(&self, node: NodeId, pair: usize) -> Vec<[f32; 2]> {
        let mut triangle = Triangle::default();
        self.summaries
            .polygon(node, pair, &mut triangle)
            .vertices
            .to_vec()
    }

    /// The length of that hull's boundary; a segment counts twice.
    pub fn perimeter(&self, node: NodeId, pair: usize) -> f64 {
        self.summaries.perimeter(node, pair)
    }

    /// A cut of mass Λ restricted to those that hit the hulls of `node`.
    fn draw_hitting(&self, node: NodeId, mass: f64, chance: &mut Chance<'_>) -> Option<PairCut> {
        let rng = chance.rng();
        let pair = pick(self.summaries.pair_masses(node), rng.uniform() * mass)?;
        let mut triangle = Triangle::default();
        let polygon = self.summaries.polygon(node, pair, &mut triangle);
        let line = Line::hitting(edges(polygon), polygon.perimeter(), rng)?;
        let cut = PairCut::new(self.summaries.pairs[pair].axes, line);
        cut.splits(polygon.vertices).then_some(cut)
    }

    /// A cut of mass Λ restricted to those that separate the point in contact from `node`.
    fn draw_separating(
        &self,
        node: NodeId,
        x: &[f32],
        mass: f64,
        chance: &mut Chance<'_>,
    ) -> Option<PairCut> {
        let rng = chance.rng();
        let sights = self.contact.sights().iter();
        let weighed = sights.map(|sight| (sight, sight.mass));
        let &Sight { pair, chain, .. } = pick(weighed, rng.uniform() * mass)?;
        let mut triangle = Triangle::default();
        let polygon = self.summaries.polygon(node, pair, &mut triangle);
        let axes = self.summaries.pairs[pair].axes;
        let (x, corners) = (axes.project(x), polygon.along(chain).map(wide));
        let line = Line::separating(&corners.collect::<Vec<_>>(), wide(x), rng)?;
        let cut = PairCut::new(axes, line);
        cut.separates(x, polygon.vertices).then_some(cut)
    }
}

fn edges(polygon: Polygon<'_>) -> impl Iterator<Item = (Point, Point)> {
    let corner = move |index| wide(polygon.vertex(index));
    (0..polygon.vertices.len()).map(move |index| (corner(index), corner(index + 1)))
}

impl CutMeasure for PairMeasure {
    type Settings = PairSettings;
    type Cut = PairCut;

    fn new(features: usize, settings: &PairSettings) -> Self {
        Self {
            features,
            summaries: Summaries::new(features, settings),
            contact: Contact::default(),
        }
    }

    fn push_empty(&mut self) {
        self.summaries.push_empty();
    }

    fn push_copy(&mut self, node: NodeId) {
        let copy = NodeId::new(self.summaries.nodes.len());
        self.summaries.push_copy(node);
        self.contact.follow(node, copy);
    }

    #[inline]
    fn approach(&mut self, path: impl Iterator<Item = NodeId>, x: &[f32]) {
        self.contact.approach(&self.summaries, path, x);
    }

    #[inline]
    fn extend(&mut self, node: NodeId, x: &[f32]) {
        if !self.contact.is_at(node, x) {
            if self.summaries.keep(node, x) {
                return self.contact.forget();
            }
            self.contact.look_aside(&self.summaries, node, x);
        }
        self.summaries.extend(node, x, self.contact.sights());
        self.contact.pass();
    }

    fn first_hitting(
        &self,
        node: NodeId,
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        let mass = self.mass(node);
        let time = chance.first(mass, span)?;
        let cut = (0..TRIES).find_map(|_| self.draw_hitting(node, mass, chance))?;
        Some((time, cut))
    }

    #[inline]
    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        self.contact.look(&self.summaries, node, x);
        let mass = self.contact.mass();
        let time = chance.first(mass, span)?;
        let cut = (0..TRIES).find_map(|_| self.draw_separating(node, x, mass, chance))?;
        Some((time, cut))
    }

    #[inline]
    fn side(cut: &PairCut, x: &[f32]) -> Side {
        cut.side(x)
    }

    fn bytes(&self) -> usize {
        self.summaries.bytes()
    }

    fn is_shaped(&self, nodes: usize, features: usize) -> bool {
        self.features == features && self.summaries.is_shaped(nodes, features)
    }

    fn is_cut(&self, cut: &PairCut) -> bool {
        cut.is_sound(self.features)
    }

    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool {
        self.summaries.is_hull_of(node, points)
    }

    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        self.summaries.is_union(node, one, other)
    }

    fn is_beside(&self, cut: &PairCut, node: NodeId, side: Side) -> bool {
        let on_side = |v: &Vertex| cut.side_of(*v) == side;
        let pair = self.pairs().position(|axes| axes == cut.axes);
        pair.is_some_and(|pair| self.polygon(node, pair).iter().all(on_side))
    }
}

/// Points of two features have one pair of axes, the plane itself.
impl Planar for PairMeasure {
    fn half_plane(cut: &PairCut) -> HalfPlane {
        let normal = cut.normal.map(f64::from);
        HalfPlane {
            point: cut.point,
            normal,
        }
    }

    fn outline(&self, node: NodeId) -> Vec<Point> {
        let corners = self.polygon(node, 0).into_iter();
        corners.map(|corner| corner.map(f64::from)).collect()
    }
}
