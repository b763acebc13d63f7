//! Numbers with more digits than `f64` has.

use std::cmp::Ordering;

use super::Numbers;

/// Whole numbers up to this are exact in `f64`.
const LAST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as the nearest `f64` and what is left of it, so that whole numbers of 64 bits are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exact {
    pub(crate) nearest: f64,
    rest: f64,
}

impl Exact {
    pub(crate) fn minus(self, origin: f64) -> f64 {
        (self.nearest - origin) + self.rest
    }

    /// Returns the difference to a smaller number.
    pub(crate) fn above(self, smaller: Self) -> f64 {
        (self.nearest - smaller.nearest) + (self.rest - smaller.rest)
    }

    pub(crate) fn total_cmp(&self, other: &Self) -> Ordering {
        let by_nearest = self.nearest.total_cmp(&other.nearest);
        by_nearest.then(self.rest.total_cmp(&other.rest))
    }

    /// Returns whether it is a number of `f32`.
    pub(crate) fn is_narrow(self) -> bool {
        f64::from(self.nearest as f32) == self.nearest && self.rest == 0.0
    }
}

impl From<f64> for Exact {
    fn from(nearest: f64) -> Self {
        Self { nearest, rest: 0.0 }
    }
}

impl Numbers {
    /// Returns the number in a cell with all of its digits.
    pub(crate) fn exact(&self, cell: &str) -> Option<Exact> {
        let plain = self.plain(cell)?;
        let nearest: f64 = plain.parse().ok()?;
        Some(if nearest.abs() < LAST_EXACT {
            nearest.into()
        } else {
            Exact {
                nearest,
                rest: rest(&plain, nearest),
            }
        })
    }
}

/// What `f64` cannot hold of a whole number; 0 of others.
fn rest(plain: &str, nearest: f64) -> f64 {
    let whole: Option<i128> = plain.parse().ok();
    // A number with more digits than this saturates: it cannot be an identifier.
    whole.map_or(0.0, |whole| whole.saturating_sub(nearest as i128) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_64_bits_keep_all_digits() {
        let exact = |cell: &str| Numbers::default().exact(cell).unwrap();
        let (low, high) = (exact("18446744073709551614"), exact("18446744073709551615"));
        assert_eq!(low.nearest, high.nearest);
        assert_eq!(high.above(low), 1.0);
        assert_eq!(high.minus(18_446_744_073_709_549_568.0), 2047.0);
        assert!(low.total_cmp(&high).is_lt() && !low.is_narrow());
        assert_eq!(exact("1.5").minus(0.5), 1.0);
        assert_eq!(exact("1e300").minus(0.0), 1e300);
    }
}
