//! A cut, as stored: a line in the plane of a pair of axes.

use serde::{Deserialize, Serialize};
use tessellation_tree::Side;

use crate::line::Line;
use crate::pairs::Axes;
use crate::plane::{Point, Vertex};

/// The hyperplane through `point` at a right angle to `normal`, both in the plane of two axes.
///
/// Points are compared with a point *on* the cut, not with a distance from the origin: where all
/// points share a huge coordinate, its difference is exactly 0 and the other one decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairCut {
    /// Where the cut lies.
    pub point: [f64; 2],
    /// Of length 1 up to rounding; points left of the cut are behind it.
    pub normal: [f32; 2],
    /// The axes it cuts across.
    pub axes: Axes,
}

/// Twice the most that ⟨v − point, normal⟩ may be off by rounding, as a part of the sum of the
/// absolute values of its two terms.
const DOUBT: f64 = 4.0 * f64::EPSILON;

impl PairCut {
    pub(crate) fn new(axes: Axes, Line { point, normal }: Line) -> Self {
        let normal = [normal[0] as f32, normal[1] as f32];
        Self {
            point,
            normal,
            axes,
        }
    }

    /// The two terms of the distance of `v` before the cut.
    #[inline]
    fn terms(&self, v: Vertex) -> Point {
        let term = |k: usize| (f64::from(v[k]) - self.point[k]) * f64::from(self.normal[k]);
        [term(0), term(1)]
    }

    /// The side of a point in the plane of the pair: on the cut is left.
    #[inline]
    pub(crate) fn side_of(&self, v: Vertex) -> Side {
        let [first, second] = self.terms(v);
        if first + second <= 0.0 {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// The side of a point.
    #[inline]
    pub(crate) fn side(&self, x: &[f32]) -> Side {
        self.side_of(self.axes.project(x))
    }

    /// Whether there are `vertices` on both sides.
    pub(crate) fn splits(&self, vertices: &[Vertex]) -> bool {
        let left = vertices
            .iter()
            .filter(|v| self.side_of(**v) == Side::Left)
            .count();
        0 < left && left < vertices.len()
    }

    /// Whether `x` lies on one side and everything between `vertices` on the other: whatever
    /// rounding does to points that are not vertices, none of them changes sides.
    pub(crate) fn separates(&self, x: Vertex, vertices: &[Vertex]) -> bool {
        let side = self.side_of(x).opposite();
        let widest = |k: usize| {
            vertices
                .iter()
                .map(|v| self.terms(*v)[k].abs())
                .fold(0.0, f64::max)
        };
        let doubt = DOUBT * (widest(0) + widest(1));
        vertices.iter().all(|v| {
            let [first, second] = self.terms(*v);
            self.side_of(*v) == side && (first + second).abs() >= doubt
        })
    }

    /// Whether it could be a cut of points with `features` numbers.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let Axes(i, j) = self.axes;
        let finite = self.point.iter().all(|c| c.is_finite());
        let length = self.normal.iter().map(|c| c * c).sum::<f32>();
        i < j && (j as usize) < features.max(2) && finite && (length - 1.0).abs() < 1e-5
    }
}
