//! The straight line, and its square.

use super::{Metric, ProxyForm, lanes};

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

impl Metric for Euclidean {
    const FORM: ProxyForm = ProxyForm::Squares;

    #[inline]
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        lanes::sum(x, y, |a, b| (a - b) * (a - b))
    }

    #[inline]
    fn distance(proxy: f64) -> f64 {
        proxy.sqrt()
    }
}

/// The squared Euclidean distance: the trees of [`Euclidean`], with weights 1/d² in the prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquaredEuclidean;

impl Metric for SquaredEuclidean {
    const FORM: ProxyForm = ProxyForm::Squares;

    #[inline]
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        Euclidean::proxy(x, y)
    }
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
