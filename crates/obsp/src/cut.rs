//! A cut, as stored: a line in the plane of a pair of axes.

use serde::{Deserialize, Serialize};
use tessellation_tree::Side;

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
    pub axes: AxisPair,
}

/// Two different axes, the smaller first.
///
/// A single feature is paired with an axis 1 on which every point is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisPair(pub u32, pub u32);

impl AxisPair {
    /// Returns the two coordinates of a point.
    #[inline]
    pub(crate) fn project(self, x: &[f32]) -> [f64; 2] {
        let second = x.get(self.1 as usize).copied();
        [x[self.0 as usize], second.unwrap_or(0.0)].map(f64::from)
    }
}

impl PairCut {
    /// Returns the side of a point: on the cut is left.
    #[inline]
    pub(crate) fn side(&self, x: &[f32]) -> Side {
        let v = self.axes.project(x);
        let term = |k: usize| (v[k] - self.point[k]) * f64::from(self.normal[k]);
        if term(0) + term(1) <= 0.0 {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// Returns whether it could be a cut of points with `features` numbers.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let AxisPair(i, j) = self.axes;
        let finite = self.point.iter().all(|c| c.is_finite());
        let length = self.normal.iter().map(|c| c * c).sum::<f32>();
        // `max(2)`: a single feature is paired with an axis that does not exist. 1e-5: a normal is rounded to `f32`.
        i < j && (j as usize) < features.max(2) && finite && (length - 1.0).abs() < 1e-5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(axes: (u32, u32), point: [f64; 2], normal: [f32; 2]) -> PairCut {
        PairCut {
            point,
            normal,
            axes: AxisPair(axes.0, axes.1),
        }
    }

    /// What a snapshot may hold is what cuts are drawn as; the limits themselves included.
    #[test]
    fn axes_of_a_cut_are_two_of_the_features_in_order() {
        let is_sound = |axes, features| cut(axes, [0.5; 2], [0.6, -0.8]).is_sound(features);
        for (axes, features) in [((0, 1), 1), ((0, 1), 2), ((0, 2), 3), ((1, 2), 3)] {
            assert!(is_sound(axes, features), "{axes:?} of {features}");
        }
        for (axes, features) in [
            ((0, 2), 1),
            ((0, 2), 2),
            ((1, 3), 3),
            ((1, 1), 3),
            ((2, 1), 3),
        ] {
            assert!(!is_sound(axes, features), "{axes:?} of {features}");
        }
    }

    #[test]
    fn a_cut_has_a_finite_point_and_a_normal_of_length_one() {
        let is_sound = |point, normal| cut((0, 1), point, normal).is_sound(2);
        assert!(is_sound([f64::MAX, 0.0], [1.0, 0.0]));
        assert!(!is_sound([f64::INFINITY, 0.0], [1.0, 0.0]));
        assert!(!is_sound([0.0, f64::NAN], [1.0, 0.0]));
        for normal in [[0.0, 0.0], [1.0, 0.01], [0.99, 0.0], [f32::NAN, 1.0]] {
            assert!(!is_sound([0.0; 2], normal), "{normal:?}");
        }
    }
}
