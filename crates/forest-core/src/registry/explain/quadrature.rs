//! Gauss–Legendre quadrature.

use std::f64::consts::PI;

/// Returns points and weights on (0, 1), by which a polynomial of a degree below 2·`points` is integrated exactly.
pub(super) fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let on_unit = |index| {
        let (x, slope) = root(points, index);
        (0.5 - 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..points).map(on_unit).collect()
}

/// Returns a root of the Legendre polynomial of degree `n` on (−1, 1) and the slope there, by Newton's method.
fn root(n: usize, index: usize) -> (f64, f64) {
    let mut x = (PI * (index as f64 + 0.75) / (n as f64 + 0.5)).cos();
    // It converges quadratically from the known approximation; the last steps change no digit.
    for _ in 0..8 {
        let (value, slope) = legendre(n, x);
        x -= value / slope;
    }
    (x, legendre(n, x).1)
}

/// Returns the Legendre polynomial and its slope, by Bonnet's recursion.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=n {
        let k = k as f64;
        (before, value) = (
            value,
            ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k,
        );
    }
    (value, n as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        for points in 1..40 {
            let rule = gauss_legendre(points);
            for degree in 0..2 * points {
                let integral: f64 = rule.iter().map(|(t, w)| w * t.powi(degree as i32)).sum();
                let exact = 1.0 / (degree as f64 + 1.0);
                assert!(
                    (integral - exact).abs() < 1e-14,
                    "{points}, {degree}: {integral}"
                );
            }
        }
    }
}
