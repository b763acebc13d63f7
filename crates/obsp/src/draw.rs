//! Cuts drawn from the measure: a pair in proportion to its mass, a line in its plane, and the cut
//! that floating point makes of it.

use tessellation_tree::{Chance, NodeId};

use crate::PairMeasure;
use crate::contact::Sight;
use crate::cut::PairCut;
use crate::line::{Line, pick};
use crate::plane::{Point, wide};
use crate::polygon::Polygon;
use crate::triangle::Triangle;

/// So often is a cut drawn anew that floating point cannot realise, before it counts as none. One
/// that fails is as rare as an angle within 10⁻⁷ of an edge, but for points that floating point
/// hardly tells apart.
const TRIES: usize = 16;

impl PairMeasure {
    /// A cut of Λ restricted to those that hit the hulls of `node`, of which there is this `mass`.
    pub(crate) fn cut_hitting(
        &self,
        node: NodeId,
        mass: f64,
        chance: &mut Chance<'_>,
    ) -> Option<PairCut> {
        (0..TRIES).find_map(|_| self.try_hitting(node, mass, chance))
    }

    /// A cut of Λ restricted to those that separate `x`, which is in contact, from `node`.
    pub(crate) fn cut_separating(
        &self,
        node: NodeId,
        x: &[f32],
        mass: f64,
        chance: &mut Chance<'_>,
    ) -> Option<PairCut> {
        (0..TRIES).find_map(|_| self.try_separating(node, x, mass, chance))
    }

    fn try_hitting(&self, node: NodeId, mass: f64, chance: &mut Chance<'_>) -> Option<PairCut> {
        let rng = chance.rng();
        let pair = pick(self.summaries.pair_masses(node), rng.uniform() * mass)?;
        let mut triangle = Triangle::default();
        let polygon = self.summaries.polygon(node, pair, &mut triangle);
        let line = Line::hitting(edges(polygon), polygon.perimeter(), rng)?;
        let cut = PairCut::new(self.summaries.pairs[pair].axes, line);
        cut.splits(polygon.vertices).then_some(cut)
    }

    fn try_separating(
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
