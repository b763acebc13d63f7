//! What every address opens to: a matrix, its column names and its target.

use std::ffi::OsStr;
use std::fmt::Display;

use forest_core::LabelEncoder;
use ndarray::Array2;
use sha2::{Digest as _, Sha256};
use tables::{TableError, TaskKind, short};

use crate::error::{Result, refuse};
use crate::{DataError, digest};

/// Data sets of more cells (2 GiB of `f32`) are refused.
pub(crate) const MAX_CELLS: usize = 1 << 29;

/// Refuses rows that are too large to hold, before memory is taken for them.
pub(crate) fn check_size(place: impl Display, rows: usize, columns: usize) -> Result {
    if rows.saturating_mul(columns) > MAX_CELLS {
        refuse!("{place}: {rows} rows of {columns} columns do not fit in memory; choose fewer");
    }
    Ok(())
}

/// More classes than this are refused even when classification is asked for.
const MAX_CLASSES: usize = 1000;

/// A data set in memory: `rows × features` numbers and one target per row.
///
/// Everything in it has been checked when it was opened: every number is finite (but see [`Dataset::in_memory`]), there
/// are at least two rows and one feature, the target is not constant, and all lengths agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// The address it was opened by: `letter`, `friedman:d=10,n=20000`; for a file, its name without extensions.
    pub name: String,
    /// One row per sample, in stream order: the order of the file, or the order the manifest's recipe states.
    pub features: Array2<f32>,
    /// One name per column of `features`. A text column `colour` became `colour=blue`, `colour=red`, ….
    pub feature_names: Vec<String>,
    /// What is to be predicted, one entry per row.
    pub target: Target,
    /// The name of the target's column; `None` for generated data.
    pub target_name: Option<String>,
    /// The name of a feature that is a date and ascends from the first row to the last; `None` without such a feature.
    pub ascending_dates: Option<String>,
    /// The first `split` rows are the standard training part; `None` where no standard exists.
    pub split: Option<usize>,
    /// Rows at which what is to be learned changes at once, ascending: each is the first row of something new.
    /// Empty without known changes.
    pub changes: Vec<usize>,
    /// The share of rows that the best possible classifier gets right, which knows how the data were made and when
    /// they change; `None` if it is unknown.
    pub best_accuracy: Option<f64>,
    /// Identity of the input in lower-case hexadecimal: SHA-256 of the bytes of the file (several files:
    /// their digests joined by `+`), or of the generated values; of altered data, of the original's identity followed
    /// by the alteration.
    pub sha256: String,
}

impl Dataset {
    /// Makes a data set of rows in memory. A feature that is NaN is a missing value, and most learners reject its row.
    ///
    /// # Errors
    /// Returns an error for lengths that differ, fewer than two rows, no feature, or a constant target.
    pub fn in_memory(
        name: &str,
        features: Array2<f32>,
        feature_names: Vec<String>,
        target: Target,
    ) -> Result<Self> {
        let rows = features.nrows();
        let targets = target.len();
        if rows != targets {
            refuse!("{targets} targets for {rows} rows: each row needs exactly one");
        }
        let mut data = Self::new(name, features, feature_names, target);
        data.sha256 = data.rows_sha256();
        data.check()?;
        Ok(data)
    }

    /// Makes a data set, unchecked and without a digest, of which nothing else is known.
    pub(crate) fn new(
        name: &str,
        features: Array2<f32>,
        feature_names: Vec<String>,
        target: Target,
    ) -> Self {
        Self {
            name: name.to_owned(),
            features,
            feature_names,
            target,
            target_name: None,
            ascending_dates: None,
            split: None,
            changes: Vec::new(),
            best_accuracy: None,
            sha256: String::new(),
        }
    }

    /// Refuses what has less than two rows, no feature, or a target that is constant.
    pub(crate) fn check(&self) -> Result {
        if self.rows() < 2 {
            refuse!("{} row(s), but at least 2 are needed", self.rows());
        }
        if self.n_features() == 0 {
            return Err(DataError(TableError::no_features().to_string()));
        }
        let constant = match &self.target {
            Target::Classes { labels, names } if labels.iter().all(|label| *label == labels[0]) => {
                short(&names[labels[0] as usize])
            }
            Target::Values { values, .. } if values.iter().all(|value| *value == values[0]) => {
                values[0].to_string()
            }
            _ => return Ok(()),
        };
        refuse!("the target is the same in every row (`{constant}`); choose another column");
    }

    /// Returns the task of this target.
    pub fn task(&self) -> TaskKind {
        self.target.task()
    }

    /// Returns the number of samples, at least two.
    pub fn rows(&self) -> usize {
        self.features.nrows()
    }

    /// Returns the number of features, at least one.
    pub fn n_features(&self) -> usize {
        self.features.ncols()
    }

