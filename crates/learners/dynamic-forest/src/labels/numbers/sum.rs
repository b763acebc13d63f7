//! Codes of samples that count as one each.

use serde::{Deserialize, Serialize};

use super::NumberSum;
use super::wide::to_f64;
use crate::settings::Choice;
use crate::unit::Unit;

/// Codes, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sum {
    sum: i128,
    count: u32,
}

/// Codes are below 2⁵³, so that 64 bits hold the sum of as many.
const SUMMED_IN_64_BITS: usize = 512;

/// Returns how far the sum on the left is from the share that its count has of the whole, times all samples: 0 if codes are equal.
#[inline]
fn difference(left: Sum, all: Sum) -> i128 {
    left.sum * i128::from(all.count) - all.sum * i128::from(left.count)
}

#[inline]
fn part_of_left(column: &[f32], threshold: f32, codes: &[i64]) -> (i64, u32) {
    let (mut sum, mut count) = (0, 0);
    for (&value, &code) in column.iter().zip(codes) {
        let is_left = value <= threshold;
        sum += code & -i64::from(is_left);
        count += u32::from(is_left);
    }
    (sum, count)
}

impl NumberSum<i64> for Sum {
    fn of(codes: &[i64]) -> Self {
        let parts = codes.chunks(SUMMED_IN_64_BITS);
        let sum = parts.map(|part| i128::from(part.iter().sum::<i64>())).sum();
        Self {
            sum,
            count: codes.len() as u32,
        }
    }

    fn of_left(column: &[f32], threshold: f32, codes: &[i64]) -> Self {
        let mut all = Self::default();
        let parts = column
            .chunks(SUMMED_IN_64_BITS)
            .zip(codes.chunks(SUMMED_IN_64_BITS));
        for (column, codes) in parts {
            let (sum, count) = part_of_left(column, threshold, codes);
            all.sum += i128::from(sum);
            all.count += count;
        }
        all
    }

    fn add(&mut self, code: i64) {
        self.sum += i128::from(code);
        self.count += 1;
    }

    fn remove(&mut self, code: i64) {
        self.sum -= i128::from(code);
        self.count -= 1;
    }

    #[inline]
    fn gain(left: Self, all: Self, side: u32) -> f64 {
        if !Choice::allows(side, left.count, all.count) {
            return f64::NEG_INFINITY;
        }
        let difference = to_f64(difference(left, all).unsigned_abs());
        let sides = f64::from(left.count) * f64::from(all.count - left.count);
        difference * difference / sides
    }

    fn is_a_share(left: Self, all: Self) -> bool {
        difference(left, all) == 0
    }

    fn count(self) -> u32 {
        self.count
    }

    fn mean(self, unit: &Unit) -> f64 {
        unit.mean(self.sum, f64::from(self.count))
    }
}
