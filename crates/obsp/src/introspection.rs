//! Looking into the measure: masses, polygons and what is drawn in pictures.

use tessellation_tree::NodeId;
use tessellation_tree::planar::{HalfPlane, Planar, Point};

use crate::PairMeasure;
use crate::contact::Contact;
use crate::cut::PairCut;
use crate::pairs::Axes;
use crate::triangle::Triangle;

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
