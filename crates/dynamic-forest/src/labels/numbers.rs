//! Numbers: sums of codes, and the variance that a cut explains.

use forest_core::{Arena, InvariantError, Regression};
use serde::{Deserialize, Serialize};

use super::sealed::{MixedLeaves, Sides, Tally};
use crate::settings::Choice;
use crate::unit::Unit;

/// How good a cut is: n times the reduction of the sum of squared deviations,
/// (n·l − s·nₗ)² / (nₗ·nᵣ), where l and s are the sums of codes on the left and in all.
///
/// The difference is taken in integers, so that nothing is lost however far the targets are from 0; the rest is a fixed
/// expression, so that the same samples give the same bits. −∞ if a side has fewer than `side` samples.
#[inline]
fn gain(left: Sum, all: Sum, side: u32) -> f64 {
    if !Choice::allows(side, left.count, all.count) {
        return f64::NEG_INFINITY;
    }
    let difference = to_f64(difference(left, all).unsigned_abs());
    let sides = f64::from(left.count) * f64::from(all.count - left.count);
    difference * difference / sides
}

/// How far the sum on the left is from the share that its count has of the whole, times all samples: 0 if codes are equal.
#[inline]
fn difference(left: Sum, all: Sum) -> i128 {
    left.sum * i128::from(all.count) - all.sum * i128::from(left.count)
}

/// `value as f64` but for the last bit, in a few instructions.
#[inline]
fn to_f64(value: u128) -> f64 {
    let (high, low) = ((value >> 64) as u64, value as u64);
    high as f64 * (2.0f64).powi(64) + low as f64
}

/// Codes, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sum {
    sum: i128,
    count: u32,
}

/// The sum over a node's samples, and how many each side of a cut has at least.
#[derive(Clone, Debug, Default)]
pub struct NumberTally {
    all: Sum,
    side: u32,
}

/// Codes are below 2⁵³, so that 64 bits hold the sum of as many.
const SUMMED_IN_64_BITS: usize = 512;

impl Tally<i64> for NumberTally {
    fn fit(&mut self, _: usize) {}

    fn begin(&mut self, codes: &[i64], side: u32) {
        let all = Sum::of(codes);
        *self = Self { all, side };
    }

    fn gain(&mut self, column: &[f32], threshold: f32, codes: &[i64]) -> f64 {
        gain(sum_of_left(column, threshold, codes), self.all, self.side)
    }

    /// Not known.
    fn largest_gain(&self) -> f64 {
        f64::INFINITY
    }

    fn end(&mut self, _: &[i64]) {}
}

fn sum_of_left(column: &[f32], threshold: f32, codes: &[i64]) -> Sum {
    let mut all = Sum::default();
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

/// Sums over all samples of a node and over those left of each candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberSides {
    all: Sum,
    lefts: Box<[Sum]>,
}

impl Sum {
    fn of(codes: &[i64]) -> Self {
        let parts = codes.chunks(SUMMED_IN_64_BITS);
        let sum = parts.map(|part| i128::from(part.iter().sum::<i64>())).sum();
        Self {
            sum,
            count: codes.len() as u32,
        }
    }

    fn add(&mut self, code: i64) {
        self.sum += i128::from(code);
        self.count += 1;
    }

    fn remove(&mut self, code: i64) {
        self.sum -= i128::from(code);
        self.count -= 1;
    }
}

impl Sides<i64> for NumberSides {
    fn new(codes: &[i64], candidates: usize) -> Self {
        let lefts = vec![Sum::default(); candidates].into();
        Self {
            all: Sum::of(codes),
            lefts,
        }
    }

    fn found(&mut self, candidates: usize) {
        self.lefts = self.lefts[..candidates].into();
    }

    fn add(&mut self, code: i64, is_left: impl Fn(usize) -> bool) {
        self.all.add(code);
        let sides = self.lefts.iter_mut().enumerate();
        let lefts = sides.filter(|&(candidate, _)| is_left(candidate));
        lefts.for_each(|(_, left)| left.add(code));
    }

    fn remove(&mut self, code: i64, is_left: impl Fn(usize) -> bool) {
        self.all.remove(code);
        let sides = self.lefts.iter_mut().enumerate();
        let lefts = sides.filter(|&(candidate, _)| is_left(candidate));
        lefts.for_each(|(_, left)| left.remove(code));
    }

    fn recount(&mut self, candidate: usize, column: &[f32], threshold: f32, codes: &[i64]) {
        self.lefts[candidate] = sum_of_left(column, threshold, codes);
    }

    #[inline]
    fn gain(&self, candidate: usize, side: u32) -> f64 {
        gain(self.lefts[candidate], self.all, side)
    }

    fn count(&self) -> u32 {
        self.all.count
    }

    /// Equal codes leave nothing to gain.
    fn may_be_pure(&self) -> bool {
        difference(self.lefts[0], self.all) == 0
    }

    fn bytes(&self) -> usize {
        self.lefts.len() * size_of::<Sum>()
    }
}

/// A sum for each leaf.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Numbers {
    sums: Arena<Sum>,
    free: Arena<u32>,
}

impl MixedLeaves<Regression> for Numbers {
    fn insert(&mut self, codes: &[i64]) -> u32 {
        let sum = Sum::of(codes);
        if let Some(leaf) = self.free.pop() {
            self.sums[leaf as usize] = sum;
            return leaf;
        }
        self.sums.push(sum);
        self.sums.len() as u32 - 1
    }

    fn add(&mut self, leaf: u32, code: i64) {
        self.sums[leaf as usize].add(code);
    }

    fn remove(&mut self, leaf: u32, code: i64) {
        self.sums[leaf as usize].remove(code);
    }

    fn release(&mut self, leaf: u32) {
        self.free.push(leaf);
    }

    fn vote(&self, leaf: u32, unit: &Unit, accumulator: &mut [f64]) {
        let Sum { sum, count } = self.sums[leaf as usize];
        accumulator[0] = unit.mean(sum, count);
    }

    fn bytes(&self) -> usize {
        self.sums.bytes() + self.free.bytes()
    }

    fn check(&self, leaf: u32, codes: &[i64]) -> Result<(), InvariantError> {
        let expected = Sum::of(codes);
        let right = self.sums.get(leaf as usize) == Some(&expected);
        InvariantError::unless(right, "a mixed leaf", "its sum is not that of its samples")
    }

    fn check_all(&self, leaves: &[u32]) -> Result<(), InvariantError> {
        let mut all: Vec<u32> = self.free.iter().chain(leaves).copied().collect();
        all.sort_unstable();
        let each_once = all.into_iter().eq(0..self.sums.len() as u32);
        InvariantError::unless(each_once, "mixed leaves", "one is lost, or in use twice")
    }
}
