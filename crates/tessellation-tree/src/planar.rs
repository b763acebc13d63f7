//! Trees in the plane, taken apart for pictures: cells, cuts and hulls as polygons.

use crate::{CutMeasure, LabelModel, NodeId, NodeView, Side, TessellationTree};

/// A point of the plane.
pub type Point = [f64; 2];

/// Measures whose cuts and hulls can be drawn, for points of two features.
pub trait Planar: CutMeasure {
    /// The half plane left of a cut.
    fn half_plane(cut: &Self::Cut) -> HalfPlane;

    /// The corners of a node's hull, counter-clockwise; a single point has one.
    fn outline(&self, node: NodeId) -> Vec<Point>;
}

/// The points p with ⟨p − `point`, `normal`⟩ ≤ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// A point of the boundary.
    pub point: Point,
    /// Away from the half plane.
    pub normal: Point,
}

/// A node as it is drawn.
#[derive(Clone, Debug)]
pub struct Shape<'a, M: CutMeasure, L: LabelModel> {
    /// The node.
    pub node: NodeView<'a, M, L>,
    /// The part of the window that its ancestors' cuts leave to it.
    pub cell: Vec<Point>,
    /// The hull of its points.
    pub hull: Vec<Point>,
    /// Where its cut crosses the cell; `None` for a leaf, or if it misses the window.
    pub cut: Option<[Point; 2]>,
}

impl HalfPlane {
    fn before(&self, p: Point) -> f64 {
        (p[0] - self.point[0]) * self.normal[0] + (p[1] - self.point[1]) * self.normal[1]
    }

    fn opposite(self) -> Self {
        let normal = self.normal.map(|c| -c);
        Self { normal, ..self }
    }

    /// The part of a convex polygon that lies in the half plane (Sutherland and Hodgman).
    pub fn clip(&self, polygon: &[Point]) -> Vec<Point> {
        let next = polygon.iter().cycle().skip(1);
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (&a, &b) in polygon.iter().zip(next) {
            let (at_a, at_b) = (self.before(a), self.before(b));
            if at_a <= 0.0 {
                kept.push(a);
            }
            if (at_a < 0.0 && at_b > 0.0) || (at_a > 0.0 && at_b < 0.0) {
                kept.push(between(a, b, at_a / (at_a - at_b)));
            }
        }
        kept
    }

    /// Where the boundary crosses a convex polygon.
    pub fn chord(&self, polygon: &[Point]) -> Option<[Point; 2]> {
        let next = polygon.iter().cycle().skip(1);
        let mut ends = polygon.iter().zip(next).filter_map(|(&a, &b)| {
            let (at_a, at_b) = (self.before(a), self.before(b));
            ((at_a <= 0.0) != (at_b <= 0.0)).then(|| between(a, b, at_a / (at_a - at_b)))
        });
        Some([ends.next()?, ends.next()?])
    }
}

fn between(a: Point, b: Point, share: f64) -> Point {
    [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
}

impl<M: Planar, L: LabelModel> TessellationTree<M, L> {
    /// All nodes as they are drawn in a convex `window`, parents before children.
    ///
    /// ```text
    /// window ─┬─ cell of the left child
    ///         └─ cell of the right child, and so on down
    /// ```
    pub fn shapes(&self, window: &[Point]) -> impl Iterator<Item = Shape<'_, M, L>> {
        let root = self.root().map(|root| (root, window.to_vec()));
        let mut waiting: Vec<_> = root.into_iter().collect();
        std::iter::from_fn(move || {
            let (node, cell) = waiting.pop()?;
            let half = node.cut().map(|cut| M::half_plane(&cut.hyperplane));
            for (side, half) in half.into_iter().flat_map(both_sides) {
                waiting.extend(node.child(side).map(|child| (child, half.clip(&cell))));
            }
            let cut = half.and_then(|half| half.chord(&cell));
            Some(Shape {
                hull: self.hulls.outline(node.id()),
                node,
                cell,
                cut,
            })
        })
    }
}

/// The right side first, so that the left one is taken first from a stack.
fn both_sides(left: HalfPlane) -> [(Side, HalfPlane); 2] {
    [(Side::Right, left.opposite()), (Side::Left, left)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn area(polygon: &[Point]) -> f64 {
        let next = polygon.iter().cycle().skip(1);
        polygon
            .iter()
            .zip(next)
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
            / 2.0
    }

    #[test]
    fn both_sides_of_a_cut_make_up_the_cell() {
        let half = HalfPlane {
            point: [0.25, 0.5],
            normal: [0.6, 0.8],
        };
        let (left, right) = (half.clip(&SQUARE), half.opposite().clip(&SQUARE));
        assert!((area(&left) + area(&right) - 1.0).abs() < 1e-12);
        assert!(area(&left) > 0.0 && area(&right) > 0.0);
        let [a, b] = half.chord(&SQUARE).unwrap();
        assert!(half.before(a).abs() < 1e-12 && half.before(b).abs() < 1e-12 && a != b);
    }

    #[test]
    fn a_cut_that_misses_leaves_the_cell_whole() {
        let half = HalfPlane {
            point: [2.0, 0.0],
            normal: [1.0, 0.0],
        };
        assert_eq!(half.clip(&SQUARE), SQUARE);
        assert_eq!(half.chord(&SQUARE), None);
        assert!(half.opposite().clip(&SQUARE).is_empty());
    }
}
