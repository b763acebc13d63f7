//! The figures on the page, which are also in `/metrics`.

use serde::Serialize;

/// All figures at one moment.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figures {
    /// `accuracy` or `rmse`.
    pub metric: &'static str,
    /// The number of rows that were predicted just before they were learned, since the service was started.
    pub judged: u64,
    /// The metric over all of these rows.
    pub overall: Option<f64>,
    /// The metric over the latest of these rows.
    pub recent: Option<f64>,
    /// The most rows that `recent` is over.
    pub window: usize,
    /// The number of rows learned since the service was started.
    pub learned: u64,
    /// The number of rows left out since then because a value was missing, as the model was configured.
    pub left_out: u64,
    /// The number of rows that could not be predicted or learned.
    pub bad: u64,
    /// The number of rows predicted, besides those that were learned.
    #[serde(rename = "answered")]
    pub predicted: u64,
    /// The number of rows forgotten.
    pub forgotten: u64,
    /// The number of rows learned of each class since the service was started, the most frequent first.
    pub classes: Vec<Class>,
    /// The first row after the last change that each member of the learner has detected.
    pub changes: Vec<Change>,
    /// The model.
    pub model: ModelFigures,
    /// The memory of the process in bytes; 0 if the system does not report it.
    pub resident_bytes: u64,
    /// The number of requests that wait to be learned.
    pub waiting: u64,
    /// How often the model was saved since the service was started.
    pub checkpoints: u64,
    /// How often it could not be saved.
    pub failed_checkpoints: u64,
    /// Median and 99th percentile of the latest requests, in seconds.
    pub latencies: Vec<Latency>,
    /// Seconds since the service was started.
    pub uptime: f64,
}

/// The rows of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Class {
    /// Its name.
    pub name: String,
    /// The number of rows learned.
    pub rows: u64,
}

/// A change of the stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    /// The member of the learner that has detected it.
    pub member: String,
    /// The first row after it, counted from 0.
    pub row: u64,
}

/// The size of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct ModelFigures {
    /// The number of rows learned in all.
    pub samples_seen: u64,
    /// The number of rows learned since the model was saved.
    pub unsaved: u64,
    /// The number of nodes of all trees.
    pub nodes: usize,
    /// The number of rows that the learner keeps.
    pub stored_samples: usize,
    /// The size of one copy of the learner in bytes; a service that learns has two.
    pub bytes: usize,
}

/// The time that the latest requests of a kind took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Latency {
    /// `predict` or `learn`.
    pub route: &'static str,
    /// The median, in seconds.
    pub p50: f64,
    /// The 99th percentile, in seconds.
    pub p99: f64,
}
