//! What one stream has shown about the candidate splits of a leaf, in bins.

use std::ops::{AddAssign, Mul};

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::counters::Counters;
use crate::labels::{Labels, Sums, Work};

/// What one stream has shown about the candidate splits of a leaf.
///
/// A point that arrives when the candidates are complete counts in every candidate split: it is
/// added to one bin of each dimension. A point that arrives before counts only in the splits that
/// exist by then. These *early* points are few (about m of each stream), so they are kept as they
/// are: a label, how many candidate points there were, and a bin per dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Evidence<T: Labels> {
    /// Weight of the points in each bin of each dimension.
    sizes: Counters,
    sums: T::Sums,
    total: u64,
    early: Vec<Early<T::Target>>,
    /// For each early point its bin in each dimension.
    early_bins: Vec<u8>,
}

/// A point that arrived before all candidate splits existed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Early<Y> {
    pub(crate) target: Y,
    pub(crate) weight: u32,
    /// Candidate points when it was counted, at least 1.
    pub(crate) points: u8,
}

/// One dimension of the evidence of a leaf.
pub struct Dimension<'a, T: Labels> {
    pub(crate) index: usize,
    pub(crate) bins: usize,
    pub(crate) births: &'a [u8],
    evidence: &'a Evidence<T>,
    dimensions: usize,
}

/// Weights on the left and on both sides of a candidate split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    pub(crate) left: u64,
    pub(crate) both: u64,
}

impl Sizes {
    pub(crate) fn right(self) -> u64 {
        self.both - self.left
    }
}

/// Makes every number the sum of those up to it.
pub(crate) fn accumulate(row: &mut [u64]) {
    let mut sum = 0;
    for cell in row {
        sum += *cell;
        *cell = sum;
    }
}

impl<T: Labels> Default for Evidence<T> {
    fn default() -> Self {
        Self {
            sizes: Counters::default(),
            sums: T::Sums::default(),
            total: 0,
            early: Vec::new(),
            early_bins: Vec::new(),
        }
    }
}

impl<T: Labels> Evidence<T> {
    /// Forgets everything, to count for these candidates.
    pub(crate) fn restart<F: Copy>(&mut self, candidates: &Candidates<F>) {
        let (dimensions, bins) = (candidates.dimensions(), candidates.bins());
        self.sizes.restart(dimensions * bins);
        self.sums.restart(dimensions * bins);
        self.total = 0;
        self.early.clear();
        self.early_bins.clear();
        self.early_bins.reserve(dimensions * bins);
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
            self.sums.meet(early.target, bins.len() * stride);
            self.early.push(early);
            self.early_bins.extend_from_slice(bins);
        }
    }

    /// Weight of the points that count in every split.
    fn settled<F: Copy>(&self, candidates: &Candidates<F>) -> u64 {
        self.sizes.sum(0, candidates.bins())
    }

    /// The fewest points that a candidate split has counted: those that count in all, or the one
    /// that has created the newest.
    pub(crate) fn least<F: Copy>(&self, candidates: &Candidates<F>) -> u64 {
        if candidates.are_complete() {
            self.settled(candidates)
        } else {
            1
        }
    }

    /// Fills `born` with the weight that a split counts on both sides, by the candidate point it
    /// comes from: the same in all dimensions.
    pub(crate) fn weigh_births<F: Copy>(&self, candidates: &Candidates<F>, born: &mut Vec<u64>) {
        born.clear();
        born.resize(candidates.points().into(), self.settled(candidates));
        for early in &self.early {
            let counting = &mut born[..usize::from(early.points)];
            counting
                .iter_mut()
                .for_each(|all| *all += u64::from(early.weight));
        }
    }

    /// The most that a point with this label can add to the gain of a split times its points.
    pub(crate) fn surprise<F: Copy>(&self, candidates: &Candidates<F>, target: T::Target) -> f64 {
        self.sums.surprise(&self.dimension(candidates, 0), target)
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
            births: candidates.births(index),
            evidence: self,
            dimensions: candidates.dimensions(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sizes.bytes()
            + self.sums.bytes()
            + size_of_val(self.early.as_slice())
            + size_of_val(self.early_bins.as_slice())
    }

    /// Checks that every dimension has counted the same points, as the labels have.
    ///
    /// # Errors
    /// What does not hold.
    pub(crate) fn check<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError> {
        let (dimensions, bins) = (candidates.dimensions(), candidates.bins());
        let fits = self.sizes.len() == dimensions * bins && self.total < 1 << 53;
        InvariantError::unless(fits, || "evidence", || "impossible lengths")?;
        self.sums.check(&self.sizes, outputs)?;
        self.check_early(candidates, outputs)?;
        let settled = self.settled(candidates);
        let equal = (0..dimensions).all(|d| self.sizes.sum(d * bins, bins) == settled);
        let early = self.early.iter().map(|early| u64::from(early.weight));
        let bounded = early.fold(settled, u64::saturating_add) <= self.total;
        let right = equal && bounded && (settled == 0 || candidates.are_complete());
        InvariantError::unless(right, || "evidence", || "bins hold too many points")
    }

    fn check_early<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError> {
        let cells = self.early.len().saturating_mul(candidates.dimensions());
        let fits = self.early_bins.len() == cells;
        let within = |&bin| bin <= candidates.points();
        let sound = |early: &Early<T::Target>| {
            (1..=candidates.points()).contains(&early.points)
                && T::check(outputs, early.target, 0).is_ok()
                && T::admit(*outputs, early.target) == *outputs
                && self.sums.has_met(early.target)
        };
        let sound = fits && self.early_bins.iter().all(within) && self.early.iter().all(sound);
        InvariantError::unless(sound, || "evidence", || "impossible early points")
    }
}

