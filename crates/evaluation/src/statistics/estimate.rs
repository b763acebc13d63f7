//! A mean and how sure it is.

use statrs::statistics::Statistics as _;

/// Half the width of an interval, in standard errors.
const STANDARD_ERRORS: f64 = 1.96;

/// The mean of `n` values ± 1.96 standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Their mean.
    pub mean: f64,
    /// None for one value.
    pub half_width: Option<f64>,
    /// How many they are.
    pub n: usize,
}

impl Estimate {
    /// None for no values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let half_width = || STANDARD_ERRORS * values.std_dev() / (n as f64).sqrt();
        (n > 0).then(|| Self {
            mean: values.mean(),
            half_width: (n > 1).then(half_width),
            n,
        })
    }

    /// Lower end, mean and upper end of the interval.
    pub fn interval(&self) -> [f64; 3] {
        let half = self.half_width.unwrap_or(0.0);
        [self.mean - half, self.mean, self.mean + half]
    }
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
