//! How rows are divided or ordered, preprocessed, learned and tested.

mod preprocess;
mod rows;

use std::fmt;
use std::str::FromStr;

use datasets::Dataset;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::SetupError;
pub use crate::record::{Order, Validation};
pub use preprocess::{Preprocessing, Weights};
pub(crate) use rows::{Rows, Step};
pub use rows::{Samples, Table, shuffled};

/// What a user decides about protocols.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// The order of streams and of the rows that are learned; `None` leaves streams as they are and training rows as a split draws them.
    pub order: Option<Order>,
    /// Rows that a hold-out learns: 70 % by default, or a standard training part.
    pub train: Option<TrainSize>,
    /// How a hold-out divides the rows.
    pub splitting: Splitting,
    /// Parts of a k-fold cross-validation; learners of prequential k-fold validation.
    pub folds: usize,
    /// Which rows each learner of prequential k-fold validation learns.
    pub validation: Validation,
    /// Rows that arrive before the label of a row does, in the protocol with delayed labels.
    pub delay: usize,
    /// What is done to features.
    pub preprocessing: Preprocessing,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            order: None,
            train: None,
            splitting: Splitting::default(),
            folds: 10,
            validation: Validation::default(),
            delay: 100,
            preprocessing: Preprocessing::default(),
        }
    }
}

/// How many rows are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainSize {
    /// This many.
    Rows(usize),
    /// A share of them, between 0 and 1.
    Fraction(f64),
}

/// The share of rows that are learned by default.
const DEFAULT: TrainSize = TrainSize::Fraction(0.7);

/// The error of a text that is neither rows nor a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a number of rows (1, 2, …) or a fraction between 0 and 1")]
pub struct TrainSizeError;

impl TrainSize {
    /// Returns the number of rows it is of so many: a share is rounded to the nearest, and at least 1.
    pub(crate) fn of(self, rows: usize) -> usize {
        match self {
            Self::Rows(count) => count,
            Self::Fraction(share) => ((share * rows as f64).round() as usize).max(1),
        }
    }
}

impl FromStr for TrainSize {
    type Err = TrainSizeError;

    fn from_str(text: &str) -> Result<Self, TrainSizeError> {
        match (text.parse::<usize>(), text.parse::<f64>()) {
            (Ok(rows), _) if rows > 0 => Ok(Self::Rows(rows)),
            (Err(_), Ok(share)) if 0.0 < share && share < 1.0 => Ok(Self::Fraction(share)),
            _ => Err(TrainSizeError),
        }
    }
}

impl fmt::Display for TrainSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(count) => count.fmt(f),
            Self::Fraction(share) => share.fmt(f),
        }
    }
}

/// How the hold-out divides the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Splitting {
    /// By the standard split of the data where there is one, else by a shuffle for every seed.
    #[default]
    Standard,
    /// By a shuffle for every seed.
    #[serde(rename = "shuffled")]
    Repeated,
    /// The first rows are learned, and the later ones tested.
    Chronological,
}

/// A split of the rows of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// How it was made: by the standard only where there is one.
    pub kind: Splitting,
    /// Rows that are learned: the first ones, of a shuffle if there is one.
    pub train: usize,
    /// The first row of the standard test part; other splits test all later rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_from: Option<usize>,
}

impl Split {
    /// Returns the split of a data set; of a standard training part, at most all rows are learned.
    ///
    /// # Errors
    /// Returns an error for more rows than there are.
    pub fn new(
        dataset: &Dataset,
        asked: Option<TrainSize>,
        kind: Splitting,
    ) -> Result<Self, SetupError> {
        let (name, rows) = (&dataset.name, dataset.rows());
        let test_from = dataset.split.filter(|_| kind == Splitting::Standard);
        let train = match (test_from, asked.unwrap_or(DEFAULT)) {
            (Some(all), _) => asked.map_or(all, |size| size.of(all)).min(all),
            (None, TrainSize::Rows(count)) => count,
            (None, share) => share.of(rows).min(rows - 1),
        };
        if test_from.is_none() && train >= rows {
            let most = rows - 1;
            let message = format!(
                "{train} training rows: `{name}` has {rows} rows and no standard split; choose at most {most}"
            );
            return Err(SetupError::new(Some("--train"), message));
        }
        let kind = match (kind, test_from) {
            (Splitting::Standard, None) => Splitting::Repeated,
            _ => kind,
        };
        Ok(Self {
            kind,
            train,
            test_from,
        })
    }

    pub(crate) fn sizes(&self, rows: usize) -> (usize, usize) {
        (self.train, rows - self.test_from.unwrap_or(self.train))
    }

    /// Returns the rows that are learned and those that are tested.
    pub fn rows(&self, rows: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
        let mut order = match self.kind {
            Splitting::Repeated => shuffled(rows, seed),
            Splitting::Standard | Splitting::Chronological => (0..rows).collect(),
        };
        let test = order.split_off(self.test_from.unwrap_or(self.train));
        order.truncate(self.train);
        (order, test)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.kind, self.test_from) {
            (Splitting::Standard, Some(all)) if all != self.train => {
                let train = self.train;
                return write!(
                    f,
                    "first {train} of the {all} standard training rows, standard test part"
                );
            }
            (Splitting::Standard, _) => "standard split in file order",
            (Splitting::Repeated, _) => "a shuffle per seed",
            (Splitting::Chronological, _) => "the first rows learned, the later ones tested",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_rows_is_rounded() {
        for (rows, train) in [(10, 7), (194, 136), (195, 137), (198, 139), (1, 1)] {
            assert_eq!(DEFAULT.of(rows), train, "70 % of {rows}");
        }
        assert!("1.0".parse::<TrainSize>().is_err() && "0".parse::<TrainSize>().is_err());
    }
}
