//! Trees in the plane, taken apart for pictures: cells, cuts and hulls as polygons.

use forest_core::registry::Inequality;
use forest_core::{SampleStore, TreeRng};

pub use forest_core::registry::{DrawnNode, Point};

use crate::cuts::waiting_time;
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

/// The points p with ⟨p − `point`, `normal`⟩ ≤ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HalfPlane {
    /// A point of the boundary.
    point: Point,
    /// Away from the half plane.
    normal: Point,
}

impl HalfPlane {
    /// Returns the half plane left of a cut of the plane.
    fn left_of<D: CutDistribution>(cuts: &D, cut: &D::Cut) -> Self {
        let (mut inequality, mut normal) = (Inequality::default(), [0.0; 2]);
        cuts.inequality(cut, &mut inequality);
        for (feature, entry) in inequality.normal {
            normal[feature] = entry;
        }
        let squared: f64 = normal.iter().map(|c| c * c).sum();
        let point = normal.map(|c| c * inequality.threshold / squared);
        Self { point, normal }
    }

    fn before(&self, p: Point) -> f64 {
        (p[0] - self.point[0]) * self.normal[0] + (p[1] - self.point[1]) * self.normal[1]
    }

    fn opposite(self) -> Self {
        let normal = self.normal.map(|c| -c);
        Self { normal, ..self }
    }

    /// Returns the part of a convex polygon that lies in the half plane (Sutherland and Hodgman).
    fn clip(&self, polygon: &[Point]) -> Vec<Point> {
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

    /// Returns where the boundary crosses a convex polygon.
    fn chord(&self, polygon: &[Point]) -> Option<[Point; 2]> {
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

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Returns the nodes in a convex `window`, parents before children, of points of two features.
    pub(crate) fn drawn(&self, window: &[Point], samples: &SampleStore<L::Task>) -> Vec<DrawnNode> {
        let (mut drawn, mut waiting) = (Vec::new(), Vec::new());
        waiting.extend(self.root().map(|root| (root, window.to_vec())));
        while let Some((node, cell)) = waiting.pop() {
            let half = node
                .cut()
                .map(|cut| HalfPlane::left_of(self.cuts(), &cut.hyperplane));
            if let Some(left) = half {
                // The right side first, so that the left one is taken first from the stack.
                for (side, half) in [(Side::Right, left.opposite()), (Side::Left, left)] {
                    waiting.extend(node.child(side).map(|child| (child, half.clip(&cell))));
                }
            }
            let point = |x: &[f32]| [f64::from(x[0]), f64::from(x[1])];
            let points = node.samples().map(|id| point(samples.features(id)));
            drawn.push(DrawnNode {
                is_leaf: half.is_none(),
                hull: convex_hull(points.collect()),
                cut: half.and_then(|half| half.chord(&cell)),
            });
        }
        drawn
    }
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

/// A cell of the process that cuts a window of the plane, whatever points there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its corners, in order.
    pub corners: Vec<Point>,
    /// The time of the cut that made it.
    pub birth: f64,
}

/// Returns the cells into which a convex `window` is cut up to time `budget`.
///
/// Points see the same process: those of one cell are the points of one leaf of
/// [`TessellationTree::batch`], in distribution.
pub fn cells<D: CutDistribution>(
    cuts: &mut D,
    window: &[Point],
    budget: f64,
    rng: &mut TreeRng,
) -> Vec<Cell> {
    let corners = window.to_vec();
    let mut waiting = vec![Cell {
        corners,
        birth: 0.0,
    }];
    let mut cells = Vec::new();
    while let Some(cell) = waiting.pop() {
        match cell.split(cuts, budget, rng) {
            Some(sides) => waiting.extend(sides),
            None => cells.push(cell),
        }
    }
    cells
}

impl Cell {
    /// Both sides of the first cut before `budget`: candidates hit the cell's bounding box.
    fn split<D: CutDistribution>(
        &self,
        cuts: &mut D,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Option<[Self; 2]> {
        let [lower, upper] = self.bounding_box();
        let rate = cuts.rate_within(&lower, &upper);
        let mut birth = self.birth;
        loop {
            birth += waiting_time(rate, rng);
            if birth >= budget {
                return None;
            }
            let cut = cuts.draw_within(&lower, &upper, rate, rng);
            let half = cut.map(|cut| {
                let half = HalfPlane::left_of(cuts, &cut);
                // A cell keeps its half plane, not the cut: its normal is free for the next one.
                cuts.release(&cut);
                half
            });
            let hit = half.filter(|half| half.chord(&self.corners).is_some());
            if let Some(half) = hit {
                let corners = |half: HalfPlane| half.clip(&self.corners);
                return Some(
                    [half, half.opposite()]
                        .map(corners)
                        .map(|corners| Self { corners, birth }),
                );
            }
        }
    }

    fn bounding_box(&self) -> [[f32; 2]; 2] {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            [0, 1].map(|k| self.corners.iter().fold(start, |far, c| pick(far, c[k])) as f32)
        };
        let (low, high) = (
            fold(f64::INFINITY, f64::min),
            fold(f64::NEG_INFINITY, f64::max),
        );
        // Corners are `f64`: the rounded box must contain them.
        [low.map(f32::next_down), high.map(f32::next_up)]
    }
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
    fn a_point_is_before_a_cut_by_its_distance_along_the_normal() {
        let half = HalfPlane {
            point: [0.25, 0.5],
            normal: [0.6, 0.8],
        };
        assert!((half.before([1.25, 2.5]) - 2.2).abs() < 1e-12);
        assert!(half.before([0.25 - 0.8, 0.5 + 0.6]).abs() < 1e-12);
    }

    #[test]
    fn corners_on_a_cut_are_kept_once() {
        let half = HalfPlane {
            point: [0.0, 0.0],
            normal: [1.0, 0.0],
        };
        assert_eq!(half.clip(&SQUARE), [SQUARE[0], SQUARE[3]]);
        assert_eq!(half.opposite().clip(&SQUARE), SQUARE);
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
