//! One run as data: a line of `runs.jsonl`.

use std::collections::BTreeMap;
use std::fmt;

use forest_core::Footprint;
use serde::Serialize;
use serde_json::Value;

use super::metric::Metric;

/// One algorithm on one data set, under one protocol, with one seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// What all runs of one table share.
    #[serde(flatten)]
    pub setting: Setting,
    /// Algorithm and parameters as given.
    pub label: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// All of its parameters (of a run that failed: those given).
    pub params: BTreeMap<String, Value>,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
    /// Number of trees; 0 for a baseline, which has none.
    pub trees: usize,
    /// Seed of the forest, and of the shuffle if there is one.
    pub seed: u64,
    /// Where it ran.
    #[serde(flatten)]
    pub host: Host,
    /// What came out.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What all runs of one table share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The address the data was opened by.
    pub dataset: String,
    /// SHA-256 of the data.
    pub data_sha256: String,
    /// `classification` or `regression`.
    pub task: &'static str,
    /// Hold-out or prequential.
    pub protocol: Protocol,
    /// How the rows were divided or ordered.
    pub split: String,
    /// What was done to the features, and what that was fitted on.
    pub preprocessing: String,
    /// Rows learned from.
    pub n_train: usize,
    /// Rows tested on (prequential: the same rows, each before it is learned).
    pub n_test: usize,
    /// Features the learner saw.
    pub n_features: usize,
    /// Classes that occur; none in regression.
    pub n_classes: Option<usize>,
    /// What is measured.
    pub metric: Metric,
    /// What predictions are measured against.
    pub reference: Reference,
    /// Rows of one window of a prequential curve.
    pub window: Option<usize>,
}

/// How learning and testing take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each row of the stream, then learn it.
    Prequential,
}

/// What predictions are measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The targets as observed.
    Observed,
    /// The true function of generated data, without noise.
    NoiseFree,
}

/// Where a run took place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Host {
    /// Threads learning and predicting.
    pub threads: usize,
    /// Commit of the code, with `+dirty` if it had uncommitted changes.
    pub revision: String,
    /// The processor's name.
    pub cpu: String,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It finished.
    Measured(Measured),
    /// It could not be done.
    Failed {
        /// Why.
        error: String,
    },
}

/// The numbers of a finished run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The metric over all test rows.
    pub value: f64,
    /// Time inside `learn` (prequential: inside `predict_then_learn`, which does both).
    pub learn_seconds: f64,
    /// Time inside `predict`; none where it cannot be told from learning.
    pub predict_seconds: Option<f64>,
    /// What the learner held at the end.
    #[serde(flatten)]
    pub held: Held,
    /// The metric along the stream.
    pub curve: Option<Curve>,
}

/// What a learner holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Nodes of all trees.
    pub nodes: usize,
    /// Samples kept.
    pub stored_samples: usize,
    /// Bytes of the learner.
    pub model_bytes: usize,
}

/// Metric and time along the stream: entry `i` is what was known after `i + 1` windows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Curve {
    /// Rows seen at each entry.
    pub rows: Vec<usize>,
    /// Over all rows so far.
    pub cumulative: Vec<f64>,
    /// Over the rows of the last window alone.
    pub windowed: Vec<f64>,
    /// Time inside `predict_then_learn` during the last window.
    pub seconds: Vec<f64>,
}

impl From<Footprint> for Held {
    fn from(footprint: Footprint) -> Self {
        let Footprint {
            nodes,
            stored_samples,
            bytes: model_bytes,
        } = footprint;
        Self {
            nodes,
            stored_samples,
            model_bytes,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holdout => "hold-out",
            Self::Prequential => "prequential",
        })
    }
}