    /// Returns the number of classes; `None` for a regression target.
    pub fn n_classes(&self) -> Option<usize> {
        match &self.target {
            Target::Classes { names, .. } => Some(names.len()),
            Target::Values { .. } => None,
        }
    }

    /// Returns the identity of the rows as they were read, in lower-case hexadecimal: SHA-256 of the features, row by
    /// row, then the targets. Another target, other columns or other values in place of missing ones give another one,
    /// though the file is the same. It reads all rows.
    pub fn rows_sha256(&self) -> String {
        let mut digest = Sha256::new();
        for value in &self.features {
            digest.update(value.to_le_bytes());
        }
        match &self.target {
            Target::Classes { labels, .. } => {
                labels.iter().for_each(|y| digest.update(y.to_le_bytes()));
            }
            Target::Values { values, .. } => {
                values.iter().for_each(|y| digest.update(y.to_le_bytes()));
            }
        }
        digest::hex(&digest.finalize())
    }
}

/// What is to be predicted, one entry per row.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A class per row.
    Classes {
        /// Indices into `names`, one per row.
        labels: Vec<u32>,
        /// Every class that occurs (in generated data: that can occur), once: in numeric order if all names are
        /// numbers, else alphabetically.
        names: Vec<String>,
    },
    /// A number per row.
    Values {
        /// The observed values, all finite.
        values: Vec<f64>,
        /// For generated data the true function at every row, before noise: what a regression is measured against.
        noise_free: Option<Vec<f64>>,
    },
}

impl Target {
    /// Returns a class per row, by their names.
    ///
    /// # Errors
    /// Returns an error for more than a thousand different names.
    pub fn classes(names: Vec<String>) -> Result<Self> {
        let encoder = LabelEncoder::fit(&names);
        if encoder.len() > MAX_CLASSES {
            refuse!("more than {MAX_CLASSES} classes; choose another target column, or regression");
        }
        let labels = names.iter().filter_map(|name| encoder.index(name).ok());
        let labels = labels.collect();
        let names = encoder.names().to_vec();
        Ok(Self::Classes { labels, names })
    }

    /// Returns observed numbers.
    pub(crate) fn numbers(values: Vec<f64>) -> Self {
        Self::Values {
            values,
            noise_free: None,
        }
    }

    /// Returns the task of this target.
    pub fn task(&self) -> TaskKind {
        match self {
            Target::Classes { .. } => TaskKind::Classification,
            Target::Values { .. } => TaskKind::Regression,
        }
    }

    /// Returns the number of targets, one per row.
    pub fn len(&self) -> usize {
        match self {
            Target::Classes { labels, .. } => labels.len(),
            Target::Values { values, .. } => values.len(),
        }
    }

    /// Returns whether it has no entry; never true inside a [`Dataset`].
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Names data sets by their addresses where several that were opened from different files have one name: `d1/train.csv`
/// and `d2/train.csv`. There are as many addresses as data sets, in the same order. The same address twice keeps its
/// name twice.
pub fn disambiguate<A: AsRef<OsStr>>(data: &mut [Dataset], addresses: &[A]) {
    let names: Vec<String> = data.iter().map(|set| set.name.clone()).collect();
    let text = |address: &A| address.as_ref().to_string_lossy().into_owned();
    let addresses: Vec<String> = addresses.iter().map(text).collect();
    for (set, address) in data.iter_mut().zip(&addresses) {
        let mut others = names.iter().zip(&addresses);
        if others.any(|(name, other)| *name == set.name && other != address) {
            set.name = address.strip_prefix("./").unwrap_or(address).to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_class_names_are_in_numeric_order() {
        let target = Target::classes(["10", "2", "0", "2"].map(str::to_owned).to_vec()).unwrap();
        let names = ["0", "2", "10"].map(str::to_owned).to_vec();
        let labels = vec![2, 1, 0, 1];
        assert_eq!(target, Target::Classes { labels, names });
    }

    #[test]
    fn every_row_counts() {
        let rows = 20;
        let features = Array2::from_shape_fn((rows, 2), |(row, column)| (row + column) as f32);
        let values: Vec<f64> = (0..rows).map(|row| row as f64).collect();
        let digest = |features: &Array2<f32>, values: &[f64]| {
            let target = Target::numbers(values.to_vec());
            Dataset::new("", features.clone(), Vec::new(), target).rows_sha256()
        };
        let expected = digest(&features, &values);
        for row in [0, rows / 2, rows - 1] {
            let mut other = features.clone();
            let mut others = values.clone();
            other[[row, 1]] += 1.0;
            others[row] += 1.0;
            assert_ne!(digest(&other, &values), expected, "features of row {row}");
            assert_ne!(digest(&features, &others), expected, "target of row {row}");
        }
    }
}
