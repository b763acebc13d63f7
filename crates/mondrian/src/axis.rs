//! The axis measure: bounding boxes, and cuts across one dimension.

use forest_core::Arena;
use serde::{Deserialize, Serialize};
use tessellation_tree::planar::{HalfPlane, Planar, Point};
use tessellation_tree::{Chance, CutMeasure, NodeId, Side, Span};

/// Axis-aligned cuts, Λ(S) = Σᵢ extentᵢ.
///
/// A box takes 8d bytes: its lower corner, then its upper. Corners are coordinates of points, so
/// `f32` holds them exactly; lengths are computed in `f64`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisMeasure {
    features: usize,
    corners: Arena<f32>,
}

/// All points whose feature `dimension` is at most `threshold` lie left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisCut {
    /// The feature that is cut.
    pub dimension: u32,
    /// The place of the cut, rounded down to what features can tell apart.
    pub threshold: f32,
}

/// A stretch of one dimension on which a cut may fall: from `low` (included) to `high` (not).
#[derive(Clone, Copy)]
struct Gap {
    low: f32,
    high: f32,
}

impl Gap {
    const NONE: Self = Self {
        low: 0.0,
        high: 0.0,
    };

    fn length(self) -> f64 {
        f64::from(self.high) - f64::from(self.low)
    }

    /// The gap between the interval `[low, high]` and `x`.
    fn beyond(low: f32, high: f32, x: f32) -> Self {
        if x > high {
            Self { low: high, high: x }
        } else if x < low {
            Self { low: x, high: low }
        } else {
            Self::NONE
        }
    }

    /// The threshold at `offset` from the low end: rounding down changes no feature's side, and
    /// the result separates `low` from `high` whatever was rounded before.
    fn threshold(self, offset: f64) -> f32 {
        let place = f64::from(self.low) + offset;
        let nearest = place as f32;
        let down = if f64::from(nearest) > place {
            nearest.next_down()
        } else {
            nearest
        };
        down.max(self.low).min(self.high.next_down())
    }
}

/// A cut at a place uniform over all `gaps` laid end to end, whose lengths sum to `total`.
fn draw(gaps: impl Iterator<Item = Gap>, total: f64, chance: &mut Chance<'_>) -> Option<AxisCut> {
    let mut offset = chance.rng().uniform() * total;
    let mut chosen = None;
    for (dimension, gap) in gaps.enumerate().filter(|(_, gap)| gap.low < gap.high) {
        chosen = Some((dimension, gap, offset));
        if offset < gap.length() {
            break;
        }
        offset -= gap.length();
    }
    let (dimension, gap, offset) = chosen?;
    Some(AxisCut {
        dimension: dimension as u32,
        threshold: gap.threshold(offset),
    })
}

impl AxisMeasure {
    /// The lower and the upper corner of a node's box.
    #[inline]
    pub fn corners(&self, node: NodeId) -> (&[f32], &[f32]) {
        let start = 2 * self.features * node.index();
        self.corners[start..][..2 * self.features].split_at(self.features)
    }

    #[inline]
    fn corners_mut(&mut self, node: NodeId) -> (&mut [f32], &mut [f32]) {
        let start = 2 * self.features * node.index();
        self.corners[start..][..2 * self.features].split_at_mut(self.features)
    }

    fn sides(&self, node: NodeId) -> impl Iterator<Item = Gap> {
        let (lower, upper) = self.corners(node);
        lower
            .iter()
            .zip(upper)
            .map(|(&low, &high)| Gap { low, high })
    }

    fn gaps<'a>(&'a self, node: NodeId, x: &'a [f32]) -> impl Iterator<Item = Gap> + 'a {
        let (lower, upper) = self.corners(node);
        let box_and_x = lower.iter().zip(upper).zip(x);
        box_and_x.map(|((&low, &high), &x)| Gap::beyond(low, high, x))
    }

    /// Λ(S) of a node: the summed side lengths of its box.
    pub fn mass(&self, node: NodeId) -> f64 {
        self.sides(node).map(Gap::length).sum()
    }

