//! A sum of weights.

use forest_core::SampleWeight;
use serde::{Deserialize, Serialize};

/// A sum of weights, which is the number of samples as long as all weigh 1.
///
/// A whole number below 2⁶³ or, with the upper bit, a multiple of 2⁻³⁰ below 2³³: sums are exact, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Total(u64);

const IN_UNITS: u64 = 1 << 63;
/// Units of a weight of 1.
const COPY: u64 = SampleWeight::ONE.units();

impl Total {
    /// Adds 1 to a whole number and returns the sum: what most samples do.
    #[inline]
    pub(super) fn add_one_to_whole(&mut self, weight: SampleWeight) -> Option<u64> {
        let sum = self.0.saturating_add(1);
        (weight == SampleWeight::ONE && sum < IN_UNITS).then(|| {
            self.0 = sum;
            sum
        })
    }

    /// A stream without end brings a node more than 2³² samples. What is beyond the largest sum is left out: means of so
    /// many targets do not move any more.
    pub(super) fn add(&mut self, weight: SampleWeight) {
        match weight.copies() {
            Some(times) if self.0 < IN_UNITS => {
                self.0 = (self.0 + u64::from(times)).min(IN_UNITS - 1);
            }
            _ => self.add_units(weight.units()),
        }
    }

    #[cold]
    fn add_units(&mut self, units: u64) {
        if (IN_UNITS / COPY..IN_UNITS).contains(&self.0) {
            return;
        }
        let sum = self.units().saturating_add(units).min(IN_UNITS - 1);
        // Whole sums have one form, whichever weights they are of: equal ones are equal.
        self.0 = if sum.is_multiple_of(COPY) {
            sum / COPY
        } else {
            sum | IN_UNITS
        };
    }

    fn units(self) -> u64 {
        if self.0 < IN_UNITS {
            self.0.saturating_mul(COPY)
        } else {
            self.0 - IN_UNITS
        }
    }

    #[inline]
    pub(super) fn value(self) -> f64 {
        if self.0 < IN_UNITS {
            self.0 as f64
        } else {
            (self.0 - IN_UNITS) as f64 / COPY as f64
        }
    }

    /// Returns the whole number that it is or that follows it.
    pub(super) fn rounded_up(self) -> u64 {
        if self.0 < IN_UNITS {
            self.0
        } else {
            (self.0 - IN_UNITS).div_ceil(COPY)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(weights: &[f64]) -> Total {
        let mut total = Total::default();
        for &weight in weights {
            total.add(SampleWeight::new(weight).expect("it is in range"));
        }
        total
    }

    #[test]
    fn sums_are_exact_and_do_not_depend_on_the_order() {
        assert_eq!(total(&[1.0, 3.0, 0.25]).value(), 4.25);
        assert_eq!(total(&[0.1, 0.7, 5.0]), total(&[5.0, 0.7, 0.1]));
        assert_eq!(total(&[0.5, 0.5, 2.0]), total(&[1.0, 1.0, 1.0]));
        assert_eq!([4.25, 4.0].map(|sum| total(&[sum]).rounded_up()), [5, 4]);
    }

    #[test]
    fn a_sum_that_is_too_large_stays_the_largest() {
        let mut large = Total(IN_UNITS - 1);
        large.add(SampleWeight::ONE);
        assert_eq!(large, Total(IN_UNITS - 1));
        large.add(SampleWeight::new(0.5).expect("it is in range"));
        assert!(large.value() >= 8e9, "{large:?}");
    }
}
