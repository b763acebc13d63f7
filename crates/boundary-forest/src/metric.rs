//! How far two points are apart: the paper's `d`.

use serde::{Deserialize, Serialize};

/// The metric for comparing positions, the paper's `d(x, y)`.
///
/// What a walk compares are *proxies*: numbers that are ordered like the distance and cheaper to compute. Differences,
/// squares and sums are `f64`: so a proxy is zero only for equal points and finite for all finite ones; multiplying all
/// features by a power of two gives the same tree; and distances of points of whole numbers are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Metric {
    /// The straight line, which the paper uses throughout; its proxy is the squared distance.
    #[default]
    Euclidean,
    /// Its square: the trees of [`Metric::Euclidean`], with weights 1/d² in the prediction.
    SquaredEuclidean,
    /// The sum of the absolute differences.
    Manhattan,
    /// One minus the cosine of the angle: 0 for the same direction, 1 for a right angle, 2 for opposite ones.
    ///
    /// The origin has no direction: it is at distance 0 from itself and 1 from everything else. Points of the same
    /// direction but different length count as equal, up to the rounding of their norms.
    Cosine,
}

/// The word for each metric, as names of algorithms have it.
pub const METRICS: [(&str, Metric); 4] = [
    ("euclidean", Metric::Euclidean),
    ("squared-euclidean", Metric::SquaredEuclidean),
    ("manhattan", Metric::Manhattan),
    ("cosine", Metric::Cosine),
];

impl Metric {
    /// Returns the distance of two points of the same width.
    pub fn distance(self, x: &[f32], y: &[f32]) -> f64 {
        self.of_proxy(self.proxy(x, y))
    }

    /// Returns a number that grows with the distance of two finite points.
    #[inline(always)]
    pub(crate) fn proxy(self, x: &[f32], y: &[f32]) -> f64 {
        match self {
            Self::Euclidean | Self::SquaredEuclidean => sum(x, y, |a, b| (a - b) * (a - b)),
            Self::Manhattan => sum(x, y, |a, b| (a - b).abs()),
            Self::Cosine => cosine(x, y),
        }
    }

    /// Returns the distance that a proxy stands for.
    #[inline]
    pub(crate) fn of_proxy(self, proxy: f64) -> f64 {
        match self {
            Self::Euclidean => proxy.sqrt(),
            _ => proxy,
        }
    }
}

/// Bounds by codes, of a metric that is a sum over features: the distance of two points is off the difference `S` of
/// their codes by no more than both lost by quantization, so the least `S` of several limits that of the closest.
impl Metric {
    /// Returns the distance that has these differences per feature.
    pub(crate) fn norm(self, differences: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Manhattan => differences.map(f64::abs).sum(),
            _ => differences.map(|d| d * d).sum::<f64>().sqrt(),
        }
    }

    /// Returns the largest difference of a point as close as one with `least`, if both are off by `error` steps.
    pub(crate) fn limit(self, least: u32, error: f64) -> u32 {
        if error == 0.0 {
            // Only ties remain; slack would add candidates that are further.
            return least;
        }
        // Twice: the error of the closest by codes, and that of the other candidate.
        let both = 2.0 * error;
        match self {
            Self::Manhattan => ((f64::from(least) + both) * SLACK) as u32,
            _ => ((f64::from(least).sqrt() + both) * SLACK).powi(2) as u32,
        }
    }

    /// Returns the proxy of two points that equal their codes, bit for bit what [`Metric::proxy`] says.
    pub(crate) fn proxy_of_codes(self, difference: u32, step: f64) -> f64 {
        match self {
            Self::Manhattan => f64::from(difference) * step,
            _ => f64::from(difference) * (step * step),
        }
    }
}

/// Room for rounding in the comparison of bounds: more than a sum of 2¹⁶ numbers can lose.
const SLACK: f64 = 1.0 + 1e-9;

/// Returns the difference of two codes, exactly, whatever the order of summation.
#[inline(always)]
pub(crate) fn squared_difference(x: &[u8], y: &[u8]) -> u32 {
    let differences = x.iter().zip(y).map(|(&a, &b)| i32::from(a) - i32::from(b));
    differences.map(|d| (d * d) as u32).sum()
}

