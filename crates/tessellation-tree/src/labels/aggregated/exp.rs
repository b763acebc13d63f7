//! The exponential function of small numbers.

use std::f64::consts::{LN_2, LOG2_E};

/// Powers of two in the table, from 1 to 2.
const PARTS: usize = 64;

/// 2^(k / PARTS), by the exponential series.
const POWERS: [f64; PARTS] = {
    let (mut powers, mut k) = ([1.0; PARTS], 1);
    while k < PARTS {
        let x = k as f64 * (LN_2 / PARTS as f64);
        let mut n = 20;
        while n > 0 {
            powers[k] = 1.0 + x * powers[k] / n as f64;
            n -= 1;
        }
        k += 1;
    }
    powers
};

/// Adding it rounds a small number to a whole one, which the lowest bits of the sum then hold.
const ROUNDER: f64 = 1.5 * (1_u64 << 52) as f64;

/// LN_2 / PARTS without its last 21 bits, and the rest: products of the first with whole numbers are exact.
const STEP_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0x1f_ffff) / PARTS as f64;
const STEP_LOW: f64 = 1.908_214_929_270_588e-10 / PARTS as f64;

/// Returns eˣ for |x| ≤ 700, with a relative error below 4·10⁻¹⁶.
///
/// It has the same bits on every platform, as `libm::exp`, but no branch and no division: `amf` learns 2,000 and 20,000 rows
/// in .82 and .80 of the time that it takes with that.
#[inline]
pub(super) fn exp(x: f64) -> f64 {
    let rounded = x * (LOG2_E * PARTS as f64) + ROUNDER;
    let steps = rounded - ROUNDER;
    let rest = (x - steps * STEP_HIGH) - steps * STEP_LOW;
    let steps = rounded.to_bits();
    let power = POWERS[steps as usize % PARTS].to_bits();
    // Whole powers of two are added to the exponent.
    let whole = (steps / PARTS as u64) << 52;
    let power = f64::from_bits(power.wrapping_add(whole));
    power + power * exp_of_rest(rest)
}

/// Returns eˣ − 1 for |x| ≤ ½·ln 2 / PARTS: the first five terms of Σ xⁿ / n!.
#[inline]
fn exp_of_rest(x: f64) -> f64 {
    let x2 = x * x;
    x + x2 * ((0.5 + x * (1.0 / 6.0)) + x2 * (1.0 / 24.0 + x * (1.0 / 120.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_function() {
        for step in -700_000..=700_000 {
            let x = f64::from(step) * 0.001;
            let (own, known) = (exp(x), libm::exp(x));
            assert!((own / known - 1.0).abs() < 4e-16, "{x}: {own} {known}");
        }
        assert_eq!(exp(0.0), 1.0);
    }
}
