//! One run as data: a line of `runs.jsonl`. The names of fields are its JSON keys.

use std::collections::BTreeMap;
use std::fmt;

use evaluation::AroundChange;
use serde::Serialize;
use serde_json::Value;

use super::metric::Metric;

/// One algorithm on one data set, under one protocol, with one seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    #[serde(flatten)]
    pub setting: Setting,
    /// Algorithm and parameters as given.
    pub label: String,
    pub algorithm: String,
    /// All parameters of the algorithm (of a run that failed: those given).
    pub params: BTreeMap<String, Value>,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
    /// Whether it sees all training rows at once.
    pub offline: bool,
    /// 0 for what has no trees.
    pub trees: usize,
    /// Seed of the forest, and of the shuffle if there is one.
    pub seed: u64,
    #[serde(flatten)]
    pub host: Host,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What all runs of one table share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The address the data was opened by.
    pub dataset: String,
    pub data_sha256: String,
    /// `classification` or `regression`.
    pub task: &'static str,
    pub protocol: Protocol,
    /// How the rows were divided or ordered, in words.
    pub split: String,
    /// What was done to the features, and which rows that was fitted on, in words.
    pub preprocessing: String,
    pub n_train: usize,
    /// Prequential: the same rows, each before it is learned.
    pub n_test: usize,
    /// Features that learners see.
    pub n_features: usize,
    /// None in regression.
    pub n_classes: Option<usize>,
    pub metric: Metric,
    pub reference: Reference,
    /// Rows of one window of a prequential curve.
    pub window: Option<usize>,
    /// Rows of a stream, in its own order, at which what is to be learned changes.
    pub changes: Vec<usize>,
    /// The share of rows that the best possible classifier gets right, where it is known.
    pub best_accuracy: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each row of the stream, then learn it.
    Prequential,
}

/// What predictions are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The targets as observed.
    Observed,
    /// The true function of generated data.
    NoiseFree,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Host {
    pub threads: usize,
    /// Commit of the code, with `+dirty` if it had uncommitted changes.
    pub revision: String,
    pub cpu: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    Measured(Measured),
    Failed { error: String },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The metric over all test rows.
    pub value: f64,
    /// Time inside `learn` (prequential: inside `predict_then_learn`; offline: inside `fit`).
    pub learn_seconds: f64,
    /// Time inside `predict`; none where it cannot be separated from learning.
    pub predict_seconds: Option<f64>,
    /// Of all trees. This and what follows is none for learners that do not tell.
    pub nodes: Option<usize>,
    pub stored_samples: Option<usize>,
    pub model_bytes: Option<usize>,
    pub curve: Option<Curve>,
    /// The metric before and after every change of a stream.
    pub around_changes: Vec<AroundChange<f64>>,
}

/// Metric and time along the stream: entry `i` is measured after `i + 1` windows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Curve {
    /// Rows learned so far.
    pub rows: Vec<usize>,
    /// The metric over all rows so far.
    pub cumulative: Vec<f64>,
    /// The metric over the rows of the last window.
    pub windowed: Vec<f64>,
    /// Time inside `predict_then_learn` during the last window.
    pub seconds: Vec<f64>,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holdout => "hold-out",
            Self::Prequential => "prequential",
        })
    }
}
