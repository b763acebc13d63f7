//! Means of targets that have weights.

use forest_core::{Regression, SampleWeight};
use serde::{Deserialize, Serialize};

use super::total::Total;

/// The mean of some targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub(super) mean: f64,
    /// Of the weights: their number, as it is saved, while all are 1.
    #[serde(rename = "count")]
    pub(super) total: Total,
}

impl Mean {
    pub(super) fn of(targets: impl Iterator<Item = (f64, SampleWeight)>) -> Self {
        let mut mean = Self::default();
        targets.for_each(|(target, weight)| mean.add(target, weight));
        mean
    }

    #[inline]
    pub(super) fn add(&mut self, target: f64, weight: SampleWeight) {
        match self.total.add_one_to_whole(weight) {
            Some(count) => self.mean += (target - self.mean) / count as f64,
            None => self.add_weighted(target, weight),
        }
    }

    #[cold]
    fn add_weighted(&mut self, target: f64, weight: SampleWeight) {
        self.total.add(weight);
        self.mean += (target - self.mean) * (weight.value() / self.total.value());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total == Total::default()
    }

    /// Returns whether it could be that of a target or more.
    pub(super) fn is_possible(&self) -> bool {
        !self.is_empty() && Regression::is_target(self.mean)
    }

    /// Returns whether it is the mean of these, up to rounding.
    pub(super) fn is_of(&self, targets: impl Iterator<Item = (f64, SampleWeight)>) -> bool {
        let (mut fresh, mut scale) = (Self::default(), 0.0_f64);
        for (target, weight) in targets {
            fresh.add(target, weight);
            scale = scale.max(target.abs());
        }
        self.total == fresh.total && (self.mean - fresh.mean).abs() <= 1e-9 * scale
    }
}
