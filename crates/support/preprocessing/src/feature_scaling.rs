//! Scaling of features, as an option of a command line.

use serde::{Deserialize, Serialize};

use crate::Scaling;

/// Scaling of features before learning: a [`Scaling`] by its name, or unscaled features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum FeatureScaling {
    /// Unscaled features.
    None,
    /// Each feature to [0, 1], which finite budgets expect.
    Minmax,
    /// Each feature to mean 0 and variance 1.
    Standard,
    /// Each feature minus its median, divided by its interquartile range.
    Robust,
    /// Each value to its quantile among the values fitted on, in [0, 1].
    Quantile,
}

impl FeatureScaling {
    /// Returns the scaling as a step of a pipeline; `None` for unscaled features.
    pub fn scaling(self) -> Option<Scaling> {
        match self {
            Self::None => None,
            Self::Minmax => Some(Scaling::MinMax),
            Self::Standard => Some(Scaling::Standard),
            Self::Robust => Some(Scaling::Robust),
            Self::Quantile => Some(Scaling::Quantile),
        }
    }

    /// Returns the name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minmax => "minmax",
            Self::Standard => "standard",
            Self::Robust => "robust",
            Self::Quantile => "quantile",
        }
    }
}
