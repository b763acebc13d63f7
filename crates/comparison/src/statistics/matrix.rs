//! The matrix of algorithms and data sets.

use thiserror::Error;

use super::ties::{are_equal, largest, ranks};
use crate::metric::Metric;

/// A value of one metric for each algorithm on each data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    metric: Metric,
    algorithms: Vec<String>,
    /// Sets with their values.
    sets: Vec<(String, Vec<f64>)>,
}

/// An error of values that do not fit the matrix.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{0}")]
pub struct MatrixError(String);

impl Matrix {
    /// Returns a matrix of these algorithms by this metric, without sets.
    pub fn new(metric: Metric, algorithms: Vec<String>) -> Self {
        let sets = Vec::new();
        Self {
            metric,
            algorithms,
            sets,
        }
    }

    /// Adds a set with a value for each algorithm.
    ///
    /// # Errors
    /// Returns an error for a wrong number of values, or one that is not finite.
    pub fn push(&mut self, set: &str, values: Vec<f64>) -> Result<(), MatrixError> {
        let (found, expected) = (values.len(), self.algorithms.len());
        if found != expected {
            return Err(MatrixError(format!(
                "`{set}` has {found} values for {expected} algorithms; pass one value per algorithm"
            )));
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            let message = format!("`{set}` has the value {value}, which is not a finite number");
            return Err(MatrixError(message));
        }
        self.sets.push((set.to_owned(), values));
        Ok(())
    }

    /// Returns the algorithms.
    pub fn algorithms(&self) -> &[String] {
        &self.algorithms
    }

    /// Returns each set with its values.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = (&str, &[f64])> {
        let sets = self.sets.iter();
        sets.map(|(set, values)| (set.as_str(), &values[..]))
    }

    /// Returns the rank of each algorithm in each set, 1 for the best. Values that differ by less than one part in 10⁹ are equal, and
    /// share the mean of their ranks.
    pub fn ranks(&self) -> Vec<Vec<f64>> {
        let mut all = Vec::new();
        for (_, values) in &self.sets {
            let losses = values.iter().map(|value| -self.metric.score(*value));
            all.push(ranks(&losses.collect::<Vec<f64>>(), largest(values)));
        }
        all
    }

    /// Returns the mean rank of each algorithm. Equal sums of ranks have equal means: a sum of halves is exact.
    pub fn average_ranks(&self) -> Vec<f64> {
        let ranks = self.ranks();
        let sum = |algorithm: usize| ranks.iter().map(|row| row[algorithm]).sum::<f64>();
        let algorithms = 0..self.algorithms.len();
        algorithms
            .map(|algorithm| sum(algorithm) / ranks.len() as f64)
            .collect()
    }

    /// Returns how much better algorithm number `first` is than number `second`, set by set; 0 where their values are equal, as in
    /// [`Matrix::ranks`].
    ///
    /// # Panics
    /// Panics if there are fewer algorithms.
    pub fn differences(&self, first: usize, second: usize) -> Vec<f64> {
        let mut differences = Vec::new();
        for (_, values) in &self.sets {
            let [one, other] = [first, second].map(|at| self.metric.score(values[at]));
            let equal = are_equal(one, other, largest(values));
            differences.push(if equal { 0.0 } else { one - other });
        }
        differences
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn empty(metric: &str, algorithms: usize) -> Matrix {
        let names = (0..algorithms).map(|column| column.to_string());
        Matrix::new(metric.parse().unwrap(), names.collect())
    }

    pub(crate) fn matrix(rows: &[&[f64]]) -> Matrix {
        let mut matrix = empty("accuracy", rows[0].len());
        for (set, row) in rows.iter().enumerate() {
            matrix.push(&set.to_string(), row.to_vec()).unwrap();
        }
        matrix
    }

    #[test]
    fn the_best_has_rank_1_and_ties_share() {
        let matrix = matrix(&[&[0.9, 0.8, 0.8], &[0.5, 0.6, 0.7]]);
        assert_eq!(matrix.ranks(), [[1.0, 2.5, 2.5], [3.0, 2.0, 1.0]]);
        assert_eq!(matrix.average_ranks(), [2.0, 2.25, 1.75]);
        let mut errors = empty("rmse", 2);
        errors.push("one", vec![1.0, 2.0]).unwrap();
        assert_eq!(errors.ranks(), [[1.0, 2.0]]);
        assert_eq!(errors.differences(0, 1), [1.0]);
    }

    /// 127/180 as the mean of two pairs of accuracies, which differ in the last bit.
    #[test]
    fn means_that_are_equal_on_paper_are_equal() {
        let (one, other) = (
            (70.0 / 90.0 + 57.0 / 90.0) / 2.0,
            (72.0 / 90.0 + 55.0 / 90.0) / 2.0,
        );
        assert_ne!(one, other);
        let matrix = matrix(&[&[one, other], &[one, other], &[0.5, 0.4]]);
        assert_eq!(matrix.average_ranks(), [4.0 / 3.0, 5.0 / 3.0]);
        let differences = matrix.differences(0, 1);
        assert_eq!(differences[..2], [0.0, 0.0]);
        assert!(differences[2] > 0.09);
    }

    /// The same ranks in another order: 1 + 2 + 3 as 3 + 1 + 2.
    #[test]
    fn equal_sums_of_ranks_have_equal_means() {
        let rows: [&[f64]; 3] = [&[0.9, 0.7, 0.8], &[0.8, 0.9, 0.7], &[0.7, 0.8, 0.9]];
        assert_eq!(matrix(&rows).average_ranks(), [2.0; 3]);
    }

    #[test]
    fn values_that_cannot_be_ranked_are_rejected() {
        let mut one = empty("accuracy", 1);
        assert!(one.push("two", vec![0.9, 0.8]).is_err());
        assert!(one.push("three", vec![f64::NAN]).is_err());
        assert_eq!(one.sets().len(), 0);
    }
}
