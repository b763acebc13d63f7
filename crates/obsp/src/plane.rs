//! The plane of one pair of axes: exact comparisons in `f32`, lengths and directions in `f64`.

use robust::{Coord, orient2d};

/// A corner of a polygon: two coordinates of a point, exactly as it came.
pub(crate) type Vertex = [f32; 2];

/// A place or a direction in the plane.
///
/// Any two `f32` have a difference and a product of differences well inside the range of `f64`, so
/// lengths need no scaling: 10⁻⁴⁵ squared does not vanish and 10³⁹ squared does not overflow.
pub(crate) type Point = [f64; 2];

pub(crate) fn wide([x, y]: Vertex) -> Point {
    [f64::from(x), f64::from(y)]
}

pub(crate) fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// `start + length·direction`.
pub(crate) fn along(start: Point, direction: Point, length: f64) -> Point {
    [
        start[0] + length * direction[0],
        start[1] + length * direction[1],
    ]
}

/// `a` turned a quarter to the left.
pub(crate) fn left_of(a: Point) -> Point {
    [-a[1], a[0]]
}

pub(crate) fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// The direction from `a` to `b`; zero if they coincide.
pub(crate) fn direction(a: Point, b: Point) -> Point {
    let step = difference(b, a);
    let length = norm(step);
    if length > 0.0 {
        [step[0] / length, step[1] / length]
    } else {
        [0.0, 0.0]
    }
}

#[inline]
pub(crate) fn distance(a: Vertex, b: Vertex) -> f64 {
    norm(difference(wide(a), wide(b)))
}

/// Whether `a` comes before `b` from left to right, and upwards where neither is further right.
#[inline]
pub(crate) fn precedes(a: Vertex, b: Vertex) -> bool {
    a[0] < b[0] || (a[0] == b[0] && a[1] < b[1])
}

/// Positive if `c` lies left of the line from `a` to `b`, negative if right, zero if on it. The
/// sign is exact.
#[inline]
pub(crate) fn turn(a: Vertex, b: Vertex, c: Vertex) -> f64 {
    let coord = |[x, y]: Vertex| Coord { x, y };
    orient2d(coord(a), coord(b), coord(c))
}
