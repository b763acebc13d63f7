//! Weights of samples.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::InputError;

/// One value for each row of a batch, which allocates nothing for a single row.
pub(crate) type PerRow<V> = SmallVec<[V; 2]>;

/// How much a sample counts: w stands for w copies of it at once.
///
/// A multiple of 2⁻³⁰ between 2⁻²⁰ and 2²⁰: sums are exact, and what was added can be taken out without a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SampleWeight(u64);

impl SampleWeight {
    /// The weight of a sample that is learned without one.
    pub const ONE: Self = Self(1 << 30);

    /// The smallest weight, 2⁻²⁰.
    pub const MIN: f64 = 1.0 / (1_u64 << 20) as f64;

    /// The largest weight, 2²⁰.
    pub const MAX: f64 = (1_u64 << 20) as f64;

    /// Returns `weight`, rounded to a multiple of 2⁻³⁰; `None` if it is out of range.
    pub fn new(weight: f64) -> Option<Self> {
        let is_in_range = (Self::MIN..=Self::MAX).contains(&weight);
        // Exact: a power of two changes no digit of a number.
        let units = weight * Self::ONE.0 as f64;
        is_in_range.then_some(Self(units.round_ties_even() as u64))
    }

    /// Checks that there is a weight for each of `rows` rows.
    ///
    /// # Errors
    /// Returns an error if the numbers differ or a weight is out of range.
    pub fn check_rows(rows: usize, weights: &[f64]) -> Result<(), InputError> {
        Self::for_rows(rows, weights).map(drop)
    }

    /// Returns the weights of the rows of a batch.
    pub(crate) fn for_rows(rows: usize, weights: &[f64]) -> Result<PerRow<Self>, InputError> {
        InputError::check_number("weight", weights.len(), rows)?;
        let mut all = PerRow::with_capacity(rows);
        for (row, &value) in weights.iter().enumerate() {
            let Some(weight) = Self::new(value) else {
                return Err(InputError::Value(format!(
                    "row {row}: the weight {value} is not between 2^-20 and 2^20; leave out samples of no weight, and \
                     divide all weights by a constant if they are large"
                )));
            };
            all.push(weight);
        }
        Ok(all)
    }

    /// Returns the weight as a number.
    #[inline]
    pub fn value(self) -> f64 {
        // Exact: it has 51 digits at most.
        self.0 as f64 / Self::ONE.0 as f64
    }

    /// Returns the weight in units of 2⁻³⁰.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// Returns the whole number that it is, if it is one.
    #[inline]
    pub fn copies(self) -> Option<u32> {
        let whole = self.0.is_multiple_of(Self::ONE.0);
        whole.then_some((self.0 / Self::ONE.0) as u32)
    }

    /// Returns whether a weight that was decoded is one.
    pub(crate) fn is_sound(self) -> bool {
        (Self::MIN..=Self::MAX).contains(&self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_rounded_to_the_nearest_multiple() {
        let value = |weight| SampleWeight::new(weight).map(SampleWeight::value);
        for exact in [SampleWeight::MIN, 0.25, 1.0, 2.5, SampleWeight::MAX] {
            assert_eq!(value(exact), Some(exact));
        }
        let rounded = value(0.1).expect("it is in range");
        assert!(rounded != 0.1 && (rounded - 0.1).abs() <= 2f64.powi(-31));
        let above = SampleWeight::MAX + 0.5;
        let below = SampleWeight::MIN / 2.0;
        for refused in [0.0, -1.0, below, above, f64::NAN, f64::INFINITY] {
            assert_eq!(value(refused), None, "{refused}");
        }
    }

    #[test]
    fn copies_are_whole_weights() {
        let weight = |value| SampleWeight::new(value).expect("it is in range");
        let copies = [0.5, 1.0, 3.0, 2.5].map(|value| weight(value).copies());
        assert_eq!(copies, [None, Some(1), Some(3), None]);
    }
}
