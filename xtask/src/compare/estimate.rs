//! A mean over seeds with its interval.

use serde::Serialize;

/// Half the width of a 95 % interval, in standard errors.
const Z: f64 = 1.96;

/// The mean of `n` values, ± 1.96 standard errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; one value has none.
    pub half_width: Option<f64>,
    /// How many values.
    pub n: usize,
}

impl Estimate {
    /// The estimate that `values` give; nothing gives none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let mean = mean(values)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half_width = (n > 1).then(|| Z * (squares / (n - 1) as f64 / n as f64).sqrt());
        Some(Self {
            mean,
            half_width,
            n,
        })
    }

    /// Both ends of the interval.
    pub fn ends(&self) -> (f64, f64) {
        let half = self.half_width.unwrap_or(0.0);
        (self.mean - half, self.mean + half)
    }
}

/// The mean, if there is anything to average.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_textbook_one() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(estimate.mean, 2.0);
        let expected = 1.96 / 3f64.sqrt();
        assert!((estimate.half_width.unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_interval_and_none_no_mean() {
        assert_eq!(Estimate::of(&[5.0]).unwrap().half_width, None);
        assert_eq!(Estimate::of(&[]), None);
    }
}
