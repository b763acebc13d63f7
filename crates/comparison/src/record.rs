//! The record of a run: a line of `runs.jsonl`. The names of fields are its JSON keys.

use std::collections::BTreeMap;
use std::fmt;

use clap::ValueEnum;
use datasets::TaskKind;
use forest_core::{Classification, Regression, Task as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::curve::{AroundChange, Curve};
use crate::metric::Metric;
use crate::{GridPart, Preprocessing, Split};

/// The parameter that preprocessing may set from the data.
pub(crate) const WEIGHTS: &str = "weights";

/// All parameters of an algorithm, by name.
pub type Params = BTreeMap<String, Value>;

/// One algorithm on one data set, under one protocol, with one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Digest of all that decides what is measured but the seed, in hexadecimal: runs of one key repeat each other.
    pub key: String,
    /// The setting that all runs of one table share.
    #[serde(flatten)]
    pub setting: Setting,
    /// The name that the caller gave to the algorithm; mostly the algorithm with the parameters as written.
    pub label: String,
    /// The name of the algorithm.
    pub algorithm: String,
    /// All parameters of the algorithm, with their defaults (of a run that failed: those given).
    pub params: Params,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
    /// Whether it sees all training rows at once.
    pub offline: bool,
    /// Trees of the learner, 0 for one without trees: a single tree has 1, a forest of forests several times the number
    /// that was requested. For a run that failed: the requested number.
    pub trees: usize,
    /// The requested number of trees; 0 for an algorithm without trees.
    pub asked_trees: usize,
    /// Seed of the forest, and of the shuffle if there is one.
    pub seed: u64,
    /// The part of a grid that it was run in; `None` for the whole grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<GridPart>,
    /// The time when it ended, as in RFC 3339, in UTC.
    pub date: String,
    /// Threads to learn and predict with.
    pub threads: usize,
    /// The host it ran on.
    #[serde(flatten)]
    pub host: Host,
    /// Its outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The setting that all runs of one table share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The address the data was opened by.
    pub dataset: String,
    /// Identity of the data ([`datasets::Dataset::sha256`]).
    pub data_sha256: String,
    /// Identity of the rows as they were read ([`datasets::Dataset::rows_sha256`]), which options such as `--target`
    /// and `--drop` determine.
    pub rows_sha256: String,
    /// The column to predict; `None` for generated data.
    pub target: Option<String>,
    /// As `classification` or `regression`.
    #[serde(with = "TaskName")]
    pub task: TaskKind,
    /// How it was measured.
    pub protocol: Protocol,
    /// How a hold-out divides the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
    /// The order of a stream, or of the rows that a hold-out or a fold learns, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// What is done to the features; fitted on the rows that are learned, along a stream on those of the first window.
    pub preprocessing: Preprocessing,
    /// Rows learned (k-fold: in one fold; prequential k-fold: all rows, of which a fold learns a part).
    pub n_train: usize,
    /// Rows tested. Prequential: the same rows, each before it is learned.
    pub n_test: usize,
    /// Features that learners see.
    pub n_features: usize,
    /// Number of classes; `None` in regression.
    pub n_classes: Option<usize>,
    /// The main metric.
    pub metric: Metric,
    /// The targets that predictions are compared with.
    pub reference: Reference,
    /// Parts of the rows in k-fold cross-validation; learners in prequential k-fold validation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folds: Option<usize>,
    /// Which rows each learner of prequential k-fold validation learns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// Rows that arrive before the label of a row does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<usize>,
    /// Rows of one window of a prequential curve.
    pub window: Option<usize>,
    /// Rows of a stream, in its own order, at which what is to be learned changes.
    pub changes: Vec<usize>,
    /// The share of rows that the best possible classifier gets right, where it is known.
    pub best_accuracy: Option<f64>,
}

/// How rows are learned and tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each part of the rows after having learned all others.
    KFold,
    /// Test on each row of the stream, then learn it.
    Prequential,
    /// The same, by several learners, each of which learns some of the rows.
    #[serde(rename = "prequential-kfold")]
    PrequentialKFold,
    /// The same, but the label of a row arrives some rows later.
    Delayed,
}

