//! What can be wrong with a comparison, before it runs and while it does.

use forest_core::InputError;
use registry::BuildError;
use thiserror::Error;

use crate::FitError;

/// Why something cannot be compared as asked. Nothing has run.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Two data sets or algorithms with one name.
    #[error("the {kind} `{name}` is given twice; name it once")]
    Twice {
        /// What is named.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// More principal components than features.
    #[error("{asked} principal components: `{dataset}` has only {features} features")]
    Components {
        /// Components asked for.
        asked: usize,
        /// The data set.
        dataset: String,
        /// Its features.
        features: usize,
    },
    /// No row is left to test on.
    #[error(
        "{asked} training rows: `{dataset}` has {rows} rows and no standard split; at most {} can be learned",
        rows - 1
    )]
    TrainingRows {
        /// Training rows asked for.
        asked: usize,
        /// The data set.
        dataset: String,
        /// Its rows.
        rows: usize,
    },
    /// An algorithm that has nothing to learn.
    #[error("`{algorithm}` or a parameter of it is not for {task}, and no other data is given")]
    NoData {
        /// The algorithm.
        algorithm: String,
        /// The task of the data.
        task: &'static str,
    },
    /// A data set that nothing can learn.
    #[error("no algorithm that was named can do `{dataset}`, which is {task}")]
    NoAlgorithm {
        /// The data set.
        dataset: String,
        /// Its task.
        task: &'static str,
    },
    /// Every algorithm is offline, and every protocol a stream.
    #[error(
        "offline algorithms cannot be measured along a stream; use the hold-out, or name one that learns online"
    )]
    OnlyOffline,
}

/// Why a run has no result. It costs this run, and no other.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The rows could not be preprocessed.
    #[error("{0}")]
    Rows(String),
    /// The learner could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A learner of the caller's own could not be built.
    #[error(transparent)]
    Setting(#[from] forest_core::SettingError),
    /// The learner refused rows.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A batch learner could not be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A prediction is no number.
    #[error("the metric is {0}: a prediction is not a finite number")]
    NotFinite(f64),
    /// A batch learner has no stream.
    #[error("an offline algorithm cannot be measured along a stream")]
    OfflineStream,
    /// [`Observer::is_stopped`](crate::Observer::is_stopped) said so: the run has no record.
    #[error("interrupted")]
    Interrupted,
}
