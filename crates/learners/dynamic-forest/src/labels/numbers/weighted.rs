//! Codes of samples that count as their weights say.

use serde::{Deserialize, Serialize};

use super::NumberSum;
use super::wide::Wide;
use crate::labels::weighted::Weighted;
use crate::settings::Choice;
use crate::unit::Unit;

/// Codes times weights, added up, with the weights and the number of the samples.
///
/// Exact while the weights of a tree add up to less than 2⁴⁴, the weight of 2²⁴ samples of the largest. Beyond that the sum may
/// wrap, and it is right again once samples have gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct WeightedSum {
    sum: i128,
    units: u128,
    count: u32,
}

impl WeightedSum {
    fn product(code: Weighted<i64>) -> i128 {
        i128::from(code.code) * i128::from(code.units)
    }

    /// Returns how far the sum on the left is from the share that its weight has of the whole, times the weight of all.
    fn distance(left: Self, all: Self) -> Wide {
        Wide::distance((left.sum, all.units), (all.sum, left.units))
    }
}

impl NumberSum<Weighted<i64>> for WeightedSum {
    fn of(codes: &[Weighted<i64>]) -> Self {
        let mut all = Self::default();
        codes.iter().for_each(|&code| all.add(code));
        all
    }

    fn of_left(column: &[f32], threshold: f32, codes: &[Weighted<i64>]) -> Self {
        let mut all = Self::default();
        let left = column
            .iter()
            .zip(codes)
            .filter(|(value, _)| **value <= threshold);
        left.for_each(|(_, &code)| all.add(code));
        all
    }

    fn add(&mut self, code: Weighted<i64>) {
        self.sum = self.sum.wrapping_add(Self::product(code));
        self.units += u128::from(code.units);
        self.count += 1;
    }

    fn remove(&mut self, code: Weighted<i64>) {
        self.sum = self.sum.wrapping_sub(Self::product(code));
        self.units -= u128::from(code.units);
        self.count -= 1;
    }

    #[inline]
    fn gain(left: Self, all: Self, side: u32) -> f64 {
        if !Choice::allows(side, left.count, all.count) {
            return f64::NEG_INFINITY;
        }
        let distance = Self::distance(left, all).to_f64();
        let sides = left.units as f64 * (all.units - left.units) as f64;
        distance * distance / sides
    }

    fn is_a_share(left: Self, all: Self) -> bool {
        Self::distance(left, all).is_zero()
    }

    fn count(self) -> u32 {
        self.count
    }

    fn mean(self, unit: &Unit) -> f64 {
        unit.mean(self.sum, self.units as f64)
    }
}
