//! Intervals, paired differences, and comparisons of algorithms over data sets.
//!
//! J. Demšar, *Statistical comparisons of classifiers over multiple data sets*, JMLR 7, 2006: average ranks, the test
//! of Friedman with the statistic of Iman and Davenport, Nemenyi's critical difference, Wilcoxon's signed-rank test.
//! Values that differ by rounding only are equal in all of them; of few sets, the probabilities of Wilcoxon's test are
//! exact.
//!
//! A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, *Time for a change: a tutorial for comparing multiple classifiers
//! through Bayesian analysis*, JMLR 18, 2017: the signed-rank test with a region of practical equivalence
//! ([`equivalence`]).
//!
//! ```
//! use comparison::statistics::{Friedman, Matrix, holm, nemenyi, wilcoxon};
//!
//! // Accuracies of three algorithms on five sets.
//! let mut matrix = Matrix::new("accuracy".parse()?, ["a", "b", "c"].map(str::to_owned).to_vec());
//! for (set, values) in [
//!     ("one", [0.9, 0.8, 0.7]),
//!     ("two", [0.8, 0.7, 0.7]),
//!     ("three", [0.7, 0.6, 0.5]),
//!     ("four", [0.9, 0.5, 0.6]),
//!     ("five", [0.8, 0.6, 0.5]),
//! ] {
//!     matrix.push(set, values.to_vec());
//! }
//! assert_eq!(matrix.average_ranks(), [1.0, 2.3, 2.7]);
//! assert!(Friedman::of(&matrix).unwrap().p < 0.05);
//! assert!(nemenyi(3, 5, 0.05) > 1.4);
//! let against_a = [1, 2].map(|other| wilcoxon(&matrix.differences(0, other)));
//! assert_eq!(holm(&against_a), [0.125, 0.125]); // five sets are too few for Wilcoxon's test
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod significance;

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::metric::Metric;

pub use significance::{Equivalence, Friedman, equivalence, holm, nemenyi, wilcoxon};

/// Values are equal whose difference is at most this share of the larger one.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The tolerance relative to the largest value beside them: a sum may leave 1e-17 where 0 is meant.
const ROUNDING: f64 = 1e-14;

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
    /// Estimates the mean; returns `None` for an empty sequence, or where it is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        if !mean.is_finite() {
            return None;
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_error = (squares / (n - 1).max(1) as f64 / n as f64).sqrt();
        Some(Self {
            mean,
            standard_error,
            n,
        })
    }

    /// Returns half the width of the 95 % interval by Student's t, for independent normal values; `None` for one value.
    pub fn half_width(&self) -> Option<f64> {
        let freedom = self.n.checked_sub(1).filter(|&freedom| freedom > 0)?;
        let t = StudentsT::new(0.0, 1.0, freedom as f64).ok()?;
        Some(t.inverse_cdf(0.5 * (1.0 + 0.95)) * self.standard_error)
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

/// Returns whether two values are equal up to rounding, among values of which `largest` has the largest size. Means
/// that are equal on paper differ by rounding, so `==` would rank them.
pub(crate) fn are_equal(one: f64, other: f64, largest: f64) -> bool {
    let size = one.abs().max(other.abs());
    (one - other).abs() <= (TOLERANCE * size).max(ROUNDING * largest)
}

/// Returns the largest size of a value; 0 for an empty sequence.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Ranks values, 1 for the least. Those that differ only by steps of rounding are equal, and share their mean rank.
fn ranks(values: &[f64], largest: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for group in order.chunk_by(|&a, &b| are_equal(values[a], values[b], largest)) {
        for &index in group {
            ranks[index] = below as f64 + (group.len() as f64 + 1.0) / 2.0;
        }
        below += group.len();
    }
    ranks
}

/// A value of one metric for each algorithm on each data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    metric: Metric,
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// Each set with a value for each algorithm.
    pub sets: Vec<(String, Vec<f64>)>,
}

impl Matrix {
    /// Returns a matrix of these algorithms by this metric, without sets.
    pub fn new(metric: Metric, algorithms: Vec<String>) -> Self {
        Self {
            metric,
            algorithms,
            sets: Vec::new(),
        }
    }

