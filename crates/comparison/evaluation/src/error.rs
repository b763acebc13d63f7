//! What can be wrong with a comparison, before it runs and while it does.

use std::time::Duration;

use datasets::TaskKind;
use forest_core::InputError;
use indicatif::BinaryBytes;
use online_forests::IntervalError;
use registry::BuildError;
use thiserror::Error;

use crate::FitError;
use crate::metric::Metric;
use crate::record::task_name;

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
    /// No label arrives before the last row is answered.
    #[error(
        "labels {delay} rows late: `{dataset}` has {rows} rows, so no row would be answered after a label has arrived; \
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
    /// A metric of the other task than that of all data.
    #[error(
        "`{metric}` measures {task}, but all data that is compared is {other}; choose from {known}"
    )]
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
        "offline algorithms cannot be measured along a stream; use the hold-out, or name one that learns online"
    )]
    OnlyOffline,
}

impl SetupError {
    /// Checks that each of these metrics measures one of these tasks.
    ///
    /// # Errors
    /// [`SetupError::Metric`].
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
    /// The learner refused rows that intervals were asked for.
    #[error(transparent)]
    Interval(#[from] IntervalError),
    /// A learner of the caller's own, for the other task.
    #[error("`{name}` does not do {task}")]
    OwnTask {
        /// Its name.
        name: String,
        /// The task that was asked for.
        task: &'static str,
    },
    /// The learner holds more than it may, or is about to.
    #[error(
        "stopped after {rows} rows: {next} more would make it hold about {}, more than --max-memory allows ({})",
        BinaryBytes(*bytes),
        BinaryBytes(*limit)
    )]
    TooLarge {
        /// What it would hold.
        bytes: u64,
        /// What it may hold.
        limit: u64,
        /// Rows it has learned.
        rows: usize,
        /// Rows it would have learned next.
        next: usize,
    },
    /// The fit of a batch learner takes more than it may. It has not begun.
    #[error(
        "not begun: the fit would take about {}, more than --max-memory allows ({})",
        BinaryBytes(*bytes),
        BinaryBytes(*limit)
    )]
    FitTooLarge {
        /// What it would take.
        bytes: u64,
        /// What it may take.
        limit: u64,
    },
    /// The run takes longer than it may.
    #[error("stopped: it took more than --time-limit allows ({} s)", limit.as_secs_f64())]
    TooSlow {
        /// What it may take.
        limit: Duration,
    },
    /// The learner panicked, which is a fault in it.
    #[error("panicked: {0}")]
    Panicked(String),
    /// A batch learner has no stream.
    #[error("an offline algorithm cannot be measured along a stream")]
    OfflineStream,
    /// [`Observer::is_stopped`](crate::Observer::is_stopped) said so: the run has no record.
    #[error("interrupted")]
    Interrupted,
}
