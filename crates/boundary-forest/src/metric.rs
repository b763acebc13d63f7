//! How far two points are apart: the paper's `d`.

use std::fmt::Debug;

/// The metric for comparing positions, the paper's `d(x, y)`, as a type.
///
/// "This 'metric' can be any real function": only its order and, for the final weights, its value
/// are used, so neither symmetry nor the triangle inequality is required. The walk compares
/// *proxies*, which may be anything that is ordered like the distance and cheaper to compute.
///
/// ```
/// use boundary_forest::{Euclidean, Metric};
/// let proxy = Euclidean::proxy(&[0.0, 0.0], &[3.0, 4.0]);
/// assert_eq!((proxy, Euclidean::distance(proxy)), (25.0, 5.0));
/// ```
pub trait Metric: Copy + Debug + Default + Send + Sync + 'static {
    /// A number that grows with the distance of `x` and `y`, which have the same length and are finite.
    ///
    /// Never NaN, always the same for the same points, and zero only for points that count as equal.
    fn proxy(x: &[f32], y: &[f32]) -> f64;

    /// The distance that `proxy` stands for: increasing, 0 at 0.
    fn distance(proxy: f64) -> f64;
}

/// The Euclidean distance, which the paper uses throughout; its proxy is the squared distance.
///
/// Differences, squares and sums are `f64`: an `f32` difference then neither overflows nor
/// vanishes when squared (the squares lie between 2⁻²⁹⁸ and 2²⁵⁸), so that
///
/// - the proxy is zero only for equal points, and finite for all finite ones;
/// - multiplying every feature by the same power of two multiplies every proxy by its square,
///   exactly: the same tree, bit for bit;
/// - distances between points of whole numbers are exact, and so are their ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Euclidean;

/// Partial sums of a squared distance; wide enough to fill any vector unit, fixed because it
/// decides the order of summation and with it the last bits.
const LANES: usize = 8;

impl Metric for Euclidean {
    #[inline]
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        let (blocks_x, rest_x) = x.as_chunks::<LANES>();
        let (blocks_y, rest_y) = y.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for (block_x, block_y) in blocks_x.iter().zip(blocks_y) {
            for lane in 0..LANES {
                lanes[lane] += squared_difference(block_x[lane], block_y[lane]);
            }
        }
        let pairs = rest_x.iter().zip(rest_y);
        let rest = pairs.map(|(&a, &b)| squared_difference(a, b));
        lanes.into_iter().chain(rest).sum()
    }

    #[inline]
    fn distance(proxy: f64) -> f64 {
        proxy.sqrt()
    }
}

#[inline]
fn squared_difference(a: f32, b: f32) -> f64 {
    let difference = f64::from(a) - f64::from(b);
    difference * difference
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_rest_together_make_the_squared_distance() {
        for width in 0..40 {
            let x: Vec<f32> = (0..width).map(|i| i as f32).collect();
            let y: Vec<f32> = (0..width).map(|i| 3.0 * i as f32 + 1.0).collect();
            let naive: f32 = x.iter().zip(&y).map(|(a, b)| (a - b) * (a - b)).sum();
            assert_eq!(Euclidean::proxy(&x, &y), f64::from(naive), "width {width}");
        }
    }

    #[test]
    fn the_largest_and_the_smallest_differences_keep_their_size() {
        let far = Euclidean::proxy(&[f32::MAX; 20], &[-f32::MAX; 20]);
        let expected = 2.0 * f64::from(f32::MAX) * 20f64.sqrt();
        assert!((Euclidean::distance(far) / expected - 1.0).abs() < 1e-15);
        let tiny = f32::from_bits(1);
        let near = Euclidean::proxy(&[0.0, tiny], &[0.0, 0.0]);
        assert_eq!(Euclidean::distance(near), f64::from(tiny));
    }

    #[test]
    fn one_differing_feature_among_huge_ones_is_seen() {
        let (mut x, y) = ([1e30f32; 17], [1e30f32; 17]);
        x[16] = 1e30f32.next_up();
        assert!(Euclidean::proxy(&x, &y) > 0.0);
    }

    #[test]
    fn powers_of_two_scale_exactly() {
        let x: Vec<f32> = (0..37).map(|i| (i as f32 * 0.37).sin()).collect();
        let y: Vec<f32> = (0..37).map(|i| (i as f32 * 0.73).cos()).collect();
        let proxy = Euclidean::proxy(&x, &y);
        for power in [-90, -3, 1, 60, 120] {
            let scale = 2f32.powi(power);
            let scaled = |v: &[f32]| v.iter().map(|a| a * scale).collect::<Vec<_>>();
            let expected = proxy * f64::from(scale).powi(2);
            assert_eq!(Euclidean::proxy(&scaled(&x), &scaled(&y)), expected);
        }
    }
}
