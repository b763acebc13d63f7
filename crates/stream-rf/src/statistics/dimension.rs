//! One dimension: what lies on either side of each of its thresholds.

use std::ops::{AddAssign, Mul};

use super::{Early, SplitStatistics};
use crate::labels::{Labels, Sums, Work};

/// The statistics of one dimension.
pub struct Dimension<'a, T: Labels> {
    pub(crate) index: usize,
    pub(crate) bins: usize,
    pub(crate) sources: &'a [u8],
    pub(super) statistics: &'a SplitStatistics<T>,
    pub(super) dimensions: usize,
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
        &self.statistics.sums
    }

    /// Weight of all points counted.
    pub(crate) fn total(&self) -> u64 {
        self.statistics.total
    }

    /// Weight of the points that count in every split.
    pub(crate) fn settled(&self) -> u64 {
        self.statistics.settled
    }

    /// The weight in a bin, early points not included.
    pub(crate) fn count(&self, bin: usize) -> u64 {
        self.statistics.sizes.sum(self.start() + bin, 1)
    }

    /// The early points, and the bin of each.
    pub(crate) fn early(&self) -> impl Iterator<Item = (&'a Early<T::Target>, usize)> {
        let bins = self.statistics.early_bins.iter().skip(self.index);
        let bins = bins.step_by(self.dimensions).map(|&bin| bin.into());
        self.statistics.early.iter().zip(bins)
    }

    /// Whether the bins may hold points: those that count in every split.
    pub(crate) fn is_complete(&self) -> bool {
        self.sources.len() + 1 == self.bins
    }

    /// Adds what an early point weighs on the left of every split to `left`: nothing where it does
    /// not count. Without a branch, since that is a toss-up.
    #[inline]
    pub(crate) fn add_left<N>(&self, early: &Early<T::Target>, bin: usize, unit: N, left: &mut [N])
    where
        N: Copy + AddAssign + Mul<Output = N> + From<u32>,
    {
        for (left, &source) in left[bin..].iter_mut().zip(&self.sources[bin..]) {
            *left += unit * N::from(early.weight * u32::from(source < early.points));
        }
    }

    /// Fills `work.sizes` with the weights at every split; `work.counted` has those by source.
    pub(crate) fn sizes(&self, work: &mut Work<T>) {
        work.cells.clear();
        work.cells.resize(self.bins, 0);
        if self.is_complete() {
            self.statistics.sizes.read(self.start(), &mut work.cells);
            accumulate(&mut work.cells);
        }
        for (early, bin) in self.early() {
            self.add_left(early, bin, 1, &mut work.cells);
        }
        let splits = work.cells.iter().zip(self.sources);
        let sizes = splits.map(|(&left, &source)| Sizes {
            left,
            both: work.counted[usize::from(source)],
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
        let source = self.sources[rank];
        for (early, bin) in self.early().filter(|(early, _)| source < early.points) {
            let side = if bin <= rank { &mut *left } else { &mut *right };
            T::add(side, early.target, early.weight);
        }
    }
}
