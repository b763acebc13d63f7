//! Quantile scaling: every feature becomes uniform.

use serde::{Deserialize, Serialize};

use super::Scale;
use super::sorted::{quantile, sorted};

/// Maximum number of intervals between the quantiles kept, each with 1/256 of the rows fitted on.
const INTERVALS: usize = 256;

/// The quantile of x among the values fitted on, in [0, 1]: their empirical distribution function,
/// linear between 257 quantiles of equally spaced levels (all values, if there are fewer).
///
/// Below the smallest value it is 0, above the largest 1: it keeps only the order, which does not extend
/// beyond the ends. A value that several of the quantiles share is mapped to the middle of
/// their levels. A constant feature maps to 0 everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    /// The quantiles, ascending, of level i / (number − 1).
    values: Vec<f32>,
}

impl Quantiles {
    /// Returns the quantiles kept, ascending, of levels equally spaced from 0 to 1.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Returns the place of `value` among the quantiles, from 0 to their number less 1.
    fn place(&self, value: f64) -> f64 {
        let below = self.values.partition_point(|&x| f64::from(x) < value);
        let up_to = self.values.partition_point(|&x| f64::from(x) <= value);
        if below < up_to {
            (below + up_to - 1) as f64 / 2.0
        } else if below == 0 {
            0.0
        } else if below == self.values.len() {
            (below - 1) as f64
        } else {
            let (low, high) = (self.values[below - 1], self.values[below]);
            let (low, high) = (f64::from(low), f64::from(high));
            (below - 1) as f64 + (value - low) / (high - low)
        }
    }
}

impl Scale for Quantiles {
    fn fit(values: &[f32]) -> Self {
        let values = sorted(values);
        let intervals = INTERVALS.min(values.len() - 1);
        let level = |i| i as f64 / intervals.max(1) as f64;
        let kept = (0..=intervals).map(|i| quantile(&values, level(i)) as f32);
        Self {
            values: kept.collect(),
        }
    }

    fn apply(&self, value: f64) -> f64 {
        if self.values.first() == self.values.last() {
            return 0.0;
        }
        self.place(value) / (self.values.len() - 1) as f64
    }

    fn is_sound(&self) -> bool {
        let finite = self.values.iter().all(|value| value.is_finite());
        finite && !self.values.is_empty() && self.values.is_sorted()
    }

    fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<f32>()
    }
}
