//! Statistics of the points of a leaf at its candidate splits; and what differs between classes and numbers.

use std::fmt::Debug;
use std::ops::{AddAssign, Mul};

use forest_core::{Arena, InvariantError, Task, Vote};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::candidates::{Candidate, Candidates};
use crate::packed_counts::PackedCounts;

/// How labels are summed up in a leaf and compared at a candidate split.
///
/// A leaf's summary is a row of cells, as wide as a prediction: a count per class, or the moments of numbers.
#[doc(hidden)]
pub trait Labels: Task {
    /// One number, or a few, of a leaf's summary.
    type Cell: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// The labels in every bin of every candidate dimension of a leaf.
    type Bins: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Adds `weight` times the label to a summary.
    fn add(row: &mut [Self::Cell], target: Self::Target, weight: u32);

    /// ê: the error of a leaf that predicts with its own labels: 1 − the largest frequency, or the variance.
    fn error(row: &[Self::Cell]) -> f64;

    /// Returns the width of an accumulator; by default that of a prediction.
    fn accumulator_width(outputs: &Self::Outputs) -> usize {
        Self::width(outputs)
    }

    /// Overwrites an accumulator with a leaf's prediction: zeros, if it has seen no label.
    fn vote(row: &[Self::Cell], vote: Vote, accumulator: &mut [f64]);

    /// The mean prediction of the trees that have one; the prior prediction if none has.
    fn finish(accumulator: &[f64], prediction: &mut [f64]);

    /// Returns no labels in `bins` bins in all.
    fn empty(bins: usize) -> Self::Bins;

    /// Adds `weight` times a label to these places of `bins`, one in each dimension; an early point is in no bin.
    fn add_to_bins(
        labels: &mut Self::Bins,
        places: impl Iterator<Item = usize>,
        bins: usize,
        target: Self::Target,
        weight: u32,
    );

    /// Adds the labels in bins left of a split to the first row, those right of it to the second.
    fn add_sides(
        stats: &Statistics<Self>,
        candidates: &Candidates,
        at: Candidate,
        rows: &mut [&mut [Self::Cell]; 2],
    );

    /// Fills `scratch.gains` for every split of every dimension; returns the largest gain times weight.
    fn find_gains(stats: &Statistics<Self>, candidates: &Candidates, scratch: &mut Scratch) -> f64;

    /// Returns the most that `weight` times this label can add to the gain of any split times its weight.
    fn gain_increase(
        stats: &Statistics<Self>,
        candidates: &Candidates,
        target: Self::Target,
        weight: u32,
    ) -> f64;

    /// Returns the bytes allocated.
    fn bytes(labels: &Self::Bins) -> usize;

    /// Returns whether the labels, those of early points included, are known, and in as many bins: after decoding.
    fn fit(stats: &Statistics<Self>, bins: usize, known: &Self::Outputs) -> bool;
}

/// The structure or the estimation points of a leaf. A point that arrives when the candidates are complete counts in
/// every split: it is added to one bin of each dimension. One that arrives before counts only in the splits that exist
/// by then; these *early* points are few (about m of each stream), so they are kept as they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Statistics<T: Labels> {
    /// Weight of the points in each bin of each dimension, in the order of the dimensions.
    pub(crate) counts: PackedCounts,
    /// Weight of all points.
    pub(crate) total: u64,
    /// Weight of the points in the bins, which count in every split.
    pub(crate) binned: u64,
    pub(crate) early: Arena<EarlyPoint<T::Target>>,
    /// For each early point its bin in each dimension.
    early_bins: Arena<u8>,
    /// The labels in the bins.
    pub(crate) labels: T::Bins,
}

/// A point that arrived before all candidate splits existed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct EarlyPoint<Y> {
    pub(crate) target: Y,
    pub(crate) weight: u32,
    /// Candidate points when it was counted, at least 1.
    pub(crate) points: u8,
}

