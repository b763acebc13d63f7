//! Batch learners and fitted models.

use forest_core::{Footprint, ForestSettings, InputError, SettingError, Task};
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::BatchError;
use thiserror::Error;

use crate::Training;

/// A learner that sees all training rows at once.
pub trait BatchLearner<T: Task> {
    /// Learns the training rows, which have been checked.
    ///
    /// # Errors
    /// Returns an error for rows or settings that the learner does not support.
    fn fit(
        &self,
        training: &Training<'_, T>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError>;

    /// Returns whether it also learns from the rows to be predicted, without their targets: only then should they be passed
    /// ([`Training::with_unlabelled`]).
    fn is_transductive(&self) -> bool {
        false
    }
}

/// A fitted model.
pub trait Fitted {
    /// Predicts each row: probabilities of the classes up to the largest in the training rows, or the mean.
    ///
    /// # Errors
    /// Returns an [`InputError`] for a wrong width or a value that is not finite.
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;

    /// Returns the number of trees; 0 if the learner is not a forest.
    fn trees(&self) -> usize {
        0
    }

    /// Returns the memory that the learner takes, if it reports it.
    fn footprint(&self) -> Option<Footprint> {
        None
    }
}

/// Options of a fit, the same for every learner.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Number of trees, for learners that have trees and do not set their own number.
    pub trees: usize,
    /// The same seed, settings and rows give the same predictions, bit for bit.
    pub seed: u64,
}

impl FitOptions {
    /// Returns the options for this number of trees and this seed.
    pub fn new(trees: usize, seed: u64) -> Self {
        Self { trees, seed }
    }

    /// Returns the settings of a forest.
    pub(crate) fn forest(self) -> ForestSettings {
        ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(self.seed)
    }
}

/// An error of a fit.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The training rows are invalid.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A batch random tessellation forest could not be built.
    #[error(transparent)]
    Tessellation(#[from] BatchError),
    /// The training data are empty.
    #[error("no training rows; pass at least one")]
    NoRows,
    /// One class, where the library needs two.
    #[error("all training rows have one class; this learner needs rows of two classes")]
    OneClass,
    /// An error of the library that implements the learner.
    #[error("{library}: {message}")]
    Library {
        /// Its name.
        library: &'static str,
        /// Its message.
        message: String,
    },
    /// More rows of two classes than the learner takes.
    #[error("more than {0} training rows of two classes; use fewer rows, or another learner")]
    TooManyRows(usize),
}
