//! The numbers that a person watches: on the page, and the same in `/metrics`.

use serde::Serialize;

/// All numbers at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// `accuracy` or `rmse`.
    pub metric: &'static str,
    /// Rows that were answered just before they were learned, since the service was started.
    pub judged: u64,
    /// The metric over all of these.
    pub overall: Option<f64>,
    /// The metric over the latest of these.
    pub recent: Option<f64>,
    /// Rows that `recent` is over, at most.
    pub window: usize,
    /// Rows learned since the service was started.
    pub learned: u64,
    /// Rows left out since then because a value was missing, as the model was made to do.
    pub left_out: u64,
    /// Rows that could not be answered or learned.
    pub bad: u64,
    /// Rows answered, besides those that were learned.
    pub answered: u64,
    /// Rows forgotten.
    pub forgotten: u64,
    /// Rows of each class that were learned since the service was started, the most first.
    pub classes: Vec<Class>,
    /// The first row after the last change that each member of the learner has found.
    pub changes: Vec<Change>,
    /// The model.
    pub model: ModelFigures,
    /// Bytes that the process holds; 0 where the system does not tell.
    pub resident_bytes: u64,
    /// Requests that wait to be learned.
    pub waiting: u64,
    /// Times the model was saved since the service was started.
    pub checkpoints: u64,
    /// Times it could not be saved.
    pub failed_checkpoints: u64,
    /// Median and 99th hundredth of the latest requests, in seconds.
    pub latencies: Vec<Latency>,
    /// Seconds since the service was started.
    pub uptime: f64,
}

/// Rows of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Rows learned.
    pub rows: u64,
}

/// A change of the stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The member of the learner that has found it.
    pub member: String,
    /// The first row after it, counted from 0.
    pub row: u64,
}

/// Size of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ModelFigures {
    /// Rows learned in all.
    pub samples_seen: u64,
    /// Rows since the model was saved.
    pub unsaved: u64,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Rows that the learner keeps.
    pub stored_samples: usize,
    /// Bytes of one copy of the learner; a service that learns has two.
    pub bytes: usize,
}

/// How long the latest requests of a kind took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// `predict` or `learn`.
    pub route: &'static str,
    /// Seconds.
    pub p50: f64,
    /// Seconds.
    pub p99: f64,
}
