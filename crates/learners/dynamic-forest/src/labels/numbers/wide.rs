//! Integers of 256 bits, as far as gains take them, and integers as the nearest `f64`.
//!
//! A number that is rounded to the nearest is rounded in the same way after it was multiplied by a power of two: so gains do not
//! depend on the unit of weights.

/// Returns the nearest `f64` of a number below 2¹¹⁷, in a few instructions.
#[inline]
pub(super) fn to_f64(value: u128) -> f64 {
    /// Digits of the lower half that no `f64` of this size has, but for one that says whether they are all 0.
    const BEYOND: i64 = (1 << 10) - 1;
    let (high, low) = ((value >> 64) as i64, value as i64);
    if high == 0 {
        return low as u64 as f64;
    }
    // What is below is rounded to the odd neighbour, which leaves the rounding to the sum of both.
    let odd = i64::from(low & BEYOND != 0) << 10;
    let (high, low) = (high + i64::from(low < 0), (low & !BEYOND) | odd);
    high as f64 * (2.0f64).powi(64) + low as f64
}

/// A number of 256 bits, 0 or more: its upper and its lower half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    const HALF: u128 = u64::MAX as u128;

    /// Returns the product.
    fn product(a: u128, b: u128) -> Self {
        let (a1, a0, b1, b0) = (a >> 64, a & Self::HALF, b >> 64, b & Self::HALF);
        let low = a0 * b0;
        let first = a1 * b0 + (low >> 64);
        let second = a0 * b1 + (first & Self::HALF);
        Self {
            high: a1 * b1 + (first >> 64) + (second >> 64),
            low: (second << 64) | (low & Self::HALF),
        }
    }

    /// Returns the absolute value of a·b − c·d. All products are below 2²⁵⁴.
    pub(super) fn distance((a, b): (i128, u128), (c, d): (i128, u128)) -> Self {
        let first = Self::product(a.unsigned_abs(), b);
        let second = Self::product(c.unsigned_abs(), d);
        if (a < 0) == (c < 0) {
            let (more, less) = if first.is_at_least(second) {
                (first, second)
            } else {
                (second, first)
            };
            let (low, borrows) = more.low.overflowing_sub(less.low);
            let high = more.high - less.high - u128::from(borrows);
            return Self { high, low };
        }
        let (low, carries) = first.low.overflowing_add(second.low);
        let high = first.high + second.high + u128::from(carries);
        Self { high, low }
    }

    fn is_at_least(self, other: Self) -> bool {
        (self.high, self.low) >= (other.high, other.low)
    }

    pub(super) fn is_zero(self) -> bool {
        (self.high, self.low) == (0, 0)
    }

    /// Returns the nearest `f64`.
    pub(super) fn to_f64(self) -> f64 {
        if self.high == 0 {
            return self.low as f64;
        }
        // The first 128 digits, the last of them 1 if any behind it is.
        let digits = 128 - self.high.leading_zeros();
        let first = if digits == 128 {
            self.high
        } else {
            (self.high << (128 - digits)) | (self.low >> digits)
        };
        let is_inexact = self.low << (128 - digits) != 0;
        (first | u128::from(is_inexact)) as f64 * (2.0f64).powi(digits as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes below 2 to the power of `bits`, many of them halfway between two `f64`, or nearly.
    fn numbers(bits: u32) -> impl Iterator<Item = u128> {
        let all = (0..bits).flat_map(move |top| (0..top).map(move |bit| (1 << top) | (1 << bit)));
        all.flat_map(|number: u128| [number - 1, number, number + 1, number | (number >> 53)])
            .flat_map(|number| [number, number | 1 << 11, number ^ (number >> 7)])
            .filter(move |&number| number >> bits == 0)
    }

    #[test]
    fn a_number_is_rounded_to_the_nearest() {
        for number in numbers(117) {
            assert_eq!(to_f64(number), number as f64, "{number:x}");
        }
    }

    #[test]
    fn a_wide_number_is_rounded_as_a_narrow_one() {
        for number in numbers(120) {
            for digits in [0, 8, 9, 60, 100, 126] {
                let wide = Wide::product(number, 1 << digits);
                let expected = number as f64 * (2.0f64).powi(digits);
                assert_eq!(wide.to_f64(), expected, "{number:x}, {digits}");
            }
        }
    }

    #[test]
    fn distances_are_those_of_integers() {
        let some: [i128; 7] = [-7, -1, 0, 1, 12, (1 << 60) + 3, -(1 << 58)];
        for (a, c) in some.into_iter().flat_map(|a| some.map(|c| (a, c))) {
            for (b, d) in [(0i128, 5), (3, 3), ((1 << 62) + 1, 7)] {
                let expected = (a * b - c * d).unsigned_abs();
                let distance = Wide::distance((a, b as u128), (c, d as u128));
                assert_eq!(
                    distance,
                    Wide {
                        high: 0,
                        low: expected
                    }
                );
                let up = |a: i128| a << 60;
                let distance = Wide::distance((up(a), b as u128), (up(c), d as u128));
                assert_eq!(distance, Wide::product(expected, 1 << 60));
            }
        }
    }
}