impl<'a, T: Labels> Dimension<'a, T> {
    /// Where the dimension's first bin is among those of all dimensions.
    pub(crate) fn start(&self) -> usize {
        self.index * self.bins
    }

    /// Bins of all dimensions.
    pub(crate) fn all_bins(&self) -> usize {
        self.dimensions * self.bins
    }

    pub(crate) fn sums(&self) -> &'a T::Sums {
        &self.evidence.sums
    }

    /// Weight of all points counted.
    pub(crate) fn total(&self) -> u64 {
        self.evidence.total
    }

    /// The weight in each bin, early points not included.
    pub(crate) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.bins];
        self.evidence.sizes.read(self.start(), &mut counts);
        counts
    }

    /// The early points, and the bin of each.
    pub(crate) fn early(&self) -> impl Iterator<Item = (&'a Early<T::Target>, usize)> {
        let bins = self.evidence.early_bins.iter().skip(self.index);
        let bins = bins.step_by(self.dimensions).map(|&bin| bin.into());
        self.evidence.early.iter().zip(bins)
    }

    /// Whether the bins may hold points: those that count in every split.
    pub(crate) fn is_complete(&self) -> bool {
        self.births.len() + 1 == self.bins
    }

    /// Adds what an early point weighs on the left of every split to `left`: nothing where it does
    /// not count. Without a branch, since that is a toss-up.
    #[inline]
    pub(crate) fn add_left<N>(&self, early: &Early<T::Target>, bin: usize, unit: N, left: &mut [N])
    where
        N: Copy + AddAssign + Mul<Output = N> + From<u32>,
    {
        for (left, &birth) in left[bin..].iter_mut().zip(&self.births[bin..]) {
            *left += unit * N::from(early.weight * u32::from(birth < early.points));
        }
    }

    /// Fills `work.sizes` with the weights at every split; `work.born` has those by birth.
    pub(crate) fn sizes(&self, work: &mut Work<T>) {
        work.cells.clear();
        work.cells.resize(self.bins, 0);
        if self.is_complete() {
            self.evidence.sizes.read(self.start(), &mut work.cells);
            accumulate(&mut work.cells);
        }
        for (early, bin) in self.early() {
            self.add_left(early, bin, 1, &mut work.cells);
        }
        let splits = work.cells.iter().zip(self.births);
        let sizes = splits.map(|(&left, &birth)| Sizes {
            left,
            both: work.born[usize::from(birth)],
        });
        work.sizes.clear();
        work.sizes.extend(sizes);
    }

    /// Appends to `work.valid` whether each split has at least `alpha` points on both sides.
    /// Returns how many the split lacks that lacks fewest, as each point is on one side.
    pub(crate) fn mark_valid(&self, alpha: u64, work: &mut Work<T>) -> u64 {
        self.sizes(work);
        let lack = |points: u64| alpha.saturating_sub(points);
        let missing = work.sizes.iter().map(|sizes| {
            let missing = lack(sizes.left).saturating_add(lack(sizes.right()));
            work.valid.push(missing == 0);
            missing
        });
        missing.min().unwrap_or(0)
    }

    /// Adds the labels on the two sides of a split to a row of cells each.
    pub(crate) fn sides(&self, rank: usize, left: &mut [T::Cell], right: &mut [T::Cell]) {
        self.sums().sides(self, rank, left, right);
        let birth = self.births[rank];
        for (early, bin) in self.early().filter(|(early, _)| birth < early.points) {
            let side = if bin <= rank { &mut *left } else { &mut *right };
            T::add(side, early.target, early.weight);
        }
    }
}
