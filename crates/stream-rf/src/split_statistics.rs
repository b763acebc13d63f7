//! What some points of a leaf, with their labels, tell about its candidate splits.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates};
use crate::labels::{Labels, SplitLabels};
use crate::point_counts::{EarlyPoint, PointCounts};

/// The statistics of structure or of estimation points about the candidate splits of a leaf.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct SplitStatistics<T: Labels> {
    pub(crate) points: PointCounts<T::Target>,
    labels: T::Splits,
}

/// Working memory of a tree, so that no sample allocates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<T: Labels> {
    /// The bytes of a row.
    pub(crate) row: Vec<u8>,
    /// The ranks of new thresholds; empty if there are none.
    pub(crate) ranks: Vec<u8>,
    /// The bin of a point in each dimension.
    pub(crate) bins: Vec<u8>,
    /// The weight that a split counts, by its source.
    pub(crate) counted: Vec<u64>,
    left: Vec<u64>,
    /// Whether each split of each dimension has enough points on both sides.
    pub(crate) valid: Vec<bool>,
    /// The gain of each split of each dimension.
    pub(crate) gains: Vec<f64>,
    labels: T::Scratch,
}

impl<T: Labels> SplitStatistics<T> {
    /// Nothing counted yet about these candidates.
    pub(crate) fn new<F: Copy>(candidates: &Candidates<F>) -> Self {
        let (dimensions, bins) = (candidates.dimensions(), candidates.bins());
        Self {
            points: PointCounts::new(dimensions, bins),
            labels: T::Splits::new(dimensions * bins),
        }
    }

    /// Counts a point that lies in `bins` of the dimensions.
    #[inline]
    pub(crate) fn add<F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        bins: &[u8],
        target: T::Target,
        weight: u32,
    ) {
        let width = candidates.bins();
        let all_bins = bins.len() * width;
        if !candidates.are_complete() {
            let points = candidates.points();
            let early = EarlyPoint {
                target,
                weight,
                points,
            };
            if points > 0 {
                self.labels.register(target, all_bins);
            }
            return self.points.add_early(early, bins);
        }
        let of_dimension = move |(d, &bin): (usize, &u8)| d * width + usize::from(bin);
        let at = || bins.iter().enumerate().map(of_dimension);
        self.points.add(at(), weight);
        self.labels.add(at(), all_bins, target, weight);
    }

    /// The most that a point adds to the gain of any split times its weight.
    #[inline]
    pub(crate) fn gain_increase<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        target: T::Target,
        weight: u32,
    ) -> f64 {
        let first = self.points.dimension(candidates, 0);
        self.labels.gain_increase(&first, target, weight)
    }

    /// Fills `scratch.valid`: which splits have `alpha` points on each side. Returns how many more it
    /// takes at least until another one has.
    pub(crate) fn mark_valid<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        alpha: u64,
        scratch: &mut Scratch<T>,
    ) -> u64 {
        scratch.valid.clear();
        self.points
            .count_by_source(candidates.points(), &mut scratch.counted);
        let lack = |points: u64| alpha.saturating_sub(points);
        let mut least_missing = u64::MAX;
        for dimension in 0..candidates.dimensions() {
            let of = self.points.dimension(candidates, dimension);
            of.count_left(&mut scratch.left);
            for (&left, &source) in scratch.left.iter().zip(of.sources) {
                let right = scratch.counted[usize::from(source)] - left;
                let missing = lack(left).saturating_add(lack(right));
                scratch.valid.push(missing == 0);
                least_missing = least_missing.min(missing);
            }
        }
        least_missing
    }

    /// Fills `scratch.gains`. Returns the largest gain times its split's weight.
    pub(crate) fn find_gains<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        scratch: &mut Scratch<T>,
    ) -> f64 {
        let (counted, labels) = (&mut scratch.counted, &mut scratch.labels);
        self.points.count_by_source(candidates.points(), counted);
        let dimension = |index| self.points.dimension(candidates, index);
        self.labels.prepare(&dimension(0), counted, labels);
        scratch.gains.clear();
        let mut most = 0.0f64;
        for of in (0..candidates.dimensions()).map(dimension) {
            let gains = &mut scratch.gains;
            most = most.max(self.labels.append_gains(&of, counted, labels, gains));
        }
        most
    }

    /// The weight of the points on the left of a split, and on both sides.
    pub(crate) fn sizes<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        at: Candidate,
        scratch: &mut Scratch<T>,
    ) -> (u64, u64) {
        let of = self.points.dimension(candidates, at.dimension);
        of.count_left(&mut scratch.left);
        self.points
            .count_by_source(candidates.points(), &mut scratch.counted);
        let source = usize::from(of.sources[at.rank]);
        (scratch.left[at.rank], scratch.counted[source])
    }

    /// Adds the labels on the two sides of a split to a row of cells each.
    pub(crate) fn add_sides<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        at: Candidate,
        (left, right): (&mut [T::Cell], &mut [T::Cell]),
    ) {
        let of = self.points.dimension(candidates, at.dimension);
        self.labels.add_sides(&of, at.rank, left, right);
        for (early, is_left) in of.early_sides(at.rank) {
            let side = if is_left { &mut *left } else { &mut *right };
            T::add(side, early.target, early.weight);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.points.bytes() + self.labels.bytes()
    }

    /// Checks that the labels are those of the points.
    pub(crate) fn check<F: Copy>(
        &self,
        candidates: &Candidates<F>,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError> {
        let possible = |target| {
            T::check(outputs, target, 0).is_ok()
                && T::admit(*outputs, target) == *outputs
                && self.labels.is_registered(target)
        };
        self.points.check(candidates, possible)?;
        let points = self.points.bins();
        self.labels.check(points, candidates.bins(), outputs)
    }
}

#[cfg(test)]
mod faults;
