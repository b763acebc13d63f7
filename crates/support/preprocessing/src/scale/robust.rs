//! Robust scaling, insensitive to outliers.

use serde::{Deserialize, Serialize};

use super::sorted::{quantile, sorted};
use super::{Line, LinearScale, Scale};

/// The scale (x − median) / interquartile range of the values fitted on.
///
/// Outside these values the line continues. Where more than half of the values are one number,
/// the quartiles coincide, and the whole range replaces the interquartile range. A
/// constant feature maps to 0 everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Robust {
    median: f64,
    /// The divisor; 0 for a constant feature.
    spread: f64,
}

impl Robust {
    /// Returns the median.
    pub fn median(&self) -> f64 {
        self.median
    }

    /// Returns the interquartile range; the whole range where that is 0.
    pub fn spread(&self) -> f64 {
        self.spread
    }
}

impl Scale for Robust {
    fn fit(values: &[f32]) -> Self {
        let values = sorted(values);
        let between = |low, high| quantile(&values, high) - quantile(&values, low);
        let quartiles = between(0.25, 0.75);
        Self {
            median: quantile(&values, 0.5),
            spread: if quartiles > 0.0 {
                quartiles
            } else {
                between(0.0, 1.0)
            },
        }
    }

    fn apply(&self, value: f64) -> f64 {
        self.line().apply(value)
    }

    fn is_sound(&self) -> bool {
        let largest = f64::from(f32::MAX);
        self.median.abs() <= largest && (0.0..=2.0 * largest).contains(&self.spread)
    }
}

impl LinearScale for Robust {
    fn line(&self) -> Line {
        Line {
            offset: self.median,
            unit: self.spread,
        }
    }
}
