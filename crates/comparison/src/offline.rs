//! Offline learners: they see all training rows at once, and predict afterwards.

mod extra_trees;
mod tessellation;

use forest_core::parameters::{Parameter, Values};
use forest_core::{
    Classification, Footprint, ForestSettings, InputError, Regression, Rows, Schema, SettingError,
    Task,
};
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::BatchError;
use thiserror::Error;

/// An offline algorithm by name.
#[derive(Debug)]
pub struct OfflineRow {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The source: a paper or a library.
    pub paper: &'static str,
    /// Its limitations, a phrase each.
    pub limits: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Whether it grows the number of trees that is asked for.
    pub has_trees: bool,
    /// Makes classifiers, if it can.
    pub classification: Option<Make<Classification>>,
    /// Makes regressors, if it can.
    pub regression: Option<Make<Regression>>,
}

/// Makes a learner from the values of its parameters, which it reads.
pub type Make<T> = fn(&mut Values) -> Box<dyn BatchLearner<T>>;

/// Returns every offline algorithm, in the order in which users see them.
pub fn offline_rows() -> impl Iterator<Item = &'static OfflineRow> {
    #[cfg(not(feature = "baselines"))]
    let baselines: [&OfflineRow; 0] = [];
    #[cfg(feature = "baselines")]
    let baselines = crate::baselines::BASELINES;
    [&extra_trees::BATCH_DYNAMIC_EXTRA_TREES]
        .into_iter()
        .chain(&tessellation::FORESTS)
        .chain(baselines)
}

/// Fits models to all training rows at once.
pub trait BatchLearner<T: Task> {
    /// Fits a model.
    ///
    /// # Errors
    /// Rows that the learner cannot be fitted to.
    fn fit(
        &self,
        training: &Training<'_, T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError>;

    /// Returns whether the fit also uses the rows to be predicted, without their labels.
    fn is_transductive(&self) -> bool {
        false
    }
}

/// A fitted model.
pub trait Fitted {
    /// Predicts a row of class probabilities, or a number, for each row.
    ///
    /// # Errors
    /// Rows of another width, or with values that are not finite.
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;

    /// Returns the number of trees; 0 for a model without trees.
    fn trees(&self) -> usize {
        0
    }

    /// Returns what it holds, if that is known.
    fn footprint(&self) -> Option<Footprint> {
        None
    }
}

/// Checked training rows.
#[derive(Clone, Debug)]
pub struct Training<'a, T: Task> {
    /// The classes of the targets, and the number of features.
    pub schema: Schema<T>,
    /// The rows.
    pub rows: ArrayView2<'a, f32>,
    /// A target for each row.
    pub targets: &'a [T::Target],
    /// Rows to be predicted, for transductive learners.
    pub unlabelled: Option<ArrayView2<'a, f32>>,
}

impl<'a, T: Task> Training<'a, T> {
    /// Checks rows and targets.
    ///
    /// # Errors
    /// No rows, another number of targets, values that are not finite, or too many classes.
    pub fn new(rows: ArrayView2<'a, f32>, targets: &'a [T::Target]) -> Result<Self, FitError> {
        let mut schema = Schema::new(rows.ncols())?;
        Rows::check(rows, rows.ncols())?;
        schema.check_targets(rows.nrows(), targets)?;
        if targets.is_empty() {
            return Err(FitError::NoRows);
        }
        targets.iter().for_each(|&target| schema.admit(target));
        Ok(Self {
            schema,
            rows,
            targets,
            unlabelled: None,
        })
    }

    /// Adds rows to be predicted.
    ///
    /// # Errors
    /// Rows of another width, or with values that are not finite.
    pub fn with_unlabelled(self, rows: ArrayView2<'a, f32>) -> Result<Self, FitError> {
        Rows::check(rows, self.rows.ncols())?;
        Ok(Self {
            unlabelled: Some(rows),
            ..self
        })
    }
}

#[cfg(feature = "baselines")]
impl Training<'_, Classification> {
    /// Returns the classes that occur, ascending; an error for one class.
    pub(crate) fn two_classes(&self) -> Result<Vec<u32>, FitError> {
        let mut classes = self.targets.to_vec();
        classes.sort_unstable();
        classes.dedup();
        if classes.len() == 1 {
            Err(FitError::OneClass)
        } else {
            Ok(classes)
        }
    }
}

/// The reason why rows cannot be fitted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// Rows that no learner takes.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting that is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A batch tessellation forest cannot be grown.
    #[error(transparent)]
    Tessellation(#[from] BatchError),
    /// There are no rows.
    #[error("no training rows; pass at least one")]
    NoRows,
    /// The learner separates classes, and there is one.
    #[error("all training rows have one class; this learner needs rows of two classes")]
    OneClass,
    /// A library reports an error.
    #[error("{library}: {message}")]
    Library {
        /// The library.
        library: &'static str,
        /// Its words.
        message: String,
    },
    /// The fit would take too long.
    #[error("more than {0} training rows of two classes; use fewer rows, or another learner")]
    TooManyRows(usize),
}
