//! Depth differences between two pixels: the features of the paper's Kinect experiment.

use forest_core::{SettingError, TreeRng};
use serde::{Deserialize, Serialize};

use super::FeatureSpace;

/// Differences of depth between two pixels near the one that is classified (section 5.3, after
/// Shotton et al. 2011).
///
/// A point is a square window of depths, row after row, centred on the pixel `P` to be classified;
/// its side is odd. A feature is a pair of offsets `u`, `v`; its value at `P` is
/// `depth(P + u / depth(P)) − depth(P + v / depth(P))`, so that it follows a body that comes nearer.
/// Offsets are drawn from a Gaussian around `P`; those that lead out of the window read its nearest
/// border pixel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PixelPairs {
    /// Variance of each coordinate of an offset, in pixels² at depth 1 (the paper: 75).
    pub variance: f64,
}

impl Default for PixelPairs {
    fn default() -> Self {
        Self { variance: 75.0 }
    }
}

/// Two offsets, each across and down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PixelPair {
    u: [f32; 2],
    v: [f32; 2],
}

impl FeatureSpace for PixelPairs {
    type Feature = PixelPair;

    fn check(&self, width: usize) -> Result<(), SettingError> {
        let side = width.isqrt();
        let (window, rule) = (
            side * side == width && !side.is_multiple_of(2),
            "must be the square of an odd number: a window around a pixel",
        );
        SettingError::require(window, "features", rule, width)?;
        let (variance, rule) = (self.variance, "must be finite and above 0");
        SettingError::require(
            variance.is_finite() && variance > 0.0,
            "variance",
            rule,
            variance,
        )
    }

    /// There are as many pairs as numbers: two equal ones do not occur.
    fn draw(&self, count: usize, _: usize, rng: &mut TreeRng) -> Vec<PixelPair> {
        let deviation = self.variance.sqrt();
        let mut offset = || [rng.normal(), rng.normal()].map(|z| (z * deviation) as f32);
        let pair = |_| PixelPair {
            u: offset(),
            v: offset(),
        };
        (0..count).map(pair).collect()
    }

    #[inline]
    fn value(&self, feature: PixelPair, point: &[f32]) -> f32 {
        // Exact: `check` has required a square.
        let side = point.len().isqrt();
        // The side is odd, so the middle of the array is the centre of the window.
        let depth = point[point.len() / 2];
        let [a, b] = [feature.u, feature.v].map(|offset| probe(point, side, depth, offset));
        a - b
    }

    fn contains(&self, feature: PixelPair, _: usize) -> bool {
        let mut offsets = feature.u.into_iter().chain(feature.v);
        offsets.all(f32::is_finite)
    }
}

/// Returns the depth at `offset / depth` from the centre of a window `side` pixels wide.
#[inline]
fn probe(window: &[f32], side: usize, depth: f32, offset: [f32; 2]) -> f32 {
    let (centre, last) = ((side / 2) as f32, (side - 1) as f32);
    // Where the depth is 0 the quotient may be NaN: `max` then returns 0, the border.
    let place = |by: f32| (centre + (by / depth).round()).max(0.0).min(last) as usize;
    window[place(offset[1]) * side + place(offset[0])]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: PixelPairs = PixelPairs { variance: 4.0 };

    /// Returns a 5×5 window whose pixel in column x and row y has depth 10·y + x + 1, the centre `depth`.
    fn window(depth: f32) -> Vec<f32> {
        let mut pixels: Vec<f32> = (0..25).map(|i| (10 * (i / 5) + i % 5 + 1) as f32).collect();
        pixels[12] = depth;
        pixels
    }

    fn pair(u: [f32; 2], v: [f32; 2]) -> PixelPair {
        PixelPair { u, v }
    }

    #[test]
    fn offsets_shrink_with_depth_and_stop_at_the_border() {
        let feature = pair([2.0, -2.0], [0.0, 4.0]);
        assert_eq!(SPACE.value(feature, &window(1.0)), 5.0 - 43.0);
        assert_eq!(SPACE.value(feature, &window(2.0)), 14.0 - 43.0);
        assert_eq!(SPACE.value(feature, &window(4.0)), 14.0 - 33.0);
    }

    /// A difference of two depths does not depend on where the centre is.
    #[test]
    fn offsets_count_from_the_centre() {
        let at = |offset| probe(&window(1.0), 5, 1.0, offset);
        assert_eq!(
            [at([0.0, 0.0]), at([2.0, -2.0]), at([-1.0, 1.0])],
            [1.0, 5.0, 32.0]
        );
    }

    #[test]
    fn offsets_are_finite() {
        let contains = |u, v| SPACE.contains(pair(u, v), 25);
        assert!(contains([0.0, -9.0], [f32::MAX, 1.0]));
        assert!(!contains([0.0, f32::NAN], [0.0, 0.0]));
        assert!(!contains([0.0, 0.0], [f32::INFINITY, 0.0]));
    }

    #[test]
    fn odd_depths_are_predicted() {
        let still = pair([0.0, 0.0], [1.0, 1.0]);
        for depth in [0.0, -1.0, f32::MAX, f32::MIN_POSITIVE] {
            assert!(!SPACE.value(still, &window(depth)).is_nan());
        }
    }

    #[test]
    fn offsets_have_the_stated_variance() {
        let pairs = SPACE.draw(20_000, 25, &mut TreeRng::new(3, 0));
        let across = pairs.iter().flat_map(|pair| [pair.u[0], pair.v[1]]);
        let squares = across.map(|z| f64::from(z).powi(2)).sum::<f64>() / 40_000.0;
        // The mean of 40 000 squares has deviation 4·√(2/40 000): five of them.
        assert!((squares - 4.0).abs() < 5.0 * 0.0283, "{squares}");
    }

    #[test]
    fn points_are_windows() {
        for (width, accepted) in [(1, true), (9, true), (16, false), (24, false), (25, true)] {
            assert_eq!(SPACE.check(width).is_ok(), accepted, "{width}");
        }
        assert!(PixelPairs { variance: 0.0 }.check(25).is_err());
    }
}
