//! Numbers: sums of codes, and the variance that a cut explains.

mod sum;
mod weighted;
mod wide;

use std::fmt::Debug;

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub(crate) use sum::Sum;
pub(crate) use weighted::WeightedSum;

use super::sealed::{MixedLeaves, Sides, Tally};
use crate::unit::Unit;

/// Codes that are added up, each as often as its sample counts.
pub(crate) trait NumberSum<C>:
    Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    fn of(codes: &[C]) -> Self;
    /// Sums the samples whose value, in `column`, is at most `threshold`.
    fn of_left(column: &[f32], threshold: f32, codes: &[C]) -> Self;
    fn add(&mut self, code: C);
    fn remove(&mut self, code: C);
    /// Returns how good a cut is: n times the reduction of the sum of squared deviations,
    /// (n·l − s·nₗ)² / (nₗ·nᵣ), where l and s are the sums of codes on the left and in all, and samples count in n as often as
    /// in the sums.
    ///
    /// The difference is taken in integers, so that nothing is lost however far the targets are from 0; the rest is a fixed
    /// expression, so that the same samples give the same bits. −∞ if a side has fewer than `side` samples.
    fn gain(left: Self, all: Self, side: u32) -> f64;
    /// Returns whether the mean on the left is that of all: so it is if codes are equal.
    fn is_a_share(left: Self, all: Self) -> bool;
    /// Returns the number of samples.
    fn count(self) -> u32;
    /// Returns the mean of the targets.
    fn mean(self, unit: &Unit) -> f64;
}

/// The sum over a node's samples, and how many each side of a cut has at least.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberTally<S> {
    all: S,
    side: u32,
}

impl<C: Copy, S: NumberSum<C>> Tally<C> for NumberTally<S> {
    fn fit(&mut self, _: usize) {}

    fn begin(&mut self, codes: &[C], side: u32) {
        let all = S::of(codes);
        *self = Self { all, side };
    }

    fn gain(&mut self, column: &[f32], threshold: f32, codes: &[C]) -> f64 {
        S::gain(S::of_left(column, threshold, codes), self.all, self.side)
    }

    /// Not known.
    fn largest_gain(&self) -> f64 {
        f64::INFINITY
    }

    fn end(&mut self, _: &[C]) {}
}

/// Sums over all samples of a node and over those left of each candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NumberSides<S> {
    all: S,
    lefts: Box<[S]>,
}

impl<C: Copy, S: NumberSum<C>> Sides<C> for NumberSides<S> {
    fn new(codes: &[C], candidates: usize) -> Self {
        let lefts = vec![S::default(); candidates].into();
        Self {
            all: S::of(codes),
            lefts,
        }
    }

    fn found(&mut self, candidates: usize) {
        self.lefts = self.lefts[..candidates].into();
    }

    fn add(&mut self, code: C, is_left: impl Fn(usize) -> bool) {
        self.all.add(code);
        let sides = self.lefts.iter_mut().enumerate();
        let lefts = sides.filter(|&(candidate, _)| is_left(candidate));
        lefts.for_each(|(_, left)| left.add(code));
    }

    fn remove(&mut self, code: C, is_left: impl Fn(usize) -> bool) {
        self.all.remove(code);
        let sides = self.lefts.iter_mut().enumerate();
        let lefts = sides.filter(|&(candidate, _)| is_left(candidate));
        lefts.for_each(|(_, left)| left.remove(code));
    }

    fn recount(&mut self, candidate: usize, column: &[f32], threshold: f32, codes: &[C]) {
        self.lefts[candidate] = S::of_left(column, threshold, codes);
    }

    #[inline]
    fn gain(&self, candidate: usize, side: u32) -> f64 {
        S::gain(self.lefts[candidate], self.all, side)
    }

    fn count(&self) -> u32 {
        self.all.count()
    }

    /// Equal codes leave nothing to gain.
    fn may_be_pure(&self) -> bool {
        S::is_a_share(self.lefts[0], self.all)
    }

    fn bytes(&self) -> usize {
        self.lefts.len() * size_of::<S>()
    }
}

/// A sum for each leaf.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Numbers<S> {
    sums: Arena<S>,
    free: Arena<u32>,
}

impl<S> Default for Numbers<S> {
    fn default() -> Self {
        Self {
            sums: Arena::default(),
            free: Arena::default(),
        }
    }
}

impl<C, S: NumberSum<C>> MixedLeaves<C> for Numbers<S> {
    type Unit = Unit;

    fn insert(&mut self, codes: &[C]) -> u32 {
        let sum = S::of(codes);
        if let Some(leaf) = self.free.pop() {
            self.sums[leaf as usize] = sum;
            return leaf;
        }
        self.sums.push(sum);
        self.sums.len() as u32 - 1
    }

    fn add(&mut self, leaf: u32, code: C) {
        self.sums[leaf as usize].add(code);
    }

    fn remove(&mut self, leaf: u32, code: C) {
        self.sums[leaf as usize].remove(code);
    }

    fn release(&mut self, leaf: u32) {
        self.free.push(leaf);
    }

    fn vote(&self, leaf: u32, unit: &Unit, accumulator: &mut [f64]) {
        accumulator[0] = self.sums[leaf as usize].mean(unit);
    }

    fn vote_without(&self, leaf: u32, code: C, unit: &Unit, accumulator: &mut [f64]) {
        let mut others = self.sums[leaf as usize];
        others.remove(code);
        accumulator[0] = others.mean(unit);
    }

    fn bytes(&self) -> usize {
        self.sums.bytes() + self.free.bytes()
    }

    fn check(&self, leaf: u32, codes: &[C]) -> Result<(), InvariantError> {
        let expected = S::of(codes);
        let right = self.sums.get(leaf as usize) == Some(&expected);
        InvariantError::require(right, "a mixed leaf", "its sum does not match its samples")
    }

    fn check_all(&self, leaves: &[u32]) -> Result<(), InvariantError> {
        let mut all: Vec<u32> = self.free.iter().chain(leaves).copied().collect();
        all.sort_unstable();
        let each_once = all.into_iter().eq(0..self.sums.len() as u32);
        InvariantError::require(
            each_once,
            "mixed leaves",
            "one is orphaned, or in use twice",
        )
    }
}