/// Working memory of a tree, so that no sample allocates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The values of a point in each dimension.
    pub(crate) values: Vec<f32>,
    /// The ranks of new thresholds.
    pub(crate) ranks: Vec<u8>,
    /// The weight that a split counts, by its source.
    pub(crate) counted: Vec<u64>,
    /// The weight on the left of each split of one dimension.
    pub(crate) left: Vec<u64>,
    /// Whether each split of each dimension has enough points on both sides.
    pub(crate) valid: Vec<bool>,
    /// The gain of each split of each dimension.
    pub(crate) gains: Vec<f64>,
    /// Of classes: N·H(A), by the source of the split. Of numbers: the sum left of each split of one dimension.
    pub(crate) sums: Vec<f64>,
    /// The histogram of each early point.
    pub(crate) histograms: Vec<usize>,
    /// Weight of each class on both sides, by the source of the split.
    pub(crate) of_class: Vec<u64>,
    /// Weight of each class on the left of each split of one dimension.
    pub(crate) left_of_class: Vec<u64>,
    /// Powers of the numbers on both sides, by the source of the split.
    pub(crate) powers: Vec<Powers>,
}

/// The numbers of one bin, or of several: their sum, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Powers {
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl AddAssign for Powers {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

impl<T: Labels> Statistics<T> {
    /// Returns the statistics of these candidates before the first point.
    pub(crate) fn new(candidates: &Candidates) -> Self {
        let dimensions = candidates.dimensions();
        let bins = dimensions * candidates.bins();
        // One structure point for each threshold but the last, and about as many estimation points.
        let early = candidates.bins() - 2;
        Self {
            counts: PackedCounts::zeros(bins),
            total: 0,
            binned: 0,
            early: Vec::with_capacity(early).into(),
            early_bins: Vec::with_capacity(early * dimensions).into(),
            labels: T::empty(bins),
        }
    }

    /// Counts a point with these values in the dimensions.
    #[inline]
    pub(crate) fn add(
        &mut self,
        candidates: &Candidates,
        values: &[f32],
        target: T::Target,
        weight: u32,
    ) {
        let all_bins = candidates.dimensions() * candidates.bins();
        let located = candidates.locate(values);
        self.total += u64::from(weight);
        if candidates.are_complete() {
            self.binned += u64::from(weight);
            let places = located.enumerate().map(|(dimension, bin)| {
                let place = dimension * candidates.bins() + usize::from(bin);
                self.counts.add(place, weight);
                place
            });
            T::add_to_bins(&mut self.labels, places, all_bins, target, weight);
        // An estimation point that comes before any candidate counts in no split, but in the leaf.
        } else if candidates.points > 0 {
            // Its label is known, but in no bin.
            let no_bin = std::iter::empty();
            T::add_to_bins(&mut self.labels, no_bin, all_bins, target, weight);
            self.early.push(EarlyPoint {
                target,
                weight,
                points: candidates.points,
            });
            located.for_each(|bin| self.early_bins.push(bin));
        }
    }

    /// Makes room for the bin above a new threshold of this rank in each dimension. Early points keep their place
    /// relative to the thresholds they count in; those of the bin that is cut in two stay left of the new one.
    pub(crate) fn insert_bins(&mut self, ranks: &[u8]) {
        for bins in self.early_bins.chunks_exact_mut(ranks.len()) {
            for (bin, &rank) in bins.iter_mut().zip(ranks) {
                *bin += u8::from(*bin > rank);
            }
        }
    }

    /// Fills `sums` with what each split counts on both sides, by its source: `binned`, and `value` of early points.
    pub(crate) fn sum_by_source<V: Copy + AddAssign>(
        &self,
        sums: &mut Vec<V>,
        splits: usize,
        binned: V,
        value: impl Fn(&EarlyPoint<T::Target>) -> V,
    ) {
        refill(sums, splits, binned);
        for early in self.early.iter() {
            let value = value(early);
            // Sources are numbered by arrival: a point counts in those before it, a prefix.
            for sum in &mut sums[..early.points.into()] {
                *sum += value;
            }
        }
    }

    /// Returns the early points, and the bin of each in a dimension.
    pub(crate) fn early(
        &self,
        candidates: &Candidates,
        dimension: usize,
    ) -> impl Iterator<Item = (&EarlyPoint<T::Target>, usize)> {
        let bins = self.early_bins.iter().skip(dimension);
        let bins = bins.step_by(candidates.dimensions());
        self.early.iter().zip(bins.map(|&bin| bin.into()))
    }

    /// Fills `left` with the weight on the left of every split of a dimension.
    pub(crate) fn count_left(
        &self,
        candidates: &Candidates,
        dimension: usize,
        left: &mut Vec<u64>,
    ) {
        let sources = candidates.sources(dimension);
        refill(left, sources.len(), 0);
        self.counts.read_sums(dimension * candidates.bins(), left);
        for (early, bin) in self.early(candidates, dimension) {
            add_left(sources, early, bin, 1, left);
        }
    }

    /// Fills `counted` with the weight that each split counts on both sides, by its source.
    pub(crate) fn count_by_source(&self, candidates: &Candidates, counted: &mut Vec<u64>) {
        let splits = candidates.points.into();
        self.sum_by_source(counted, splits, self.binned, |early| early.weight.into());
    }

    /// Fills `scratch.valid`: which splits have `alpha` points on each side. Returns the fewest that another one lacks.
    pub(crate) fn mark_valid(
        &self,
        candidates: &Candidates,
        alpha: u64,
        scratch: &mut Scratch,
    ) -> u64 {
        self.count_by_source(candidates, &mut scratch.counted);
        let mut least_missing = u64::MAX;
        scratch.valid.clear();
        for dimension in 0..candidates.dimensions() {
            self.count_left(candidates, dimension, &mut scratch.left);
            for (&left, &source) in scratch.left.iter().zip(candidates.sources(dimension)) {
                // Wrapping: the counts of a crafted file may contradict each other.
                let right = scratch.counted[usize::from(source)].wrapping_sub(left);
                let missing = alpha.saturating_sub(left);
                let missing = missing.saturating_add(alpha.saturating_sub(right));
                scratch.valid.push(missing == 0);
                least_missing = least_missing.min(missing);
            }
        }
        least_missing
    }

    /// Adds the labels left and right of a split to a row of cells each. Returns the weight of both sides.
    pub(crate) fn add_sides(
        &self,
        candidates: &Candidates,
        at: Candidate,
        mut rows: [&mut [T::Cell]; 2],
    ) -> [u64; 2] {
        T::add_sides(self, candidates, at, &mut rows);
        let start = at.dimension * candidates.bins();
        let mut weights = self.counts.sides(start, at.rank + 1, candidates.bins());
        let source = candidates.sources(at.dimension)[at.rank];
        for (early, bin) in self.early(candidates, at.dimension) {
            if source < early.points {
                // Bin r holds the values up to threshold r, so bins up to the rank lie left.
                let side = usize::from(bin > at.rank);
                weights[side] += u64::from(early.weight);
                T::add(rows[side], early.target, early.weight);
            }
        }
        weights
    }

    pub(crate) fn bytes(&self) -> usize {
        let points = self.counts.bytes() + self.early.bytes() + self.early_bins.bytes();
        points + T::bytes(&self.labels)
    }

    /// Checks lengths, and that early points are in bins and splits that exist and have a known label: after decoding.
    pub(crate) fn check(
        &self,
        candidates: &Candidates,
        known: &T::Outputs,
    ) -> Result<(), InvariantError> {
        let dimensions = candidates.dimensions();
        let bins = dimensions * candidates.bins();
        let sound = self.counts.len() == bins
            && self.counts.are_bounded()
            && self.binned.max(self.total) < 1 << 53
            && T::fit(self, bins, known)
            && self.early_bins.len() == self.early.len().saturating_mul(dimensions)
            && self.early_bins.iter().all(|&bin| bin <= candidates.points)
            && (self.early.iter()).all(|early| early.points <= candidates.points);
        let what = "impossible lengths, early points or labels";
        InvariantError::require(sound, "statistics", what)
    }
}

/// Adds what an early point in `bin` weighs, times `unit`, on the left of every split that counts it; `sources` are
/// those of the dimension. The product saves an unpredictable branch.
#[inline]
pub(crate) fn add_left<Y, V>(
    sources: &[u8],
    early: &EarlyPoint<Y>,
    bin: usize,
    unit: V,
    left: &mut [V],
) where
    V: Copy + AddAssign + Mul<Output = V> + From<u32>,
{
    for (left, &source) in left[bin..].iter_mut().zip(&sources[bin..]) {
        *left += unit * V::from(early.weight * u32::from(source < early.points));
    }
}

pub(crate) fn refill<V: Clone>(buffer: &mut Vec<V>, length: usize, value: V) {
    buffer.clear();
    buffer.resize(length, value);
}
