//! What codes, points moved onto a grid, tell about distances.

use std::fmt::Debug;

/// How codes bound the proxies of a metric: [`Squares`], [`Absolutes`], or not ([`Uncoded`]).
///
/// With `S` the difference of two codes, a metric's distance of the two points lies within an
/// *error* of `S`, the sum of what each of them lost on the grid: the triangle inequality. The
/// least `S` of several therefore limits the `S` of every point that can be the closest.
///
/// Sealed: the bounds hold for the metrics of this crate that name them.
pub trait Coding: sealed::Sealed + Copy + Debug + Default + Send + Sync + 'static {
    /// The number of features from which codes are quicker than the points themselves (measured:
    /// see the results in the documentation).
    #[doc(hidden)]
    const PAYS_FROM: usize;

    /// The difference of two codes, exactly, whatever the order of summation.
    #[doc(hidden)]
    fn difference(x: &[u8], y: &[u8]) -> u32;

    /// The distance that has these differences per feature.
    #[doc(hidden)]
    fn norm(residuals: impl Iterator<Item = f64>) -> f64;

    /// The largest difference that can belong to a point as close as one with difference `least`,
    /// if both distances are off by `error` grid steps at most.
    #[doc(hidden)]
    fn limit(least: u32, error: f64) -> u32;

    /// The proxy of two points that lie on the grid themselves, bit for bit what the metric says.
    #[doc(hidden)]
    fn proxy(difference: u32, step: f64) -> f64;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Squares {}
    impl Sealed for super::Absolutes {}
    impl Sealed for super::Uncoded {}
}

/// The most features for which a difference is below 2³².
pub(crate) const MOST_FEATURES: usize = 1 << 16;

/// Room for rounding in the comparison of bounds: more than a sum of 2¹⁶ numbers can lose.
const SLACK: f64 = 1.0 + 1e-9;

/// Proxies are sums of squares; a difference is the sum of the squared differences of codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Squares;

impl Coding for Squares {
    const PAYS_FROM: usize = 12;

    #[inline(always)]
    fn difference(x: &[u8], y: &[u8]) -> u32 {
        let pairs = x.iter().zip(y);
        let differences = pairs.map(|(&a, &b)| i32::from(a) - i32::from(b));
        differences.map(|d| (d * d) as u32).sum()
    }

    fn norm(residuals: impl Iterator<Item = f64>) -> f64 {
        residuals.map(|r| r * r).sum::<f64>().sqrt()
    }

    fn limit(least: u32, error: f64) -> u32 {
        (((f64::from(least).sqrt() + 2.0 * error) * SLACK).powi(2)) as u32
    }

    fn proxy(difference: u32, step: f64) -> f64 {
        f64::from(difference) * (step * step)
    }
}

/// Proxies are sums of absolute values; a difference is the sum of those of codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Absolutes;

impl Coding for Absolutes {
    const PAYS_FROM: usize = 12;

    #[inline(always)]
    fn difference(x: &[u8], y: &[u8]) -> u32 {
        let pairs = x.iter().zip(y);
        pairs.map(|(&a, &b)| u32::from(a.abs_diff(b))).sum()
    }

    fn norm(residuals: impl Iterator<Item = f64>) -> f64 {
        residuals.map(f64::abs).sum()
    }

    fn limit(least: u32, error: f64) -> u32 {
        ((f64::from(least) + 2.0 * error) * SLACK) as u32
    }

    fn proxy(difference: u32, step: f64) -> f64 {
        f64::from(difference) * step
    }
}

/// Nothing is known of the metric: every distance is computed from the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uncoded;

impl Coding for Uncoded {
    const PAYS_FROM: usize = usize::MAX;

    fn difference(_: &[u8], _: &[u8]) -> u32 {
        0
    }

    fn norm(_: impl Iterator<Item = f64>) -> f64 {
        f64::INFINITY
    }

    fn limit(_: u32, _: f64) -> u32 {
        u32::MAX
    }

    fn proxy(_: u32, _: f64) -> f64 {
        0.0
    }
}
