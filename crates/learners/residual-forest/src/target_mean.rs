//! The mean of the targets.

use serde::{Deserialize, Serialize};

/// Subtracted from predictions and targets before they are weighted, so that an offset of all targets changes no weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TargetMean {
    /// The weights of the targets, added up.
    mass: f64,
    mean: f64,
}

impl TargetMean {
    /// 0 before the first target.
    pub(crate) fn mean(self) -> f64 {
        self.mean
    }

    /// Returns the mean without one of the targets, of which there are two or more.
    pub(crate) fn without(self, target: f64, weight: f64) -> f64 {
        self.mean - weight * (target - self.mean) / (self.mass - weight)
    }

    /// Returns whether it has not learned any target.
    pub(crate) fn is_empty(self) -> bool {
        self.mass == 0.0
    }

    pub(crate) fn learn(&mut self, target: f64, weight: f64) {
        self.mass += weight;
        self.mean += weight * (target - self.mean) / self.mass;
    }
}
