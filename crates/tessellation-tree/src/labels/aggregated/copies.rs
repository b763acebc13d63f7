//! Sums over the copies that a weight stands for, as functions that also have values between whole numbers.

/// From here on, series in 1/x² have all digits after a few terms.
const LARGE: f64 = 16.0;

/// Returns Σ ln(x + j) over j from 0 to w − 1 for whole w: ln Γ(x + w) − ln Γ(x), for x > 0 and w ≥ 0.
///
/// Not as the difference of two logarithms of Γ, which has few digits where x is large and w small.
pub(super) fn log_rising(x: f64, w: f64) -> f64 {
    // Γ(x + 1) = x·Γ(x) leads to where the series holds.
    let (mut x, mut smaller) = (x, 0.0);
    while x < LARGE {
        smaller += libm::log1p(w / x);
        x += 1.0;
    }
    // Stirling: ln Γ(x) = (x − ½)·ln x − x + ½·ln 2π + 1/(12x) − …
    let main = (x - 0.5) * libm::log1p(w / x) + w * (libm::log(x + w) - 1.0);
    main + stirling_rest(x + w) - stirling_rest(x) - smaller
}

/// 1/(12x) − 1/(360x³) + 1/(1260x⁵) − …
fn stirling_rest(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    let terms = 1.0 / 12.0
        - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * (1.0 / 1188.0))));
    terms / x
}

/// Returns Σ 1/(x + j)² over j from 0 to w − 1 for whole w: ψ′(x) − ψ′(x + w), for x > 0 and w ≥ 0.
pub(super) fn inverse_squares(x: f64, w: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < LARGE {
        // 1/x² − 1/(x + w)², without a difference of numbers that are nearly equal.
        let product = x * (x + w);
        sum += w * (2.0 * x + w) / (product * product);
        x += 1.0;
    }
    // ψ′(x) = 1/x + 1/(2x²) + 1/(6x³) − 1/(30x⁵) + …, of which the first two terms are subtracted in closed form.
    let product = x * (x + w);
    let main = w / product * (1.0 + 0.5 * (2.0 * x + w) / product);
    sum + main + trigamma_rest(x) - trigamma_rest(x + w)
}

/// 1/(6x³) − 1/(30x⁵) + 1/(42x⁷) − …
fn trigamma_rest(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    let terms = 1.0 / 6.0
        - y * (1.0 / 30.0
            - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * (5.0 / 66.0 - y * (691.0 / 2730.0)))));
    terms * y / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_whole_numbers_they_are_the_sums() {
        for x in [1e-6, 0.01, 0.5, 1.0, 3.7, 15.9, 16.0, 40.25, 1e6, 1e9] {
            for copies in [0, 1, 2, 3, 17, 1000] {
                let terms = || (0..copies).map(|copy| x + f64::from(copy));
                let logarithms: f64 = terms().map(libm::log).sum();
                let size: f64 = terms().map(|term| libm::log(term).abs()).sum();
                let own = log_rising(x, f64::from(copies));
                assert!(
                    (own - logarithms).abs() <= 1e-12 * (1.0 + size),
                    "{x} {copies}"
                );
                let squares: f64 = terms().map(|term| 1.0 / (term * term)).sum();
                let own = inverse_squares(x, f64::from(copies));
                assert!(
                    (own - squares).abs() <= 1e-12 * squares,
                    "{x} {copies}: {own} {squares}"
                );
            }
        }
    }

    /// The sum over w and then over v is that over v + w: this and the values above make both functions unique where
    /// they are smooth, and Γ is checked against a library.
    #[test]
    fn between_whole_numbers_sums_add_up() {
        for x in [0.01, 0.7, 5.0, 23.4, 1e7] {
            for (v, w) in [(0.25, 0.5), (1e-6, 0.3), (2.75, 40.1)] {
                let parts = log_rising(x, v) + log_rising(x + v, w);
                let all = log_rising(x, v + w);
                assert!(
                    (parts - all).abs() <= 1e-12 * (1.0 + all.abs()),
                    "{x} {v} {w}"
                );
                let parts = inverse_squares(x, v) + inverse_squares(x + v, w);
                let all = inverse_squares(x, v + w);
                assert!(
                    (parts - all).abs() <= 1e-11 * all,
                    "{x} {v} {w}: {parts} {all}"
                );
            }
            let library = libm::lgamma(x + 0.3) - libm::lgamma(x);
            assert!((log_rising(x, 0.3) - library).abs() <= 1e-7 * (1.0 + library.abs()));
        }
    }
}
