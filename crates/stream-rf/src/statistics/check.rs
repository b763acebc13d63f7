//! What must hold of the split statistics of a leaf.

use forest_core::InvariantError;

use super::{Early, SplitStatistics};
use crate::candidates::Candidates;
use crate::labels::{Labels, Sums};

impl<T: Labels> SplitStatistics<T> {
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
        InvariantError::unless(fits, || "statistics", || "impossible lengths")?;
        self.sums.check(&self.sizes, bins, outputs)?;
        self.check_early(candidates, outputs)?;
        let settled = self.settled;
        let equal = (0..dimensions).all(|d| self.sizes.sum(d * bins, bins) == settled);
        let early = self.early.iter().map(|early| u64::from(early.weight));
        let bounded = early.fold(settled, u64::saturating_add) <= self.total;
        let right = equal && bounded && (settled == 0 || candidates.are_complete());
        InvariantError::unless(right, || "statistics", || "bins hold too many points")
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
                && early.weight > 0
                && T::check(outputs, early.target, 0).is_ok()
                && T::admit(*outputs, early.target) == *outputs
                && self.sums.has_met(early.target)
        };
        let sound = fits && self.early_bins.iter().all(within) && self.early.iter().all(sound);
        InvariantError::unless(sound, || "statistics", || "impossible early points")
    }
}
