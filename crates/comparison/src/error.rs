//! Errors of a comparison, before it runs and while it does.

use std::time::Duration;

use datasets::TaskKind;
use forest_core::InputError;
use forest_core::registry::BuildError;
use indicatif::BinaryBytes;
use online_forests::IntervalError;
use thiserror::Error;

use crate::FitError;
use crate::metric::Metric;
use crate::record::task_name;

/// An error in the request for a comparison, reported before anything runs.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Two data sets or algorithms with one name.
    #[error("the {kind} `{name}` is listed twice; list it once")]
    Twice {
        /// The kind of the name.
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
    /// Returns an error if no row is left to test on.
    #[error(
        "{asked} training rows: `{dataset}` has {rows} rows and no standard split; choose at most {}",
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
    /// An algorithm that does not support the task of any data.
    #[error(
        "`{algorithm}` or one of its parameters does not support {task}, the task of all data; leave it out or add other data"
    )]
    NoData {
        /// The algorithm.
        algorithm: String,
        /// The task of the data.
        task: &'static str,
    },
    /// A data set whose task the listed algorithms do not support.
    #[error(
        "`{dataset}` is a {task} data set, which the listed algorithms do not support; add one that does"
    )]
    NoAlgorithm {
        /// The data set.
        dataset: String,
        /// Its task.
        task: &'static str,
    },
    /// Fewer folds than two, or more than rows.
    #[error("{folds} folds: `{dataset}` has {rows} rows; choose from 2 to {rows}")]
    Folds {
        /// Folds asked for.
        folds: usize,
        /// The data set.
        dataset: String,
        /// Its rows.
        rows: usize,
    },
    /// No label arrives before the last row is predicted.
    #[error(
        "labels {delay} rows late: `{dataset}` has {rows} rows, so no row would be predicted after a label has arrived; \
         choose from 0 to {}",
        rows - 2
    )]
    Delay {
        /// Delay asked for.
        delay: usize,
        /// The data set.
        dataset: String,
        /// Its rows, at least two.
        rows: usize,
    },
    /// A metric whose task is not that of any data.
    #[error("`{metric}` measures {task}, but all compared data are {other}; choose from {known}")]
    Metric {
        /// The metric.
        metric: &'static str,
        /// Its task.
        task: &'static str,
        /// The task of the data.
        other: &'static str,
        /// The metrics of the data.
        known: String,
    },
    /// Every algorithm is offline, and every protocol a stream.
    #[error(
        "offline algorithms cannot be measured along a stream; use the hold-out, or add an algorithm that learns online"
    )]
    OnlyOffline,
}

impl SetupError {
    /// Checks that each of these metrics measures one of these tasks.
    ///
    /// # Errors
    /// Returns [`SetupError::Metric`] for the first that does not.
    pub fn check_metrics(metrics: &[Metric], tasks: &[TaskKind]) -> Result<(), Self> {
        let mut metrics = metrics.iter();
        let idle = metrics.find(|metric| !tasks.contains(&metric.task()));
        let (Some(metric), Some(&other)) = (idle, tasks.first()) else {
            return Ok(());
        };
        let known: Vec<&str> = Metric::of_task(other).map(|metric| metric.name).collect();
        Err(Self::Metric {
            metric: metric.name,
            task: task_name(metric.task()),
            other: task_name(other),
            known: known.join(", "),
        })
    }
}

/// The reason why a run has no result. Other runs are not affected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The rows could not be preprocessed.
    #[error("{0}")]
    Rows(String),
    /// The learner could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The caller's own learner could not be built.
    #[error(transparent)]
    Setting(#[from] forest_core::SettingError),
    /// The learner rejected rows.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A batch learner could not be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A prediction is not a number.
    #[error("the metric is {0}: a prediction is not a finite number")]
    NotFinite(f64),
    /// The learner rejected rows for which intervals were requested.
    #[error(transparent)]
    Interval(#[from] IntervalError),
    /// The caller's own learner is made for the other task.
    #[error("`{name}` does not support {task}")]
    OwnTask {
        /// Its name.
        name: String,
        /// The requested task.
        task: &'static str,
    },
    /// The learner exceeds its memory limit, or is about to.
    #[error(
        "stopped after {rows} rows: with {next} more, the learner would hold about {}, more than the memory limit ({})",
        BinaryBytes(*bytes),
        BinaryBytes(*limit)
    )]
    TooLarge {
        /// Bytes that it would hold.
        bytes: u64,
        /// Bytes that it may hold.
        limit: u64,
        /// Rows it has learned.
        rows: usize,
        /// Rows it would have learned next.
        next: usize,
    },
    /// The run exceeds its time limit.
    #[error("stopped: the run took more than the time limit ({} s)", limit.as_secs_f64())]
    TooSlow {
        /// The limit.
        limit: Duration,
    },
    /// The learner panicked, which is a bug in the learner.
    #[error("panicked: {0}")]
    Panicked(String),
    /// A batch learner was asked to run along a stream.
    #[error("an offline algorithm cannot be measured along a stream")]
    OfflineStream,
    /// [`Observer::is_stopped`](crate::Observer::is_stopped) returned true: the run has no record.
    #[error("interrupted")]
    Interrupted,
}
