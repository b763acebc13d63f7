//! A mean and its uncertainty.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The probability with which an interval covers the true mean.
pub(crate) const LEVEL: f64 = 0.95;

/// The mean of `n` values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Their mean.
    pub mean: f64,
    /// The standard error of the mean; 0 for one value.
    pub standard_error: f64,
    /// Their number.
    pub n: usize,
}

impl Estimate {
    /// Estimates the mean; returns `None` for an empty sequence, or if a value is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        if n == 0 || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let freedom = (n - 1).max(1) as f64;
        Some(Self {
            mean,
            standard_error: (squares / freedom / n as f64).sqrt(),
            n,
        })
    }

    /// Returns half the width of the 95 % interval by Student's t, which holds for independent normal values; `None` for one value.
    pub fn half_width(&self) -> Option<f64> {
        (self.n > 1).then(|| quantile(self.n - 1) * self.standard_error)
    }

    /// Returns the same by the normal distribution, as in papers: 1.96 standard errors; 0 for one value.
    pub fn normal_half_width(&self) -> f64 {
        1.96 * self.standard_error
    }

    /// Returns the lower end, mean and upper end of the interval by Student's t.
    pub fn interval(&self) -> [f64; 3] {
        let half = self.half_width().unwrap_or(0.0);
        [self.mean - half, self.mean, self.mean + half]
    }
}

/// Returns the quantile of Student's t with n degrees of freedom, at least 1.
fn quantile(freedom: usize) -> f64 {
    let t = StudentsT::new(0.0, 1.0, freedom as f64).expect("there are degrees of freedom");
    t.inverse_cdf(0.5 * (1.0 + LEVEL))
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    #[test]
    fn the_interval_is_the_textbook_one() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(estimate.mean, 2.0);
        // t with 2 degrees of freedom has its 97.5 % quantile at 4.302653.
        let expected = 4.302_653 / 3f64.sqrt();
        assert!((estimate.half_width().unwrap() - expected).abs() < 1e-6);
        assert!((estimate.normal_half_width() - 1.96 / 3f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_interval_and_none_no_mean() {
        let one = Estimate::of(&[5.0]).unwrap();
        assert_eq!((one.half_width(), one.normal_half_width()), (None, 0.0));
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[1.0, f64::NAN]), None);
    }

    /// Returns the share of samples of three normal numbers whose interval, scaled, covers their mean 0.
    fn coverage(scale: f64) -> f64 {
        let (samples, mut rng) = (20_000, TreeRng::new(1, 0));
        let covers = (0..samples).filter(|_| {
            let values = [(); 3].map(|()| rng.normal());
            let estimate = Estimate::of(&values).unwrap();
            estimate.mean.abs() <= scale * estimate.half_width().unwrap()
        });
        covers.count() as f64 / f64::from(samples)
    }

    /// 20 000 samples: a share of 95 % has a standard error of 0.15 %, so a correct interval is further off than four of
    /// them once in 16 000 seeds.
    #[test]
    fn intervals_of_three_values_cover_as_often_as_they_say_and_those_of_the_normal_do_not() {
        let near = |share: f64| (share - LEVEL).abs() < 4.0 * 0.0016;
        assert!(near(coverage(1.0)), "{}", coverage(1.0));
        let injected_fault = 1.96 / quantile(2);
        let share = coverage(injected_fault);
        assert!(!near(share) && (share - 0.81).abs() < 0.02, "{share}");
    }
}
