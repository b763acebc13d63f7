//! What every address opens to: a matrix, its column names and its target.

use ndarray::{Array2, ArrayView2, s};
use tables::TaskKind;

use crate::checks::check;
use crate::readers::RawTarget;
use crate::{DataError, digest, labels};

/// A data set in memory: `rows × features` numbers and one target per row.
///
/// Everything in it has been checked when it was opened: every number is finite (but see [`Dataset::in_memory`]), there are at least
/// two rows and one feature, the target is not constant, and all lengths agree.
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
    /// The name of a feature that is a date and ascends from the first row to the last; `None` where there is none.
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
    /// ```
    /// use datasets::{Dataset, Target};
    /// use ndarray::array;
    ///
    /// let target = Target::classes(["yes", "no"].map(str::to_owned).to_vec())?;
    /// let data = Dataset::in_memory("mine", array![[0.5], [1.5]], vec!["x".to_owned()], target)?;
    /// assert_eq!((data.rows(), data.n_classes()), (2, Some(2)));
    /// # Ok::<(), datasets::DataError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for lengths that differ, fewer than two rows, no feature, or a constant target.
    pub fn in_memory(
        name: &str,
        features: Array2<f32>,
        feature_names: Vec<String>,
        target: Target,
    ) -> Result<Self, DataError> {
        let (rows, targets) = (features.nrows(), target.len());
        if rows != targets {
            return Err(DataError::new(format!(
                "{targets} targets for {rows} rows: each row needs exactly one"
            )));
        }
        let data = Self {
            name: name.to_owned(),
            sha256: digest::digest_rows(&features, &target),
            features,
            feature_names,
            target,
            target_name: None,
            ascending_dates: None,
            split: None,
            changes: Vec::new(),
            best_accuracy: None,
        };
        check(&data)?;
        Ok(data)
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

    /// Returns the identity of the rows as they were read, in lower-case hexadecimal: SHA-256 of the features, row by row, then the
    /// targets. Another target, other columns or other values in place of missing ones give another one, though the file is the
    /// same. It reads all rows.
    pub fn rows_sha256(&self) -> String {
        digest::digest_rows(&self.features, &self.target)
    }

    /// Returns the rows preprocessing may be fitted on: the standard training part, or every row where there is none.
    pub fn training_rows(&self) -> ArrayView2<'_, f32> {
        let end = self.split.unwrap_or(self.rows());
        self.features.slice(s![..end, ..])
    }
}

/// What is to be predicted, one entry per row.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A class per row.
    Classes {
        /// Indices into `names`, one per row.
        labels: Vec<u32>,
        /// Every class that occurs (in generated data: that can occur), once: in numeric order if all names are numbers, else alphabetically.
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
    pub fn classes(names: Vec<String>) -> Result<Self, DataError> {
        labels::target(RawTarget::Classes(names))
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

    /// Returns whether there are no targets; never true inside a [`Dataset`].
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
