//! Random lines in the plane, under the measure that motions leave as it is.

use forest_core::TreeRng;

use crate::plane::{Point, along, difference, direction, dot, left_of, norm};

/// The line through `point` at a right angle to `normal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) point: Point,
    /// Of length 1.
    pub(crate) normal: Point,
}

impl Line {
    /// A line that hits the polygon with these `edges`, whose lengths sum to `perimeter`; all such
    /// lines alike. Replaces the direction and the offset of Alg. 5, lines 5 and 6.
    ///
    /// In the place s where it enters and the angle ψ at which it does, the measure of lines is
    /// sin ψ ds dψ, and every line meets the boundary twice: so s is uniform on the boundary and
    /// cos ψ, the part of the normal that is across the edge, on (−1, 1).
    pub(crate) fn hitting(
        edges: impl Iterator<Item = (Point, Point)>,
        perimeter: f64,
        rng: &mut TreeRng,
    ) -> Option<Self> {
        let weighed = edges.map(|(a, b)| ((a, b), norm(difference(b, a))));
        let (a, b) = pick(weighed, rng.uniform() * perimeter)?;
        let point = along(a, difference(b, a), rng.uniform());
        let normal = turned(direction(a, b), 1.0 - 2.0 * rng.uniform());
        Some(Self { point, normal })
    }

    /// A line that separates `x` from the polygon of which it sees the chain of `corners`, from one
    /// tangent point to the other counter-clockwise; all such lines alike. The normal points to
    /// `x`. Replaces Alg. 6.
    pub(crate) fn separating(corners: &[Point], x: Point, rng: &mut TreeRng) -> Option<Self> {
        let mass = pieces(corners, x).map(Piece::mass).sum::<f64>();
        let weighed = pieces(corners, x).map(|piece| (piece, piece.mass()));
        let Piece {
            reach,
            corner,
            before,
            after,
        } = pick(weighed, rng.uniform() * mass)?;
        let ray = direction([0.0; 2], reach);
        let (low, high) = (-dot(before, ray), -dot(after, ray));
        let normal = turned(ray, low + rng.uniform() * (high - low));
        Some(Self {
            point: along(corner, reach, rng.uniform()),
            normal,
        })
    }
}

/// The separating lines that a polygon, moved out towards `x`, meets last at one corner.
///
/// Their normals n lie between the normals of the edges `before` and `after` the corner, those of
/// the hull with `x` at the ends of the chain, and have density ⟨x − corner, n⟩. With β the angle
/// from `reach` to n that is |reach|·cos β, so the sine of β is uniform.
#[derive(Clone, Copy)]
struct Piece {
    corner: Point,
    /// From the corner to `x`.
    reach: Point,
    /// Direction of the edge before the corner, counter-clockwise; likewise after.
    before: Point,
    after: Point,
}

impl Piece {
    /// |reach|·(sin β₂ − sin β₁). Over all pieces it adds up to the growth of the perimeter.
    fn mass(self) -> f64 {
        dot(self.reach, difference(self.before, self.after)).max(0.0)
    }
}

fn pieces(corners: &[Point], x: Point) -> impl Iterator<Item = Piece> {
    let neighbour = |index: Option<usize>| index.and_then(|index| corners.get(index)).copied();
    corners.iter().enumerate().map(move |(index, &corner)| {
        let reach = difference(x, corner);
        let before = neighbour(index.checked_sub(1))
            .map_or_else(|| direction(corner, x), |last| direction(last, corner));
        let after = neighbour(index.checked_add(1))
            .map_or_else(|| direction(x, corner), |next| direction(corner, next));
        Piece {
            corner,
            reach,
            before,
            after,
        }
    })
}

/// `a` turned to the left by the angle, between −90° and 90°, with this sine.
fn turned(a: Point, sine: f64) -> Point {
    let sine = sine.clamp(-1.0, 1.0);
    let cosine = (1.0 - sine * sine).sqrt();
    along([cosine * a[0], cosine * a[1]], left_of(a), sine)
}

/// The item in whose stretch `place` falls when all are laid end to end; rounding at the far end
/// gives the last one that has any length.
pub(crate) fn pick<T>(weighed: impl Iterator<Item = (T, f64)>, mut place: f64) -> Option<T> {
    let mut chosen = None;
    for (item, weight) in weighed.filter(|(_, weight)| *weight > 0.0) {
        chosen = Some(item);
        if place < weight {
            break;
        }
        place -= weight;
    }
    chosen
}

#[cfg(test)]
mod tests;
