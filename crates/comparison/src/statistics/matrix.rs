//! The matrix of algorithms and data sets.

use thiserror::Error;

use super::ties::{are_equal, largest, ranks};
use crate::metric::Metric;

/// A value of one metric for each algorithm on each data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    metric: Metric,
    algorithms: Vec<String>,
    sets: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    set: String,
    values: Vec<f64>,
}

/// An error of values that do not fit the matrix.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// An algorithm without a value, or a value without an algorithm.
    #[error(
        "`{set}` has {values} values for {algorithms} algorithms; pass one value per algorithm"
    )]
    Width {
        /// The set.
        set: String,
        /// The number of values.
        values: usize,
        /// The number of algorithms.
        algorithms: usize,
    },
    /// A value that cannot be ranked.
    #[error("`{set}` has the value {value}, which is not a finite number")]
    NotFinite {
        /// The set.
        set: String,
        /// The value.
        value: f64,
    },
}

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
        let (set, algorithms) = (set.to_owned(), self.algorithms.len());
        if values.len() != algorithms {
            return Err(MatrixError::Width {
                set,
                values: values.len(),
                algorithms,
            });
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(&value) => Err(MatrixError::NotFinite { set, value }),
            None => {
                self.sets.push(Row { set, values });
                Ok(())
            }
        }
    }

    /// Returns the algorithms.
    pub fn algorithms(&self) -> &[String] {
        &self.algorithms
    }

    /// Returns each set with its values.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = (&str, &[f64])> {
        self.sets
            .iter()
            .map(|row| (row.set.as_str(), &row.values[..]))
    }

    /// Returns the rank of each algorithm in each set, 1 for the best. Values that differ by less than one part in 10⁹ are equal, and
    /// share the mean of their ranks.
    pub fn ranks(&self) -> Vec<Vec<f64>> {
        let of_set = |row: &Row| {
            let values = row.values.iter();
            let losses: Vec<f64> = values.map(|value| -self.metric.score(*value)).collect();
            ranks(&losses, largest(&row.values))
        };
        self.sets.iter().map(of_set).collect()
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
        let difference = |row: &Row| {
            let [one, other] =
                [first, second].map(|algorithm| self.metric.score(row.values[algorithm]));
            if are_equal(one, other, largest(&row.values)) {
                0.0
            } else {
                one - other
            }
        };
        self.sets.iter().map(difference).collect()
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
        let refused = one.push("two", vec![0.9, 0.8]);
        assert!(matches!(refused, Err(MatrixError::Width { .. })));
        let refused = one.push("three", vec![f64::NAN]);
        assert!(matches!(refused, Err(MatrixError::NotFinite { .. })));
        assert_eq!(one.sets().len(), 0);
    }
}