/// As [`squared_difference`], of the Manhattan metric.
#[inline(always)]
pub(crate) fn absolute_difference(x: &[u8], y: &[u8]) -> u32 {
    let pairs = x.iter().zip(y);
    pairs.map(|(&a, &b)| u32::from(a.abs_diff(b))).sum()
}

/// Returns one minus the cosine of the angle, 0 for two points at the origin, and 1 if one is there.
// Out of line: inlined, its three sums would make every walk with another metric 7 % slower (`benches/against.py`).
#[inline(never)]
fn cosine(x: &[f32], y: &[f32]) -> f64 {
    let dot = |x: &[f32], y: &[f32]| sum(x, y, |a, b| a * b);
    let xx = dot(x, x);
    let yy = dot(y, y);
    if xx == 0.0 || yy == 0.0 {
        return if xx == yy { 0.0 } else { 1.0 };
    }
    // The square root of a square is exact: a point is at distance 0 from itself.
    (1.0 - dot(x, y) / (xx * yy).sqrt()).max(0.0)
}

/// Partial sums; wide enough to fill any vector unit, fixed because it decides the last bits.
const LANES: usize = 8;

/// Returns the sum of `term` over the features of `x` and `y`: eight partial sums, added in turn, and then the rest.
#[inline(always)]
fn sum(x: &[f32], y: &[f32], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (blocks_x, rest_x) = x.as_chunks::<LANES>();
    let (blocks_y, rest_y) = y.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (block_x, block_y) in blocks_x.iter().zip(blocks_y) {
        for lane in 0..LANES {
            lanes[lane] += term(f64::from(block_x[lane]), f64::from(block_y[lane]));
        }
    }
    let pairs = rest_x.iter().zip(rest_y);
    let rest = pairs.map(|(&a, &b)| term(f64::from(a), f64::from(b)));
    lanes.into_iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::Metric::{Cosine, Euclidean, Manhattan};

    #[test]
    fn lanes_and_rest_together_make_the_squared_distance() {
        for width in 0..40 {
            let x: Vec<f32> = (0..width).map(|i| i as f32).collect();
            let y: Vec<f32> = (0..width).map(|i| 3.0 * i as f32 + 1.0).collect();
            let naive: f32 = x.iter().zip(&y).map(|(a, b)| (a - b) * (a - b)).sum();
            assert_eq!(Euclidean.proxy(&x, &y), f64::from(naive), "width {width}");
        }
    }

    #[test]
    fn the_largest_and_the_smallest_differences_keep_their_size() {
        let far = Euclidean.distance(&[f32::MAX; 20], &[-f32::MAX; 20]);
        let expected = 2.0 * f64::from(f32::MAX) * 20f64.sqrt();
        assert!((far / expected - 1.0).abs() < 1e-15);
        let tiny = f32::from_bits(1);
        assert_eq!(
            Euclidean.distance(&[0.0, tiny], &[0.0, 0.0]),
            f64::from(tiny)
        );
        let far = Manhattan.distance(&[f32::MAX; 9], &[f32::MIN; 9]);
        assert_eq!(far, 18.0 * f64::from(f32::MAX));
        assert_eq!(Manhattan.distance(&[0.0, 0.0], &[3.0, -4.0]), 7.0);
        assert!(Euclidean.proxy(&[1e30], &[1e30f32.next_up()]) > 0.0);
    }

    #[test]
    fn directions_count_and_lengths_do_not() {
        let cases = [
            ([1.0, 0.0], [0.0, 3.0], 1.0),
            ([1.0, 2.0], [-2.0, -4.0], 2.0),
            ([0.0, 0.0], [0.0, 0.0], 0.0),
            ([0.0, 0.0], [5.0, 1.0], 1.0),
        ];
        for (x, y, distance) in cases {
            assert_eq!(Cosine.distance(&x, &y), distance);
        }
        assert!(Cosine.distance(&[1.0, 2.0], &[3.0, 6.0]) < 1e-15);
        for scale in [1e-40f32, 1e-20, 0.3, 7.0, 1e30] {
            let x: Vec<f32> = (1..30).map(|i| (i as f32).sin() * scale).collect();
            assert_eq!(Cosine.distance(&x, &x), 0.0, "{scale}");
        }
    }
}
