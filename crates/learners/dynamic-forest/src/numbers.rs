//! Numbers: sums of targets, and the variance that a split explains.

use forest_core::Regression;
use serde::{Deserialize, Serialize};

use crate::labels::{Coded, Group, Labels, Samples, lost_digits};
use crate::nodes::Pool;
use crate::settings::Rules;
use crate::unit::Unit;

impl Labels for Regression {
    type Code = i64;
    type Tally = Sum;
    type Sides = NumberSides;
    type Leaves = Pool<Sum>;

    /// All.
    fn candidates(width: usize) -> usize {
        width
    }

    #[inline]
    fn code(target: f64, unit: &Unit) -> i64 {
        (target * unit.codes_per_one) as i64
    }

    #[inline]
    fn count_target(unit: &mut Unit, target: f64, step: i32) -> bool {
        match step {
            1 => unit.add(target),
            _ => unit.remove(target),
        }
    }

    #[inline]
    fn add_vote(code: i64, unit: &Unit, sum: &mut [f64]) {
        sum[0] += code as f64 / unit.codes_per_one;
    }

    fn begin(all: &mut Sum, samples: Samples<'_, Self>) {
        *all = Sum::of(samples);
    }

    fn gain(all: &mut Sum, column: &[f32], level: f32, group: Group<'_, Self>) -> f64 {
        Sum::of_left(column, level, group.samples).gain(*all, group.rules.min_leaf)
    }

    fn sides(samples: Samples<'_, Self>, candidates: usize) -> NumberSides {
        let lefts = vec![Sum::default(); candidates].into();
        let all = Sum::of(samples);
        NumberSides { all, lefts }
    }

    fn narrow(sides: &mut NumberSides, candidates: usize) {
        sides.lefts = sides.lefts[..candidates].into();
    }

    fn change(sides: &mut NumberSides, own: Coded<Self>, step: i32, left: impl Fn(usize) -> bool) {
        sides.all.change(own, step);
        for (candidate, sum) in sides.lefts.iter_mut().enumerate() {
            if left(candidate) {
                sum.change(own, step);
            }
        }
    }

    fn recount(
        sides: &mut NumberSides,
        candidate: usize,
        column: &[f32],
        level: f32,
        samples: Samples<'_, Self>,
    ) {
        sides.lefts[candidate] = Sum::of_left(column, level, samples);
    }

    #[inline]
    fn gain_of(sides: &NumberSides, candidate: usize, min_leaf: u32) -> f64 {
        sides.lefts[candidate].gain(sides.all, min_leaf)
    }

    fn count(sides: &NumberSides) -> u32 {
        sides.all.count
    }

    /// Returns whether the mean on the left of the first candidate is that of all samples.
    fn may_be_pure(sides: &NumberSides) -> bool {
        let left = sides.lefts[0];
        let all = sides.all;
        left.sum.wrapping_mul(all.units.into()) == all.sum.wrapping_mul(left.units.into())
    }

    fn sides_bytes(sides: &NumberSides) -> usize {
        size_of_val(&*sides.lefts)
    }

    fn are_sides(sides: &NumberSides, candidates: usize) -> bool {
        sides.lefts.len() == candidates
    }

    fn leaf(leaves: &mut Pool<Sum>, samples: Samples<'_, Self>) -> u32 {
        leaves.insert(Sum::of(samples))
    }

    fn change_leaf(leaves: &mut Pool<Sum>, leaf: u32, sample: Coded<Self>, step: i32) {
        leaves.values[leaf as usize].change(sample, step);
    }

    fn release_leaf(leaves: &mut Pool<Sum>, leaf: u32) {
        leaves.release(leaf);
    }

    fn predict_leaf(
        leaves: &Pool<Sum>,
        leaf: u32,
        without: Option<Coded<Self>>,
        unit: &Unit,
        prediction: &mut [f64],
    ) {
        let mut sum = leaves.values[leaf as usize];
        if let Some(sample) = without {
            sum.change(sample, -1);
        }
        prediction[0] = sum.sum as f64 / sum.units as f64 / unit.codes_per_one;
    }

    fn leaves_bytes(leaves: &Pool<Sum>) -> usize {
        leaves.bytes()
    }

    fn are_leaves(leaves: &Pool<Sum>, numbers: &[u32], _: usize) -> bool {
        leaves.has(numbers)
    }
}

/// The sum of codes, each as often as its sample counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    sum: i128,
    /// How often the samples count together: their number if they have no weights.
    units: u64,
    count: u32,
}

impl Sum {
    /// 64 bits hold the sum of this many codes, which are below 2⁵³.
    const SUMMED_IN_64_BITS: usize = 512;

