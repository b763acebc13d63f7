//! How many points lie on either side of each candidate split of a leaf.

use std::ops::{AddAssign, Mul};

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::packed_counts::PackedCounts;

/// The points of a leaf in the bins of its candidate dimensions, their labels aside.
///
/// A point that arrives when the candidates are complete counts in every candidate split: it is
/// added to one bin of each dimension. A point that arrives before counts only in the splits that
/// exist by then. These *early* points are few (about m of each stream), so they are kept as they
/// are: a label, how many candidate points there were, and a bin per dimension.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PointCounts<Y> {
    /// Weight of the points in each bin of each dimension, in the order of the dimensions.
    pub(crate) bins: PackedCounts,
    /// Weight of all points.
    pub(crate) total: u64,
    /// Weight of the points in the bins, which count in every split.
    pub(crate) binned: u64,
    early: Arena<EarlyPoint<Y>>,
    /// For each early point its bin in each dimension.
    early_bins: Arena<u8>,
}

/// A point that arrived before all candidate splits existed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct EarlyPoint<Y> {
    pub(crate) target: Y,
    pub(crate) weight: u32,
    /// Candidate points when it was counted, at least 1.
    pub(crate) points: u8,
}

impl<Y: Copy> PointCounts<Y> {
    pub(crate) fn new(dimensions: usize, bins: usize) -> Self {
        // One structure point for each threshold but the last, and about as many estimation points.
        let early = bins - 2;
        Self {
            bins: PackedCounts::zeros(dimensions * bins),
            total: 0,
            binned: 0,
            early: Vec::with_capacity(early).into(),
            early_bins: Vec::with_capacity(early * dimensions).into(),
        }
    }

    /// Counts a point in the splits that exist, of which there is one.
    #[cold]
    pub(crate) fn add_early(
        &mut self,
        early: EarlyPoint<Y>,
        bins: impl ExactSizeIterator<Item = u8>,
    ) {
        self.total += u64::from(early.weight);
        self.early.push(early);
        let start = self.early_bins.len();
        self.early_bins.resize(start + bins.len(), 0);
        let places = self.early_bins[start..].iter_mut();
        places.zip(bins).for_each(|(place, bin)| *place = bin);
    }

    /// Makes room for the bin above a new threshold of this rank in each dimension.
    ///
    /// An early point's place relative to the thresholds it counts in stays exact. Relative to the
    /// new one, in which it does not count, a point of the bin that is cut in two stays left.
    pub(crate) fn insert_bins(&mut self, ranks: &[u8]) {
        for bins in self.early_bins.chunks_exact_mut(ranks.len()) {
            for (bin, &rank) in bins.iter_mut().zip(ranks) {
                *bin += u8::from(*bin > rank);
            }
        }
    }

    /// Fills `sums` with what each split counts on both sides, by its source and the same in all
    /// dimensions: `binned`, and the value of each early point.
    pub(crate) fn sum_by_source<V: Copy + AddAssign>(
        &self,
        sums: &mut Vec<V>,
        splits: usize,
        binned: V,
        value: impl Fn(&EarlyPoint<Y>) -> V,
    ) {
        refill(sums, splits, binned);
        for early in self.early.iter() {
            let (counting, value) = (&mut sums[..early.points.into()], value(early));
            // Sources are numbered by arrival: a point counts in those before it, a prefix.
            counting.iter_mut().for_each(|sum| *sum += value);
        }
    }

    /// Fills `counted` with the weight that each split counts on both sides, by its source.
    pub(crate) fn count_by_source(&self, splits: usize, counted: &mut Vec<u64>) {
        self.sum_by_source(counted, splits, self.binned, |early| early.weight.into());
    }

    pub(crate) fn dimension<'a>(
        &'a self,
        candidates: &'a Candidates,
        index: usize,
    ) -> Dimension<'a, Y> {
        Dimension {
            index,
            bins: candidates.bins(),
            dimensions: candidates.dimensions(),
            sources: candidates.sources(index),
            points: self,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bins.bytes() + self.early.bytes() + self.early_bins.bytes()
    }

    /// Checks lengths, and that early points are in bins and splits that exist and have a target that is `possible`.
    pub(crate) fn check(
        &self,
        candidates: &Candidates,
        possible: impl Fn(Y) -> bool,
    ) -> Result<(), InvariantError> {
        let (dimensions, points) = (candidates.dimensions(), candidates.points());
        let early = |early: &EarlyPoint<Y>| early.points <= points && possible(early.target);
        let sound = self.bins.len() == dimensions * candidates.bins()
            && self.early_bins.len() == self.early.len().saturating_mul(dimensions)
            && self.early_bins.iter().all(|&bin| bin <= points)
            && self.early.iter().all(early)
            && self.bins.are_bounded()
            && self.binned.max(self.total) < 1 << 53;
        InvariantError::require(sound, "points", "impossible lengths or early points")
    }
}

/// One dimension: its bins and thresholds.
pub struct Dimension<'a, Y> {
    index: usize,
    /// Bins of this dimension.
    pub(crate) bins: usize,
    pub(crate) dimensions: usize,
    /// Which candidate point each threshold comes from.
    pub(crate) sources: &'a [u8],
    pub(crate) points: &'a PointCounts<Y>,
}

impl<'a, Y: Copy> Dimension<'a, Y> {
    /// Returns where the dimension's first bin is among those of all dimensions.
    pub(crate) fn start(&self) -> usize {
        self.index * self.bins
    }

    /// Bins of all dimensions.
    pub(crate) fn all_bins(&self) -> usize {
        self.dimensions * self.bins
    }

    /// Returns whether the bins may hold points: those that count in every split.
    pub(crate) fn is_complete(&self) -> bool {
        // m thresholds make m + 1 bins.
        self.sources.len() + 1 == self.bins
    }

    /// Returns the early points, and the bin of each.
    pub(crate) fn early(&self) -> impl Iterator<Item = (&'a EarlyPoint<Y>, usize)> {
        let bins = self.points.early_bins.iter().skip(self.index);
        let bins = bins.step_by(self.dimensions).map(|&bin| bin.into());
        self.points.early.iter().zip(bins)
    }

    /// Adds what an early point in `bin` weighs, times `unit`, on the left of every split that counts
    /// it. The product saves a branch that no processor can predict.
    #[inline]
    pub(crate) fn add_left<V>(&self, early: &EarlyPoint<Y>, bin: usize, unit: V, left: &mut [V])
    where
        V: Copy + AddAssign + Mul<Output = V> + From<u32>,
    {
        for (left, &source) in left[bin..].iter_mut().zip(&self.sources[bin..]) {
            *left += unit * V::from(early.weight * u32::from(source < early.points));
        }
    }

    /// Fills `left` with the weight on the left of every split.
    pub(crate) fn count_left(&self, left: &mut Vec<u64>) {
        refill(left, self.sources.len(), 0);
        self.points.bins.read_sums(self.start(), left);
        for (early, bin) in self.early() {
            self.add_left(early, bin, 1, left);
        }
    }

    /// Returns the sums of the bins left and right of a split, of which the dimension's first is number `start`.
    pub(crate) fn sides(&self, counts: &PackedCounts, start: usize, rank: usize) -> [u64; 2] {
        let left = rank + 1;
        let right = counts.sum(start + left, self.bins - left);
        [counts.sum(start, left), right]
    }
}

/// Fills a buffer with copies of a value.
pub(crate) fn refill<V: Clone>(buffer: &mut Vec<V>, length: usize, value: V) {
    buffer.clear();
    buffer.resize(length, value);
}
