//! The request for a comparison: options of a command line, keyword arguments of Python.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use datasets::{Dataset, TaskKind};
use forest_core::{ForestSettings, threads};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::metric::Metric;
use crate::protocol::{Design, Protocol, TRAIN_SIZE, is_train_size};
use crate::record::task_name;
use crate::{Comparison, Contender, GridPart, SetupError, comparisons, remarks};

/// How learners are compared on data. Each field is an option of a command line, whose help text is its documentation,
/// and a key of JSON, where times are in seconds. The default has neither trees nor seeds.
#[derive(Clone, Debug, Default, Serialize, Deserialize, Args)]
pub struct Request {
    /// Number of trees of every forest
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub trees: usize,

    /// Repetitions, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub seeds: u64,

    /// Protocol; both: hold-out, then prequential
    #[arg(long, value_enum, default_value_t = Protocols::Both)]
    pub protocol: Protocols,

    /// How rows are divided, ordered and preprocessed.
    #[command(flatten)]
    #[serde(flatten)]
    pub design: Design,

    /// Metric of the tables; the first one ranks; may be repeated [default: accuracy and log_loss; rmse and mae]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<Metric>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Folder of the named sets [default: data]
    #[arg(long, value_name = "DIR", env = "FOREST_DATA")]
    pub data_dir: Option<PathBuf>,

    /// Folder for runs, tables, plots and report; it must not contain runs [default: results/compare-YYYY-MM-DD-HHMMSS]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Continue in the folder of --out: run only what is not recorded there
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Run only part I of N: the parts are disjoint and of equal size. --report-from makes one report of them
    #[arg(long, value_name = "I/N")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<GridPart>,

    /// Memory limit of a learner that learns online; above it, its run is stopped [default: 80 % of available memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Time limit of a run, such as 90s or 10m; above it, the run is stopped
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub time_limit: Option<f64>,
}

/// Protocols that are run one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Protocols {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each row of the stream, then learn it.
    Prequential,
    /// The hold-out, then the prequential protocol.
    #[default]
    Both,
    /// Test on each of K parts of the rows, after having learned all others.
    Kfold,
    /// As prequential, by K learners that learn different rows; the result is the mean over them.
    PrequentialKfold,
    /// As prequential, but the label of a row arrives N rows later.
    Delayed,
}

/// Parses a positive time such as `90s`, `10m`, `1h 30m`.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<SignedDuration>() {
        Ok(time) if time.is_positive() => Ok(time.as_secs_f64()),
        _ => Err("expected a time such as 90s, 10m or 1h 30m".to_owned()),
    }
}

impl Request {
    fn protocols(&self) -> &'static [Protocol] {
        match self.protocol {
            Protocols::Holdout => &[Protocol::Holdout],
            Protocols::Prequential => &[Protocol::Prequential],
            Protocols::Both => &[Protocol::Holdout, Protocol::Prequential],
            Protocols::Kfold => &[Protocol::KFold],
            Protocols::PrequentialKfold => &[Protocol::PrequentialKFold],
            Protocols::Delayed => &[Protocol::Delayed],
        }
    }

    /// Checks everything that does not depend on the data.
    ///
    /// # Errors
    /// Returns an error for numbers of trees, seeds or threads that are out of bounds, and for an option of a protocol
    /// that is not run, which would not have an effect.
    pub fn check(&self) -> Result<(), SetupError> {
        let refused =
            |option, error: &dyn ToString| SetupError::new(Some(option), error.to_string());
        ForestSettings::check_trees(self.trees).map_err(|error| refused("--trees", &error))?;
        let threads = self.threads.map_or(0, NonZeroUsize::get);
        threads::check(threads).map_err(|error| refused("--threads", &error))?;
        if self.seeds == 0 {
            return Err(refused("--seeds", &"seeds must be at least 1, but is 0"));
        }
        let design = &self.design;
        if let Some(size) = design.train.filter(|&size| !is_train_size(size)) {
            return Err(refused("--train", &format!("{size} is not {TRAIN_SIZE}")));
        }
        let is_run = |protocol| self.protocols().contains(&protocol);
        let holds_out = is_run(Protocol::Holdout);
        let validates = is_run(Protocol::PrequentialKFold);
        let has_folds = validates || is_run(Protocol::KFold);
        let is_delayed = is_run(Protocol::Delayed);
        for (option, is_given, has_effect, remedy) in [
            ("--train", design.train.is_some(), holds_out, "holdout"),
            ("--split", design.split.is_some(), holds_out, "holdout"),
            (
                "--folds",
                design.folds.is_some(),
                has_folds,
                "kfold or prequential-kfold",
            ),
            (
                "--validation",
                design.validation.is_some(),
                validates,
                "prequential-kfold",
            ),
            ("--delay", design.delay.is_some(), is_delayed, "delayed"),
        ] {
            if is_given && !has_effect {
                let message = format!(
                    "{} has no effect on the protocols that are run; leave it out, or use the protocol {remedy}",
                    &option[2..]
                );
                return Err(SetupError::new(Some(option), message));
            }
        }
        Ok(())
    }

    /// Checks that each metric of the tables measures one of these tasks.
    ///
    /// # Errors
    /// Returns an error that names the first that does not.
    pub fn check_metrics(&self, tasks: &[TaskKind]) -> Result<(), SetupError> {
        let Some(&compared) = tasks.first() else {
            return Ok(());
        };
        let mut metrics = self.metrics.iter();
        let Some(other) = metrics.find(|metric| !tasks.contains(&metric.task)) else {
            return Ok(());
        };
        let names = Metric::of_task(compared).map(|metric| metric.name);
        let message = format!(
            "`{}` measures {}, but all compared data are {}; choose from {}",
            other.name,
            task_name(other.task),
            task_name(compared),
            names.collect::<Vec<_>>().join(", ")
        );
        Err(SetupError::new(Some("--metric"), message))
    }

    /// Plans a comparison for each data set and protocol; returns remarks for users, too.
    ///
    /// # Errors
    /// As [`comparisons`]; and for a metric of a task that no data set has.
    pub fn plan<'a>(
        &self,
        datasets: &'a [Dataset],
        contenders: &[Contender],
    ) -> Result<(Vec<Comparison<'a>>, Vec<String>), SetupError> {
        let tasks: Vec<TaskKind> = datasets.iter().map(Dataset::task).collect();
        self.check_metrics(&tasks)?;
        let protocols = self.protocols();
        let planned = comparisons(datasets, contenders, protocols, &self.design)?;
        let remarks = remarks(datasets, contenders, protocols, &self.design);
        Ok((planned, remarks))
    }
}