    fn of(samples: Samples<'_, Regression>) -> Self {
        if !samples.weights.is_empty() {
            return Self::of_weighted(samples, |_| true);
        }
        let parts = samples.codes.chunks(Self::SUMMED_IN_64_BITS);
        let sum = parts.map(|part| i128::from(part.iter().sum::<i64>())).sum();
        let units = samples.len() as u64;
        let count = samples.len() as u32;
        Self { sum, units, count }
    }

    /// Sums the samples whose value, in `column`, is at most `level`.
    #[inline]
    fn of_left(column: &[f32], level: f32, samples: Samples<'_, Regression>) -> Self {
        if !samples.weights.is_empty() {
            return Self::of_weighted(samples, |index| column[index] <= level);
        }
        let codes = samples.codes.chunks(Self::SUMMED_IN_64_BITS);
        let mut all = Self::default();
        for (column, codes) in column.chunks(Self::SUMMED_IN_64_BITS).zip(codes) {
            let mut sum = 0;
            let mut count = 0;
            for (&value, &code) in column.iter().zip(codes) {
                let is_left = value <= level;
                sum += code & -i64::from(is_left);
                count += u32::from(is_left);
            }
            all.sum += i128::from(sum);
            all.count += count;
        }
        all.units = all.count.into();
        all
    }

    #[cold]
    fn of_weighted(samples: Samples<'_, Regression>, is_in: impl Fn(usize) -> bool) -> Self {
        let mut all = Self::default();
        for (index, sample) in samples.coded().enumerate() {
            if is_in(index) {
                all.change(sample, 1);
            }
        }
        all
    }

    /// Adds a sample, or takes it out. All numbers wrap.
    fn change(&mut self, sample: Coded<Regression>, step: i32) {
        let product = i128::from(sample.code) * i128::from(sample.units);
        let units = sample.units.wrapping_mul(i64::from(step) as u64);
        self.sum = self.sum.wrapping_add(product * i128::from(step));
        self.units = self.units.wrapping_add(units);
        self.count = self.count.wrapping_add_signed(step);
    }

    /// Returns the gain of a split: n times the reduction of the sum of squared deviations, (nᵣ·l − nₗ·r)² / (nₗ·nᵣ),
    /// where l and r are the sums of codes on both sides; −∞ if a side has fewer than `min_leaf` samples.
    ///
    /// The difference is taken in integers, so that nothing is lost however far the targets are from 0. In nodes that
    /// count 2³² or more, which only weights do, sums and counts lose their last digits.
    #[inline]
    fn gain(self, all: Self, min_leaf: u32) -> f64 {
        if !Rules::allows(min_leaf, self.count, all.count) {
            return f64::NEG_INFINITY;
        }
        let mut sums = [self.sum, all.sum.wrapping_sub(self.sum)];
        let counts = [self.units, all.units.wrapping_sub(self.units)];
        let mut short_counts = counts;
        let lost = lost_digits(all.units);
        if lost > 0 {
            sums = sums.map(|sum| sum >> lost);
            short_counts = counts.map(|count| count >> lost);
        }
        let [l, r] = sums;
        let [n_l, n_r] = short_counts.map(i128::from);
        let difference = l.wrapping_mul(n_r).wrapping_sub(r.wrapping_mul(n_l));
        let difference = to_f64(difference.unsigned_abs());
        difference * difference / (counts[0] as f64 * counts[1] as f64)
    }
}

/// Returns the nearest `f64` of a number below 2¹¹⁷, in a few instructions.
#[inline]
fn to_f64(value: u128) -> f64 {
    /// Digits of the lower half that no `f64` of this size has, but for one that says whether they are all 0.
    const BEYOND: i64 = (1 << 10) - 1;
    let (high, low) = ((value >> 64) as i64, value as i64);
    if high == 0 {
        return low as u64 as f64;
    }
    // What is below is rounded to the odd neighbour, which leaves the rounding to the sum of both.
    let odd = i64::from(low & BEYOND != 0) << 10;
    let (high, low) = (high.wrapping_add(i64::from(low < 0)), (low & !BEYOND) | odd);
    high as f64 * (2.0f64).powi(64) + low as f64
}

/// Sums over all samples of a node and over those left of each candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberSides {
    all: Sum,
    lefts: Box<[Sum]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes below 2¹¹⁷, many of them halfway between two `f64`, or nearly.
    #[test]
    fn a_number_is_rounded_to_the_nearest() {
        for top in 0..117 {
            for bit in 0..top {
                let number = (1u128 << top) | (1 << bit);
                for number in [number - 1, number, number + 1, number | (number >> 53)] {
                    for number in [number, number | 1 << 11, number ^ (number >> 7)] {
                        if number >> 117 == 0 {
                            assert_eq!(to_f64(number), number as f64, "{number}");
                        }
                    }
                }
            }
        }
    }
}
