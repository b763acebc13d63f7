//! Algorithms on data sets.

use statrs::statistics::Statistics as _;
use thiserror::Error;

use crate::metric::Metric;

/// A value of one metric for each algorithm on each data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    algorithms: Vec<String>,
    sets: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    set: String,
    metric: Metric,
    values: Vec<f64>,
}

/// Why values do not belong into one matrix.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// Averages over sets would add what cannot be added.
    #[error(
        "`{set}` is measured by {other}, the sets before it by {metric}; average each metric by itself"
    )]
    MixedMetrics {
        /// The set that differs.
        set: String,
        /// The metric of those before it.
        metric: &'static str,
        /// Its own.
        other: &'static str,
    },
    /// An algorithm without a value, or a value without an algorithm.
    #[error("`{set}` has {values} values for {algorithms} algorithms; give one of each")]
    Width {
        /// The set.
        set: String,
        /// Values given.
        values: usize,
        /// Algorithms there are.
        algorithms: usize,
    },
    /// A value that has no rank.
    #[error("`{set}` has the value {value}, which is not a finite number")]
    NotFinite {
        /// The set.
        set: String,
        /// The value.
        value: f64,
    },
}

impl Matrix {
    /// Of these algorithms, and no sets yet.
    pub fn new(algorithms: Vec<String>) -> Self {
        let sets = Vec::new();
        Self { algorithms, sets }
    }

    /// Adds a set with a value for each algorithm.
    ///
    /// # Errors
    /// Another metric than that of the sets before, a value too few or too many, or one that is not finite.
    pub fn push(&mut self, set: &str, metric: Metric, values: Vec<f64>) -> Result<(), MatrixError> {
        self.check(set, metric, &values)?;
        let set = set.to_owned();
        self.sets.push(Row {
            set,
            metric,
            values,
        });
        Ok(())
    }

    fn check(&self, set: &str, metric: Metric, values: &[f64]) -> Result<(), MatrixError> {
        let set = set.to_owned();
        let algorithms = self.algorithms.len();
        if let Some(first) = self.sets.first().filter(|first| first.metric != metric) {
            let (metric, other) = (first.metric.name, metric.name);
            return Err(MatrixError::MixedMetrics { set, metric, other });
        }
        if values.len() != algorithms {
            return Err(MatrixError::Width {
                set,
                values: values.len(),
                algorithms,
            });
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(&value) => Err(MatrixError::NotFinite { set, value }),
            None => Ok(()),
        }
    }

    /// The algorithms.
    pub fn algorithms(&self) -> &[String] {
        &self.algorithms
    }

    /// Each set with its values.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = (&str, &[f64])> {
        self.sets
            .iter()
            .map(|row| (row.set.as_str(), &row.values[..]))
    }

    /// The rank of each algorithm in each set, 1 for the best; equal values share the mean of their ranks.
    pub fn ranks(&self) -> Vec<Vec<f64>> {
        let scores = |row: &Row| -> Vec<f64> {
            row.values
                .iter()
                .map(|value| -row.metric.score(*value))
                .collect()
        };
        self.sets.iter().map(|row| ranks(&scores(row))).collect()
    }

    /// The mean rank of each algorithm.
    pub fn average_ranks(&self) -> Vec<f64> {
        let ranks = self.ranks();
        let algorithms = 0..self.algorithms.len();
        algorithms
            .map(|algorithm| ranks.iter().map(|row| row[algorithm]).mean())
            .collect()
    }

    /// The mean value of each algorithm; all are of one metric.
    pub fn means(&self) -> Vec<f64> {
        let algorithms = 0..self.algorithms.len();
        algorithms
            .map(|algorithm| self.sets.iter().map(|row| row.values[algorithm]).mean())
            .collect()
    }

    /// How much better algorithm number `first` is than number `second`, set by set.
    ///
    /// # Panics
    /// If there are fewer algorithms.
    pub fn differences(&self, first: usize, second: usize) -> Vec<f64> {
        let difference = |row: &Row| {
            let score = |algorithm: usize| row.metric.score(row.values[algorithm]);
            score(first) - score(second)
        };
        self.sets.iter().map(difference).collect()
    }
}

/// Ranks of values, 1 for the least; equal ones share the mean of their ranks.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|&&other| other < value).count();
    let equal = |value: f64| values.iter().filter(|&&other| other == value).count();
    let rank = |&value: &f64| below(value) as f64 + (equal(value) as f64 + 1.0) / 2.0;
    values.iter().map(rank).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn metric(name: &str) -> Metric {
        name.parse().unwrap()
    }

    pub fn matrix(rows: &[&[f64]]) -> Matrix {
        let names = (0..rows[0].len()).map(|column| column.to_string());
        let mut matrix = Matrix::new(names.collect());
        for (set, row) in rows.iter().enumerate() {
            let pushed = matrix.push(&set.to_string(), metric("accuracy"), row.to_vec());
            pushed.unwrap();
        }
        matrix
    }

    #[test]
    fn the_best_has_rank_1_and_ties_share() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        let matrix = matrix(&[&[0.9, 0.8, 0.8], &[0.5, 0.6, 0.7]]);
        assert_eq!(matrix.ranks(), [[1.0, 2.5, 2.5], [3.0, 2.0, 1.0]]);
        assert_eq!(matrix.average_ranks(), [2.0, 2.25, 1.75]);
        let mut errors = Matrix::new(vec!["a".to_owned(), "b".to_owned()]);
        errors.push("one", metric("rmse"), vec![1.0, 2.0]).unwrap();
        assert_eq!(errors.ranks(), [[1.0, 2.0]]);
        assert_eq!(errors.differences(0, 1), [1.0]);
        assert_eq!(errors.means(), [1.0, 2.0]);
    }

    #[test]
    fn different_metrics_are_not_averaged() {
        let mut mixed = Matrix::new(vec!["a".to_owned()]);
        mixed.push("one", metric("accuracy"), vec![0.9]).unwrap();
        let refused = mixed.push("two", metric("rmse"), vec![1.3]);
        let expected = MatrixError::MixedMetrics {
            set: "two".to_owned(),
            metric: "accuracy",
            other: "rmse",
        };
        assert_eq!(refused, Err(expected));
        assert!(matches!(
            mixed.push("three", metric("accuracy"), vec![0.9, 0.8]),
            Err(MatrixError::Width { .. })
        ));
        assert!(matches!(
            mixed.push("four", metric("accuracy"), vec![f64::NAN]),
            Err(MatrixError::NotFinite { .. })
        ));
        assert_eq!(mixed.sets().len(), 1);
    }
}
