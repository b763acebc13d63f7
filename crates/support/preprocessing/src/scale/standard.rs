//! Standard scaling, with mean and variance by Welford's recurrence.

use serde::{Deserialize, Serialize};

use super::{Line, LinearScale, RunningScale, Scale};

/// The scale (x − mean) / standard deviation of the values seen; the variance divides by their number n.
///
/// Outside the values seen the line continues. A constant feature maps to 0 everywhere.
///
/// Mean and variance are updated as by B. P. Welford (*Note on a method for calculating corrected
/// sums of squares and products*, Technometrics 4, 1962): one value at a time, without the
/// cancellation of a sum of squares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standard {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Standard {
    /// Returns the number of values seen.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns their mean; 0 before the first.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns their standard deviation, dividing by their number; 0 before the first.
    pub fn standard_deviation(&self) -> f64 {
        (self.squares / self.count.max(1) as f64).sqrt()
    }
}

impl Scale for Standard {
    fn fit(values: &[f32]) -> Self {
        let mut scale = Self::default();
        values.iter().for_each(|&value| scale.observe(value));
        scale
    }

    fn apply(&self, value: f64) -> f64 {
        self.line().apply(value)
    }

    fn is_sound(&self) -> bool {
        let largest = f64::from(f32::MAX);
        let bound = 4.0 * largest * largest * self.count as f64;
        self.mean.abs() <= largest && (0.0..=bound).contains(&self.squares)
    }
}

impl LinearScale for Standard {
    fn line(&self) -> Line {
        Line {
            offset: self.mean,
            unit: self.standard_deviation(),
        }
    }
}

impl RunningScale for Standard {
    fn observe(&mut self, value: f32) {
        let value = f64::from(value);
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }
}
