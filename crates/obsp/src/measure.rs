//! The pair measure: what the tree asks of it, passed on to summaries, contact and draws.

use serde::{Deserialize, Serialize};
use tessellation_tree::{Chance, CutMeasure, NodeId, Side, Span};

use crate::contact::Contact;
use crate::cut::PairCut;
use crate::pairs::PairSettings;
use crate::plane::Vertex;
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
    pub(crate) contact: Contact,
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
        let cut = self.cut_hitting(node, mass, chance)?;
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
        let cut = self.cut_separating(node, x, mass, chance)?;
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