    /// ΔΛ of a node and a point: how much longer the sides become.
    pub fn growth(&self, node: NodeId, x: &[f32]) -> f64 {
        self.gaps(node, x).map(Gap::length).sum()
    }

    /// Whether `x` lies in the node's box.
    #[inline]
    pub fn contains(&self, node: NodeId, x: &[f32]) -> bool {
        let (lower, upper) = self.corners(node);
        let mut inside = true;
        for ((low, high), x) in lower.iter().zip(upper).zip(x) {
            inside &= (low <= x) & (x <= high);
        }
        inside
    }
}

impl CutMeasure for AxisMeasure {
    type Settings = ();
    type Cut = AxisCut;

    fn new(features: usize, (): &()) -> Self {
        Self {
            features,
            corners: Arena::default(),
        }
    }

    fn push_empty(&mut self) {
        let start = self.corners.len();
        self.corners.resize(start + self.features, f32::INFINITY);
        self.corners
            .resize(start + 2 * self.features, f32::NEG_INFINITY);
    }

    fn push_copy(&mut self, node: NodeId) {
        let start = 2 * self.features * node.index();
        let end = self.corners.len();
        self.corners.resize(end + 2 * self.features, 0.0);
        self.corners
            .copy_within(start..start + 2 * self.features, end);
    }

    #[inline]
    fn extend(&mut self, node: NodeId, x: &[f32]) {
        let (lower, upper) = self.corners_mut(node);
        for ((low, high), &x) in lower.iter_mut().zip(upper).zip(x) {
            *low = low.min(x);
            *high = high.max(x);
        }
    }

    fn first_hitting(
        &self,
        node: NodeId,
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, AxisCut)> {
        let mass = self.mass(node);
        let time = chance.first(mass, span)?;
        Some((time, draw(self.sides(node), mass, chance)?))
    }

    #[inline]
    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, AxisCut)> {
        if self.contains(node, x) {
            return None;
        }
        let growth = self.growth(node, x);
        let time = chance.first(growth, span)?;
        Some((time, draw(self.gaps(node, x), growth, chance)?))
    }

    #[inline]
    fn side(cut: &AxisCut, x: &[f32]) -> Side {
        if x[cut.dimension as usize] <= cut.threshold {
            Side::Left
        } else {
            Side::Right
        }
    }

    fn bytes(&self) -> usize {
        self.corners.bytes()
    }

    fn is_shaped(&self, nodes: usize, features: usize) -> bool {
        let length = features
            .checked_mul(2)
            .and_then(|width| width.checked_mul(nodes));
        self.features == features && length == Some(self.corners.len())
    }

    fn is_cut(&self, cut: &AxisCut) -> bool {
        (cut.dimension as usize) < self.features && cut.threshold.is_finite()
    }

    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool {
        let mut fresh = Self::new(self.features, &());
        fresh.push_empty();
        points.for_each(|x| fresh.extend(NodeId::FIRST, x));
        self.corners(node) == fresh.corners(NodeId::FIRST)
    }

    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        let ((a, b), (c, d)) = (self.corners(one), self.corners(other));
        self.is_hull_of(node, [a, b, c, d].into_iter())
    }

    fn is_beside(&self, cut: &AxisCut, node: NodeId, side: Side) -> bool {
        let (lower, upper) = self.corners(node);
        Self::side(cut, lower) == side && Self::side(cut, upper) == side
    }
}

impl Planar for AxisMeasure {
    fn half_plane(cut: &AxisCut) -> HalfPlane {
        let (mut point, mut normal) = ([0.0; 2], [0.0; 2]);
        point[cut.dimension as usize] = f64::from(cut.threshold);
        normal[cut.dimension as usize] = 1.0;
        HalfPlane { point, normal }
    }

    fn outline(&self, node: NodeId) -> Vec<Point> {
        let (lower, upper) = self.corners(node);
        let corner = |x: f32, y: f32| [f64::from(x), f64::from(y)];
        let (low, high) = ([lower[0], lower[1]], [upper[0], upper[1]]);
        let corners = [
            [low[0], low[1]],
            [high[0], low[1]],
            [high[0], high[1]],
            [low[0], high[1]],
        ];
        corners.map(|[x, y]| corner(x, y)).to_vec()
    }
}