/// The order of a stream, or of the rows that a hold-out or a fold learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As the file or the generator has them.
    #[default]
    Stream,
    /// Shuffled again for every seed.
    Shuffled,
    /// Sorted by the target: the first class, or the least value, comes first.
    Sorted,
    /// Sorted by the target: the last class, or the greatest value, comes first.
    SortedDescending,
}

/// The rows that each of k learners of a stream learns; all are tested on every row. These are the distributed folds of
/// A. Bifet, G. De Francisci Morales, J. Read, G. Holmes, B. Pfahringer, *Efficient online evaluation of big data
/// stream classifiers*, KDD 2015. As in the authors' implementation in MOA, every learner is tested on every row before
/// it may learn it; in the paper, on those that it does not learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Validation {
    /// Each row is learned by all learners but one, drawn uniformly.
    #[default]
    Cross,
    /// Each row is learned by one learner, drawn uniformly.
    Split,
    /// Each row is learned a Poisson(1) number of times by each learner.
    Bootstrap,
}

/// The targets that predictions are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The targets as observed.
    Observed,
    /// The true function of generated data.
    NoiseFree,
}

/// The host of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Host {
    /// Commit of the code, with `+dirty` if it had uncommitted changes.
    pub revision: String,
    /// The processor.
    pub cpu: String,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It was completed.
    Measured(Box<Measured>),
    /// It failed.
    Failed {
        /// The reason.
        error: String,
    },
}

/// The measurements of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The main metric over all test rows.
    pub value: f64,
    /// Every metric of the task that has a finite value ([`METRICS`](crate::metric::METRICS)), by name.
    pub metrics: BTreeMap<String, f64>,
    /// Standard errors over test rows, of the metrics that have one; empty along a stream, whose rows depend on those
    /// before. Of prequential k-fold validation, over folds.
    #[serde(default)]
    pub standard_errors: BTreeMap<String, f64>,
    /// Time inside `learn` (prequential: inside `predict_then_learn`; offline: inside `fit`; k-fold: mean over folds).
    pub learn_seconds: f64,
    /// Time inside `predict`; `None` where it cannot be separated from learning.
    pub predict_seconds: Option<f64>,
    /// Processor time of what `learn_seconds` counts, in all threads together; earlier records have none.
    #[serde(default)]
    pub learn_processor_seconds: Option<f64>,
    /// Processor time of what `predict_seconds` counts.
    #[serde(default)]
    pub predict_processor_seconds: Option<f64>,
    /// Nodes of all trees together at the end, inner nodes and leaves (k-fold: mean over folds).
    pub nodes: Option<usize>,
    /// Training samples that the learner keeps, in all trees together (k-fold: mean over folds).
    pub stored_samples: Option<usize>,
    /// Bytes that the learner holds (k-fold: mean over folds).
    pub model_bytes: Option<usize>,
    /// The metric along a stream.
    pub curve: Option<Curve>,
    /// The metric around each change point of the stream.
    pub around_changes: Vec<AroundChange>,
}

/// Returns the name of a task in records: `classification` or `regression`.
pub fn task_name(task: TaskKind) -> &'static str {
    match task {
        TaskKind::Classification => Classification::NAME,
        TaskKind::Regression => Regression::NAME,
    }
}

impl Record {
    /// Returns whether the run failed.
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. })
    }

    /// Returns the parameters that the data did not decide.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.params.iter().filter(|(name, _)| *name != WEIGHTS)
    }
}

impl Protocol {
    /// Returns whether rows are tested and learned along a stream.
    pub fn is_stream(self) -> bool {
        !matches!(self, Self::Holdout | Self::KFold)
    }
}

/// How a task is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TaskKind", rename_all = "lowercase")]
enum TaskName {
    Classification,
    Regression,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stream => "in stream order",
            Self::Shuffled => "shuffled per seed",
            Self::Sorted => "sorted by the target",
            Self::SortedDescending => "sorted by the target, downwards",
        })
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cross => "cross-validation",
            Self::Split => "split-validation",
            Self::Bootstrap => "bootstrap validation",
        })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holdout => "hold-out",
            Self::KFold => "k-fold",
            Self::Prequential => "prequential",
            Self::PrequentialKFold => "prequential k-fold",
            Self::Delayed => "delayed labels",
        })
    }
}
