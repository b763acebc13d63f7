//! The statistics of one stream about the candidate splits of a leaf, in bins.

mod check;
mod dimension;

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::counters::Counters;
use crate::labels::{Labels, Sums};

pub(crate) use dimension::accumulate;
pub use dimension::{Dimension, Sizes};

/// The statistics of one stream about the candidate splits of a leaf.
///
/// A point that arrives when the candidates are complete counts in every candidate split: it is
/// added to one bin of each dimension. A point that arrives before counts only in the splits that
/// exist by then. These *early* points are few (about m of each stream), so they are kept as they
/// are: a label, how many candidate points there were, and a bin per dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SplitStatistics<T: Labels> {
    /// Weight of the points in each bin of each dimension.
    sizes: Counters,
    sums: T::Sums,
    /// Weight of all points counted.
    total: u64,
    /// Weight of the points that count in every split.
    settled: u64,
    early: Arena<Early<T::Target>>,
    /// For each early point its bin in each dimension.
    early_bins: Arena<u8>,
}

/// A point that arrived before all candidate splits existed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Early<Y> {
    pub(crate) target: Y,
    pub(crate) weight: u32,
    /// Candidate points when it was counted, at least 1.
    pub(crate) points: u8,
}

impl<T: Labels> SplitStatistics<T> {
    /// Nothing counted yet about these candidates.
    pub(crate) fn new<F: Copy>(candidates: &Candidates<F>) -> Self {
        let bins = candidates.dimensions() * candidates.bins();
        // One structure point for each threshold but the last, and about as many estimation points.
        let early = candidates.bins() - 2;
        Self {
            sizes: Counters::zeros(bins),
            sums: T::Sums::new(bins),
            total: 0,
            settled: 0,
            early: Vec::with_capacity(early).into(),
            early_bins: Vec::with_capacity(early * candidates.dimensions()).into(),
        }
    }

    /// Weight of all points counted.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Counts a point that lies in `bins` of the dimensions.
    #[inline]
    pub(crate) fn count<F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        bins: &[u8],
        target: T::Target,
        weight: u32,
    ) {
        self.total = self.total.saturating_add(weight.into());
        if !candidates.are_complete() {
            let early = Early {
                target,
                weight,
                points: candidates.points(),
            };
            return self.count_early(early, bins, candidates.bins());
        }
        self.settled = self.settled.saturating_add(weight.into());
        let stride = candidates.bins();
        let cells = || {
            bins.iter()
                .enumerate()
                .map(move |(d, &bin)| d * stride + usize::from(bin))
        };
        self.sizes.add(cells(), weight);
        self.sums
            .count(cells(), bins.len() * stride, target, weight);
    }

    /// A point that arrives before the first candidate split counts in none.
    #[cold]
    fn count_early(&mut self, early: Early<T::Target>, bins: &[u8], stride: usize) {
        if early.points > 0 {
            self.sums
                .meet(early.target, early.weight, bins.len() * stride);
            self.early.push(early);
            self.early_bins.extend_from_slice(bins);
        }
    }

    /// Weight of the points that count in every split.
    pub(crate) fn settled(&self) -> u64 {
        self.settled
    }

    /// Fills `counted` with the weight that a split counts on both sides, by the candidate point it
    /// comes from: the same in all dimensions.
    pub(crate) fn count_by_source<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        counted: &mut Vec<u64>,
    ) {
        counted.clear();
        counted.resize(candidates.points().into(), self.settled);
        for early in self.early.iter() {
            let counting = &mut counted[..usize::from(early.points)];
            counting
                .iter_mut()
                .for_each(|all| *all += u64::from(early.weight));
        }
    }

    /// Follows a new threshold of this rank in each dimension.
    ///
    /// A point's place relative to the thresholds it counts in stays exact. Relative to the new
    /// one, in which it does not count, a point of the bin that is cut in two stays left.
    pub(crate) fn follow(&mut self, ranks: &[u8]) {
        for bins in self.early_bins.chunks_exact_mut(ranks.len()) {
            for (bin, &rank) in bins.iter_mut().zip(ranks) {
                *bin += u8::from(*bin > rank);
            }
        }
    }

    /// The view on one dimension of these candidates.
    pub(crate) fn dimension<'a, F: Copy>(
        &'a self,
        candidates: &'a Candidates<F>,
        index: usize,
    ) -> Dimension<'a, T> {
        Dimension {
            index,
            bins: candidates.bins(),
            sources: candidates.sources(index),
            statistics: self,
            dimensions: candidates.dimensions(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sizes.bytes() + self.sums.bytes() + self.early.bytes() + self.early_bins.bytes()
    }
}
