//! Nemenyi's critical difference of average ranks.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// Points of Simpson's rule, and the ends of the integral: the normal density is below 1e-22 there.
const POINTS: usize = 2000;
const END: f64 = 10.0;

/// Returns Nemenyi's critical difference: of k algorithms on n sets, average ranks further apart than this differ at
/// level `alpha`, for all pairs together.
///
/// q·√(k(k + 1) / (6N)), where q is the quantile of the range of k normal numbers over √2 (Demšar 2006, section 3.2.2).
/// It takes a millisecond.
pub fn nemenyi(algorithms: usize, sets: usize, alpha: f64) -> f64 {
    let (k, n) = (algorithms as f64, sets as f64);
    let q = range_quantile(algorithms, 1.0 - alpha) / 2f64.sqrt();
    q * (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// Finds the quantile by bisection.
fn range_quantile(count: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0 * END);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if range_cdf(middle, count) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Returns the probability that k normal numbers lie within `range`: k ∫ φ(z) (Φ(z + range) − Φ(z))^(k − 1) dz over the
/// least of them.
fn range_cdf(range: f64, count: usize) -> f64 {
    let normal = Normal::standard();
    let density = |z: f64| {
        let others = normal.cdf(z + range) - normal.cdf(z);
        count as f64 * normal.pdf(z) * others.powi(count as i32 - 1)
    };
    let step = 2.0 * END / POINTS as f64;
    let weight = |point: usize| match point {
        0 | POINTS => 1.0,
        odd if odd % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let terms = (0..=POINTS).map(|point| weight(point) * density(point as f64 * step - END));
    terms.sum::<f64>() * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 5 of Demšar (2006), two to ten algorithms.
    #[test]
    fn critical_values_are_the_published_ones() {
        let at_5 = [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ];
        let at_10 = [
            1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920,
        ];
        for (level, table) in [(0.05, at_5), (0.10, at_10)] {
            for (k, published) in (2..).zip(table) {
                let q = range_quantile(k, 1.0 - level) / 2f64.sqrt();
                assert!(
                    (q - published).abs() < 0.001,
                    "{k} at {level}: {q}, not {published}"
                );
            }
        }
    }

    /// Section 3.2.2: four algorithms, 14 sets: 1.25 at 5 %, 1.12 at 10 %.
    #[test]
    fn the_worked_example_of_demsar_comes_out() {
        assert!((nemenyi(4, 14, 0.05) - 1.25).abs() < 0.005);
        assert!((nemenyi(4, 14, 0.10) - 1.12).abs() < 0.005);
    }
}
