//! What some points of a leaf, with their labels, say about its candidate splits.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates};
use crate::features::FeatureSpace;
use crate::labels::{Labels, SplitLabels};
use crate::point_counts::{EarlyPoint, PointCounts};

/// The statistics of structure or of estimation points about the candidate splits of a leaf.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct SplitStatistics<T: Labels> {
    pub(crate) points: PointCounts<T::Target>,
    pub(crate) labels: T::Splits,
}

/// Working memory of a tree, so that no sample allocates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch<T: Labels> {
    /// The ranks of new thresholds.
    pub(crate) ranks: Vec<u8>,
    /// The weight that a split counts, by its source.
    counted: Vec<u64>,
    left: Vec<u64>,
    /// Whether each split of each dimension has enough points on both sides.
    pub(crate) valid: Vec<bool>,
    /// The gain of each split of each dimension.
    pub(crate) gains: Vec<f64>,
    labels: T::Scratch,
}

impl<T: Labels> SplitStatistics<T> {
    /// Nothing counted yet about these candidates.
    pub(crate) fn new<S: FeatureSpace>(candidates: &Candidates<S>) -> Self {
        let (dimensions, bins) = (candidates.dimensions(), candidates.bins());
        Self {
            points: PointCounts::new(dimensions, bins),
            labels: T::Splits::new(dimensions * bins),
        }
    }

    /// Counts a point that lies in `bins`, one of each dimension.
    #[inline]
    pub(crate) fn add<S: FeatureSpace>(
        &mut self,
        candidates: &Candidates<S>,
        bins: impl ExactSizeIterator<Item = u8>,
        target: T::Target,
        weight: u32,
    ) {
        let (width, points) = (candidates.bins(), candidates.points());
        let all_bins = candidates.dimensions() * width;
        if candidates.are_complete() {
            self.points.total += u64::from(weight);
            self.points.binned += u64::from(weight);
            let counts = &mut self.points.bins;
            let places = bins.enumerate().map(|(d, bin)| {
                let place = d * width + usize::from(bin);
                counts.add(place, weight);
                place
            });
            self.labels.add(places, all_bins, target, weight);
        // The first point of an estimation stream may come before any candidate: it counts in no split, but in the leaf.
        } else if points == 0 {
            self.points.total += u64::from(weight);
        } else {
            let no_bin = std::iter::empty();
            self.labels.add(no_bin, all_bins, target, weight);
            let early = EarlyPoint {
                target,
                weight,
                points,
            };
            self.points.add_early(early, bins);
        }
    }

    /// Fills `scratch.valid`: which splits have `alpha` points on each side. Returns how many more it
    /// takes at least until another one has.
    pub(crate) fn mark_valid<S: FeatureSpace>(
        &self,
        candidates: &Candidates<S>,
        alpha: u64,
        scratch: &mut Scratch<T>,
    ) -> u64 {
        let (counted, left) = (&mut scratch.counted, &mut scratch.left);
        self.points
            .count_by_source(candidates.points().into(), counted);
        let lack = |points: u64| alpha.saturating_sub(points);
        let mut least_missing = u64::MAX;
        scratch.valid.clear();
        for dimension in 0..candidates.dimensions() {
            let of = self.points.dimension(candidates, dimension);
            of.count_left(left);
            for (&left, &source) in left.iter().zip(of.sources) {
                let right = counted[usize::from(source)] - left;
                let missing = lack(left).saturating_add(lack(right));
                scratch.valid.push(missing == 0);
                least_missing = least_missing.min(missing);
            }
        }
        least_missing
    }

    /// Fills `scratch.gains`. Returns the largest gain times its split's weight.
    pub(crate) fn find_gains<S: FeatureSpace>(
        &self,
        candidates: &Candidates<S>,
        scratch: &mut Scratch<T>,
    ) -> f64 {
        let Scratch {
            counted,
            gains,
            labels,
            ..
        } = scratch;
        self.points
            .count_by_source(candidates.points().into(), counted);
        let dimension = |index| self.points.dimension(candidates, index);
        self.labels.find_gains(dimension, counted, labels, gains)
    }

    /// Adds the labels left and right of a split to a row of cells each. Returns the weight of both sides.
    pub(crate) fn add_sides<S: FeatureSpace>(
        &self,
        candidates: &Candidates<S>,
        at: Candidate,
        mut rows: [&mut [T::Cell]; 2],
    ) -> [u64; 2] {
        let of = self.points.dimension(candidates, at.dimension);
        self.labels.add_sides(&of, at.rank, &mut rows);
        let mut weights = of.sides(&self.points.bins, of.start(), at.rank);
        let source = of.sources[at.rank];
        for (early, bin) in of.early().filter(|(early, _)| source < early.points) {
            // Bin r holds the values up to threshold r, so bins up to the rank lie left.
            let side = usize::from(bin > at.rank);
            weights[side] += u64::from(early.weight);
            T::add(rows[side], early.target, early.weight);
        }
        weights
    }

    pub(crate) fn bytes(&self) -> usize {
        self.points.bytes() + self.labels.bytes()
    }

    /// Checks that the labels are those of the points.
    pub(crate) fn check<S: FeatureSpace>(
        &self,
        candidates: &Candidates<S>,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError> {
        let possible = |target| {
            T::check(outputs, target, 0).is_ok()
                && T::admit(*outputs, target) == *outputs
                && self.labels.has_met(target)
        };
        self.points.check(candidates, possible)?;
        let points = &self.points.bins;
        self.labels.check(points, candidates.bins(), outputs)
    }
}