    /// Adds a set with a value for each algorithm.
    ///
    /// # Panics
    /// Panics for a wrong number of values, or one that is not finite.
    pub fn push(&mut self, set: &str, values: Vec<f64>) {
        let is_whole = values.len() == self.algorithms.len();
        assert!(is_whole, "`{set}` needs a value for each algorithm");
        let all_finite = values.iter().all(|value| value.is_finite());
        assert!(all_finite, "a value of `{set}` is not a finite number");
        self.sets.push((set.to_owned(), values));
    }

    /// Returns the rank of each algorithm in each set, 1 for the best; values within one part in 10⁹ share a rank.
    pub fn ranks(&self) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for (_, values) in &self.sets {
            let losses = values.iter().map(|value| -self.metric.better.score(*value));
            all.push(ranks(&losses.collect::<Vec<f64>>(), largest(values)));
        }
        all
    }

    /// Returns the mean rank of each algorithm. Equal sums of ranks have equal means: a sum of halves is exact.
    pub fn average_ranks(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.algorithms.len()];
        for row in self.ranks() {
            for (mean, rank) in means.iter_mut().zip(row) {
                *mean += rank;
            }
        }
        let sets = self.sets.len() as f64;
        means.iter().map(|sum| sum / sets).collect()
    }

    /// Returns how much better algorithm number `first` is than number `second`, set by set; 0 where their values are
    /// equal, as in [`Matrix::ranks`].
    ///
    /// # Panics
    /// Panics if there are fewer algorithms.
    pub fn differences(&self, first: usize, second: usize) -> Vec<f64> {
        let mut differences = Vec::new();
        for (_, values) in &self.sets {
            let [one, other] = [first, second].map(|at| self.metric.better.score(values[at]));
            let equal = are_equal(one, other, largest(values));
            differences.push(if equal { 0.0 } else { one - other });
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_the_textbook_one_and_one_value_has_none() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(estimate.mean, 2.0);
        // t with 2 degrees of freedom has its 97.5 % quantile at 4.302653.
        let expected = 4.302_653 / 3f64.sqrt();
        assert!((estimate.half_width().unwrap() - expected).abs() < 1e-6);
        assert!((estimate.normal_half_width() - 1.96 / 3f64.sqrt()).abs() < 1e-12);
        let one = Estimate::of(&[5.0]).unwrap();
        assert_eq!((one.half_width(), one.normal_half_width()), (None, 0.0));
        let none = [&[][..], &[1.0, f64::NAN]].map(Estimate::of);
        assert_eq!(none, [None; 2]);
    }

    #[test]
    fn equal_values_share_their_ranks_at_any_size_and_rounding_does_not_part_them() {
        let one = (70. / 90. + 57. / 90.) / 2.0;
        let other = (72. / 90. + 55. / 90.) / 2.0;
        assert_ne!(one, other, "two ways to write 127/180");
        for (values, expected) in [
            (&[3.0, 1.0, 3.0, 2.0][..], &[3.5, 1.0, 3.5, 2.0][..]),
            (&[one, 0.5, other], &[2.5, 1.0, 2.5]),
            (&[0.1 + 0.2 - 0.3, 0.0, 0.5], &[1.5, 1.5, 3.0]),
            (&[-1e5, 0.912, 0.912_05], &[1.0, 2.0, 3.0]),
            (&[1e-20, 1.000_000_1e-20], &[1.0, 2.0]),
            (&[1e20, 1.000_000_1e20], &[1.0, 2.0]),
        ] {
            assert_eq!(ranks(values, largest(values)), expected);
        }
        let mut errors = Matrix::new("rmse".parse().unwrap(), vec![String::new(); 2]);
        errors.push("", vec![1.0, 2.0]);
        errors.push("", vec![one, other]);
        assert_eq!(errors.ranks(), [[1.0, 2.0], [1.5, 1.5]]);
        assert_eq!(errors.differences(0, 1), [1.0, 0.0]);
    }
}
