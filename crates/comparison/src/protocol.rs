//! How rows are divided or ordered, preprocessed, learned and tested.

mod preprocess;
mod rows;

use std::fmt;

use clap::{Args, ValueEnum};
use datasets::Dataset;
use serde::{Deserialize, Serialize};

use crate::SetupError;
pub use crate::record::{Order, Validation};
pub use preprocess::{Preprocessing, Weights};
pub(crate) use rows::{Rows, Step};
pub use rows::{Samples, Table, arrange, shuffled};

/// How rows are divided, ordered and preprocessed; the first paragraph of each field is its help on a command line. By
/// default features stay as they are; `cargo xtask compare` and Python's `compare` scale them to [0, 1].
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, Args)]
pub struct Design {
    /// Order in which rows are learned: as the file has them (stream), shuffled per seed, or sorted by the target,
    /// upwards or downwards [default: stream for streams; else shuffled, or as a standard or chronological split has
    /// them]
    #[arg(long, value_enum)]
    pub order: Option<Order>,

    /// Training rows of the hold-out, as a number or a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION", value_parser = train_size)]
    pub train: Option<f64>,

    /// Split of the rows, in the hold-out [default: standard]
    #[arg(long, value_enum)]
    pub split: Option<Splitting>,

    /// Number of folds, with --protocol kfold or prequential-kfold [default: 10]
    #[arg(long, value_name = "K")]
    pub folds: Option<usize>,

    /// Rows that each of the K learners of --protocol prequential-kfold learns: each row by all but one (cross), by one
    /// (split), or a Poisson(1) number of times by each (bootstrap) [default: cross]
    #[arg(
        long,
        hide_possible_values = true,
        value_name = "cross|split|bootstrap"
    )]
    pub validation: Option<Validation>,

    /// Rows between a row and its label, with --protocol delayed [default: 100]
    #[arg(long, value_name = "N")]
    pub delay: Option<usize>,

    /// What is done to features.
    #[command(flatten)]
    #[serde(flatten)]
    pub preprocessing: Preprocessing,
}

/// The share of rows that are learned by default.
const DEFAULT: f64 = 0.7;

/// Returns the number of rows that a size means of so many: itself, or below 1 the share, which is rounded to the
/// nearest, and at least 1.
pub(crate) fn rows_of(size: f64, rows: usize) -> usize {
    if size < 1.0 {
        return ((size * rows as f64).round() as usize).max(1);
    }
    size as usize
}

/// Parses a number of rows, or a share of them.
fn train_size(text: &str) -> Result<f64, String> {
    let size = text.parse().ok().filter(|&size| is_train_size(size));
    size.ok_or_else(|| format!("expected {TRAIN_SIZE}"))
}

/// What a size of a training part is.
pub(crate) const TRAIN_SIZE: &str = "a number of rows (1, 2, …) or a fraction between 0 and 1";

pub(crate) fn is_train_size(size: f64) -> bool {
    0.0 < size && size < 1.0 || size >= 1.0 && size.fract() == 0.0
}

/// How the hold-out divides the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Splitting {
    /// By the standard split of the data where there is one, else by a shuffle for every seed.
    #[default]
    Standard,
    /// By a shuffle for every seed.
    #[serde(rename = "shuffled", alias = "repeated")]
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
    pub fn new(dataset: &Dataset, design: &Design) -> Result<Self, SetupError> {
        let (name, rows) = (&dataset.name, dataset.rows());
        let (asked, kind) = (design.train, design.split.unwrap_or_default());
        let test_from = dataset.split.filter(|_| kind == Splitting::Standard);
        let train = match (test_from, asked.unwrap_or(DEFAULT)) {
            (Some(all), _) => asked.map_or(all, |size| rows_of(size, all)).min(all),
            (None, share) if share < 1.0 => rows_of(share, rows).min(rows - 1),
            (None, count) => count as usize,
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
            assert_eq!(rows_of(DEFAULT, rows), train, "70 % of {rows}");
        }
        assert!(
            ["1.5", "0", "-1", "inf"]
                .iter()
                .all(|text| train_size(text).is_err())
        );
    }
}
