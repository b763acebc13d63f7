//! The angle between points, as seen from the origin.

use super::{Metric, lanes};

/// One minus the cosine of the angle: 0 for the same direction, 1 for a right angle, 2 for opposite
/// ones.
///
/// The origin has no direction: it is at distance 0 from itself and 1 from everything else. Points
/// of the same direction but different length count as equal, up to the rounding of their norms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cosine;

impl Metric for Cosine {
    #[inline]
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        let [xx, yy, xy] = [(x, x), (y, y), (x, y)].map(|(x, y)| lanes::sum(x, y, |a, b| a * b));
        match (xx == 0.0, yy == 0.0) {
            (true, true) => 0.0,
            (true, false) | (false, true) => 1.0,
            // The square root of a square is exact: a point is at distance 0 from itself.
            (false, false) => (1.0 - xy / (xx * yy).sqrt()).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_count_and_lengths_do_not() {
        let distance = |x: [f32; 2], y: [f32; 2]| Cosine::distance(Cosine::proxy(&x, &y));
        assert_eq!(distance([1.0, 0.0], [0.0, 3.0]), 1.0);
        assert_eq!(distance([1.0, 2.0], [-2.0, -4.0]), 2.0);
        assert!(distance([1.0, 2.0], [3.0, 6.0]) < 1e-15);
        assert_eq!(distance([0.0, 0.0], [0.0, 0.0]), 0.0);
        assert_eq!(distance([0.0, 0.0], [5.0, 1.0]), 1.0);
    }

    #[test]
    fn a_point_is_at_distance_zero_from_itself() {
        for scale in [1e-40f32, 1e-20, 0.3, 7.0, 1e30] {
            let x: Vec<f32> = (1..30).map(|i| (i as f32).sin() * scale).collect();
            assert_eq!(Cosine::proxy(&x, &x), 0.0, "{scale}");
        }
    }
}
