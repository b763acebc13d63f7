//! Trees as segments: where each cut crosses its cell.

use online_forests::{ExportedTree, Inequality};

/// A point of the plane.
pub(crate) type Point = [f64; 2];

/// Returns the segments of an exported tree in a convex window, parents before children.
pub(crate) fn of_exported(tree: &ExportedTree, window: &[Point]) -> Vec<[Point; 2]> {
    let (mut segments, mut open) = (Vec::new(), vec![(0, window.to_vec())]);
    while let Some((place, cell)) = open.pop() {
        let Some(node) = tree.nodes.get(place) else {
            continue;
        };
        let (Some(cut), Some([left, right])) = (&node.cut, node.children) else {
            continue;
        };
        let [below, above] = [1.0, -1.0].map(|sign| clip(&cell, cut, sign));
        segments.extend(crossing(&cell, cut));
        open.extend([(right, above), (left, below)]);
    }
    segments
}

/// Returns how far a point is from the cut: negative to its left.
fn distance(cut: &Inequality, point: Point) -> f64 {
    let terms = cut.normal.iter();
    let sum: f64 = terms.map(|&(feature, entry)| entry * point[feature]).sum();
    sum - cut.threshold
}

/// Returns the part of a convex polygon on one side of a cut: its left with `sign` 1, its right with −1.
fn clip(cell: &[Point], cut: &Inequality, sign: f64) -> Vec<Point> {
    let mut clipped = Vec::with_capacity(cell.len() + 1);
    for (from, to) in edges(cell) {
        let [a, b] = [from, to].map(|point| sign * distance(cut, point));
        if a <= 0.0 {
            clipped.push(from);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            clipped.push(between(from, to, a / (a - b)));
        }
    }
    clipped
}

/// Returns where a cut crosses a convex polygon.
fn crossing(cell: &[Point], cut: &Inequality) -> Option<[Point; 2]> {
    let mut crossed = edges(cell).filter_map(|(from, to)| {
        let [a, b] = [from, to].map(|point| distance(cut, point));
        let crosses = (a <= 0.0) != (b <= 0.0);
        crosses.then(|| between(from, to, a / (a - b)))
    });
    Some([crossed.next()?, crossed.next()?])
}

fn edges(cell: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let next = cell.iter().cycle().skip(1);
    cell.iter().copied().zip(next.copied())
}

fn between(from: Point, to: Point, share: f64) -> Point {
    std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
}
