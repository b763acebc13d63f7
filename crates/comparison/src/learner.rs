//! Batch learners and fitted models.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Returns an error for rows or settings that the learner does not support, or if the fit was stopped.
    fn fit(
        &self,
        training: &Training<'_, T>,
        options: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError>;

    /// Returns about how many bytes [`BatchLearner::fit`] takes (rather too many than too few), if that is known in advance: a
    /// fit that would take more than is available need not begin. By default, the number is unknown.
    fn bytes_to_fit(&self, training: &Training<'_, T>, trees: usize) -> Option<u64> {
        let _ = (training, trees);
        None
    }

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
#[derive(Clone, Copy)]
pub struct FitOptions<'a> {
    /// Number of trees, for learners that have trees and do not set their own number.
    pub trees: usize,
    /// The same seed, settings and rows give the same predictions, bit for bit.
    pub seed: u64,
    /// Called after each part, by the thread that completed it, with the numbers of complete and of all parts; `Break`
    /// ends the fit. Learners whose library does not report progress do not call it.
    pub progress: &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
}

impl FitOptions<'_> {
    /// Returns options without progress.
    pub fn new(trees: usize, seed: u64) -> Self {
        Self {
            trees,
            seed,
            progress: &|_, _| ControlFlow::Continue(()),
        }
    }

    /// Grows a forest with these options. `grow` calls its argument after each tree with the number of complete trees.
    ///
    /// All trees begin at once, and each is completed before the fit ends, so `Break` takes effect at the end.
    pub(crate) fn grow<F>(
        &self,
        grow: impl FnOnce(ForestSettings, &(dyn Fn(usize) + Sync)) -> Result<F, FitError>,
    ) -> Result<F, FitError> {
        let stopped = AtomicBool::new(false);
        let forest = ForestSettings::default()
            .with_trees(self.trees)
            .with_seed(self.seed);
        let grown = grow(forest, &|complete| {
            let reported = (self.progress)(complete, self.trees);
            stopped.fetch_or(reported.is_break(), Ordering::Relaxed);
        })?;
        if stopped.into_inner() {
            Err(FitError::Stopped)
        } else {
            Ok(grown)
        }
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
    /// [`FitOptions::progress`] returned `Break`.
    #[error("stopped before the end")]
    Stopped,
}
