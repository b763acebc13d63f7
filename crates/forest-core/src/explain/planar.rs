//! Trees in the plane, taken apart for pictures: cuts as segments, and hulls of points as polygons.

use super::{ExportedTree, Inequality};
use crate::{DrawnNode, Point};

impl ExportedTree {
    /// Returns the nodes of a tree over two features in a convex `window`, in their order, with the hulls of those of `points` that fall
    /// into them.
    pub fn drawn<'a>(
        &self,
        window: &[Point],
        points: impl Iterator<Item = &'a [f32]>,
    ) -> Vec<DrawnNode> {
        let mut inside = vec![Vec::new(); self.nodes.len()];
        for x in points {
            let mut next = Some(0);
            while let Some((place, node)) =
                next.and_then(|place| Some((place, self.nodes.get(place)?)))
            {
                inside[place].push([x[0], x[1]].map(f64::from));
                let below = node.cut.as_ref().zip(node.children);
                next = below.map(|(cut, children)| children[usize::from(!cut.holds(x))]);
            }
        }
        let mut cells = vec![window.to_vec(); self.nodes.len()];
        let mut drawn = Vec::new();
        for ((place, node), points) in self.nodes.iter().enumerate().zip(inside) {
            let cell = std::mem::take(&mut cells[place]);
            if let (Some(cut), Some([left, right])) = (&node.cut, node.children) {
                (cells[left], cells[right]) = (cut.clip(&cell, 1.0), cut.clip(&cell, -1.0));
            }
            drawn.push(DrawnNode {
                is_leaf: node.cut.is_none(),
                hull: convex_hull(points),
                cut: node.cut.as_ref().and_then(|cut| cut.chord(&cell)),
            });
        }
        drawn
    }
}

impl Inequality {
    /// Returns how far a point of the plane is from the cut, in units of its normal: negative to its left.
    fn distance(&self, point: Point) -> f64 {
        let terms = self
            .normal
            .iter()
            .map(|&(feature, entry)| entry * point[feature]);
        terms.sum::<f64>() - self.threshold
    }

    /// Returns the part of a convex polygon on one side of the cut (Sutherland and Hodgman): its left with `sign` 1, its right with −1.
    pub fn clip(&self, polygon: &[Point], sign: f64) -> Vec<Point> {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (from, to) in edges(polygon) {
            let [a, b] = [from, to].map(|point| sign * self.distance(point));
            if a <= 0.0 {
                kept.push(from);
            }
            if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                kept.push(between(from, to, a / (a - b)));
            }
        }
        kept
    }

    /// Returns where the cut crosses a convex polygon.
    pub fn chord(&self, polygon: &[Point]) -> Option<[Point; 2]> {
        let mut ends = edges(polygon).filter_map(|(from, to)| {
            let [a, b] = [from, to].map(|point| self.distance(point));
            ((a <= 0.0) != (b <= 0.0)).then(|| between(from, to, a / (a - b)))
        });
        Some([ends.next()?, ends.next()?])
    }
}

fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().copied().zip(next.copied())
}

fn between(a: Point, b: Point, share: f64) -> Point {
    [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
}

/// Returns the corners of the convex hull, counter-clockwise (Andrew's monotone chain).
pub fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    // Equal points are neighbours after sorting; left in, they would make turns of 0.
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = half_hull(points.iter());
    // The last point of a half is the first of the other.
    hull.pop();
    hull.extend(half_hull(points.iter().rev()));
    hull.pop();
    hull
}

fn half_hull<'a>(points: impl Iterator<Item = &'a Point>) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    for &p in points {
        while let [.., a, b] = hull[..] {
            let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
            if turn > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn area(polygon: &[Point]) -> f64 {
        edges(polygon)
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
            / 2.0
    }

    fn cut(normal: [f64; 2], threshold: f64) -> Inequality {
        let normal = normal.into_iter().enumerate().collect();
        Inequality { normal, threshold }
    }

    #[test]
    fn a_cut_divides_a_cell_or_misses_it() {
        let across = cut([0.6, 0.8], 0.55);
        let sides = [1.0, -1.0].map(|sign| area(&across.clip(&SQUARE, sign)));
        assert!((sides[0] + sides[1] - 1.0).abs() < 1e-12 && sides[0] > 0.0 && sides[1] > 0.0);
        let [a, b] = across.chord(&SQUARE).expect("it crosses the square");
        assert!(across.distance(a).abs() < 1e-12 && across.distance(b).abs() < 1e-12 && a != b);
        let edge = cut([1.0, 0.0], 0.0);
        assert_eq!(edge.clip(&SQUARE, 1.0), [SQUARE[0], SQUARE[3]]);
        assert_eq!(edge.clip(&SQUARE, -1.0), SQUARE);
        let beyond = cut([1.0, 0.0], 2.0);
        assert_eq!(
            (beyond.clip(&SQUARE, 1.0), beyond.chord(&SQUARE)),
            (SQUARE.to_vec(), None)
        );
        assert!(beyond.clip(&SQUARE, -1.0).is_empty());
    }

    #[test]
    fn a_hull_has_the_corners_alone() {
        let inside = [
            [0.5, 0.25],
            [0.5, 0.0],
            [1.0, 0.75],
            [0.25, 1.0],
            [0.0, 0.5],
        ];
        let mut points = [SQUARE.to_vec(), inside.to_vec(), SQUARE.to_vec()].concat();
        assert_eq!(convex_hull(points.clone()), SQUARE);
        points.reverse();
        assert_eq!(convex_hull(points), SQUARE);
        let line = [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]];
        assert_eq!(convex_hull(line.to_vec()), [line[0], line[2]]);
        assert_eq!(convex_hull(vec![line[1]]), [line[1]]);
    }
}
