//! Min–max scaling.

use serde::{Deserialize, Serialize};

use super::{Line, LinearScale, RunningScale, Scale};

/// The scale (x − min) / (max − min) of the values seen.
///
/// Outside the range the line continues, below 0 and above 1: values are not clipped, because a
/// learner should see that they are new. A constant feature maps to 0 everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MinMax {
    low: f32,
    high: f32,
}

impl MinMax {
    /// Returns the smallest value; above [`MinMax::high`] before the first value.
    pub fn low(&self) -> f32 {
        self.low
    }

    /// Returns the largest value.
    pub fn high(&self) -> f32 {
        self.high
    }
}

impl Default for MinMax {
    fn default() -> Self {
        let (low, high) = (f32::MAX, f32::MIN);
        Self { low, high }
    }
}

impl Scale for MinMax {
    fn fit(values: &[f32]) -> Self {
        let mut scale = Self::default();
        values.iter().for_each(|&value| scale.observe(value));
        scale
    }

    fn apply(&self, value: f64) -> f64 {
        self.line().apply(value)
    }

    fn is_sound(&self) -> bool {
        let finite = self.low.is_finite() && self.high.is_finite();
        finite && (self.low <= self.high || *self == Self::default())
    }
}

impl LinearScale for MinMax {
    /// Returns the line in `f64`, since the width of a range of `f32` may overflow `f32`.
    fn line(&self) -> Line {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        Line {
            offset: low,
            unit: (high - low).max(0.0),
        }
    }
}

impl RunningScale for MinMax {
    fn observe(&mut self, value: f32) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }
}
