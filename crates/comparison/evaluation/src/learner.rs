//! The learner, and what it has learned.

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
    /// What the learner cannot do, or that it was stopped.
    fn fit(
        &self,
        training: &Training<'_, T>,
        options: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError>;

    /// Bytes that [`BatchLearner::fit`] takes, about and rather too many, if that is known before it begins: a
    /// fit that would take more than there is need not begin. By default it cannot.
    fn bytes_to_fit(&self, training: &Training<'_, T>, trees: usize) -> Option<u64> {
        let _ = (training, trees);
        None
    }

    /// Whether it learns from the rows that will be asked, too, without their targets: only then are they to be given
    /// ([`Training::with_unlabelled`]).
    fn is_transductive(&self) -> bool {
        false
    }
}

/// What was learned.
pub trait Fitted {
    /// Answers one row per row: probabilities of the classes up to the largest in the training rows, or the mean.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;

    /// Number of trees; 0 for what is no forest.
    fn trees(&self) -> usize {
        0
    }

    /// What it holds in memory, if it tells.
    fn footprint(&self) -> Option<Footprint> {
        None
    }
}

/// What every learner is given.
#[derive(Clone, Copy)]
pub struct FitOptions<'a> {
    /// Number of trees, for those that have trees and no number of their own.
    pub trees: usize,
    /// The same seed, settings and rows give the same answers, bit for bit.
    pub seed: u64,
    /// Called after each part, by the thread that has completed it, with the numbers of complete and of all parts; `Break`
    /// ends the fit. Learners whose library shows no parts do not call it.
    pub progress: &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
}

impl FitOptions<'_> {
    /// Without progress.
    pub fn new(trees: usize, seed: u64) -> Self {
        Self {
            trees,
            seed,
            progress: &|_, _| ControlFlow::Continue(()),
        }
    }

    /// A forest with these options. `grow` makes it, and calls what it is given after each tree with the number of complete ones.
    ///
    /// Trees that have begun are completed before a fit ends, and all begin at once: so `Break` takes effect at the end.
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
        match stopped.into_inner() {
            true => Err(FitError::Stopped),
            false => Ok(grown),
        }
    }
}

/// Why nothing was learned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// The training rows are refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A batch random tessellation forest is not made.
    #[error(transparent)]
    Tessellation(#[from] BatchError),
    /// Dynamic extra trees are not made.
    #[error(transparent)]
    ExtraTrees(#[from] dynamic_forest::BatchError),
    /// There is nothing to learn from.
    #[error("there are no training rows; give at least one")]
    NoRows,
    /// One class, where the library needs two.
    #[error("all training rows are of one class; this learner needs rows of two")]
    OneClass,
    /// What a library says that the learner is made of.
    #[error("{library}: {message}")]
    Library {
        /// Its name.
        library: &'static str,
        /// What it says.
        message: String,
    },
    /// [`FitOptions::progress`] said so.
    #[error("stopped before the end")]
    Stopped,
}
