//! The record of a run: a line of `runs.jsonl`. The names of fields are its JSON keys.

use std::collections::BTreeMap;

use datasets::TaskKind;
use forest_core::{Classification, Regression, Task as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use statrs::statistics::Statistics as _;

use crate::GridPart;
use crate::metric::Metric;
use crate::protocol::{Order, Preprocessing, Protocol, Split, Validation};

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
    /// Identity of the rows as read, with `--target`, `--drop`, … ([`datasets::Dataset::rows_sha256`]).
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

/// The main metric along a stream, window by window. A window in which no row is scored is a part of the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Rows seen at the end of each window.
    pub rows: Vec<usize>,
    /// The metric over all rows so far.
    pub cumulative: Vec<f64>,
    /// The metric over the window.
    pub windowed: Vec<f64>,
    /// The time in each window.
    pub seconds: Vec<f64>,
}

/// The main metric around a change; `None` where nothing was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AroundChange {
    /// The first row after the change.
    pub row: usize,
    /// Over the window that ends before the change.
    pub before: Option<f64>,
    /// Over the window that begins with the change.
    pub after: Option<f64>,
    /// Over the window that begins [`LATER`](Self::LATER) rows after the change.
    pub later: Option<f64>,
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
}

impl AroundChange {
    /// Rows of a window.
    pub const WINDOW: usize = 500;
    /// Rows from a change to its later window.
    pub const LATER: usize = 1000;

    pub(crate) fn means<'a>(runs: impl Iterator<Item = &'a [Self]> + Clone) -> Vec<Self> {
        let mut means = Vec::new();
        for change in 0..runs.clone().next().map_or(0, <[Self]>::len) {
            means.push(Self::mean(runs.clone().map(|run| &run[change])));
        }
        means
    }

    pub(crate) fn mean<'a>(changes: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let part = |part: fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = changes.clone().filter_map(part).collect();
            (!values.is_empty()).then(|| values.mean())
        };
        Self {
            row: changes.clone().next().map_or(0, |change| change.row),
            before: part(|change| change.before),
            after: part(|change| change.after),
            later: part(|change| change.later),
        }
    }
}

impl Curve {
    /// Returns the mean of curves of one stream, over the windows that all have: they have the last ones in common.
    pub(crate) fn mean(curves: &[&Self]) -> Option<Self> {
        let shortest = curves.iter().min_by_key(|curve| curve.rows.len())?;
        let windows = shortest.rows.len();
        let means = |values: fn(&Self) -> &[f64]| {
            let mut means = Vec::new();
            for back in (1..=windows).rev() {
                let values = curves.iter().map(|curve| values(curve));
                means.push(values.map(|values| values[values.len() - back]).mean());
            }
            means
        };
        Some(Self {
            cumulative: means(|curve| &curve.cumulative),
            windowed: means(|curve| &curve.windowed),
            seconds: means(|curve| &curve.seconds),
            rows: shortest.rows.clone(),
        })
    }
}

impl Measured {
    /// Returns the means over folds, with standard errors over them, of the metrics that all folds have.
    pub(crate) fn over_folds(folds: &[Self]) -> Self {
        let count = |get: fn(&Self) -> Option<usize>| {
            let counts: Option<Vec<usize>> = folds.iter().map(get).collect();
            Some(counts?.iter().sum::<usize>() / folds.len())
        };
        let mut values: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
        for (name, value) in folds.iter().flat_map(|fold| &fold.metrics) {
            values.entry(name).or_default().push(*value);
        }
        values.retain(|_, values| values.len() == folds.len());
        let (mut metrics, mut standard_errors) = (BTreeMap::new(), BTreeMap::new());
        for (name, values) in values {
            metrics.insert(name.clone(), values.as_slice().mean());
            let error = values.as_slice().std_dev() / (values.len() as f64).sqrt();
            standard_errors.insert(name.clone(), error);
        }
        let curves: Vec<&Curve> = folds.iter().flat_map(|fold| &fold.curve).collect();
        let processor = folds.iter().flat_map(|fold| fold.learn_processor_seconds);
        Self {
            value: folds.iter().map(|fold| fold.value).mean(),
            metrics,
            standard_errors,
            learn_seconds: folds.iter().map(|fold| fold.learn_seconds).mean(),
            learn_processor_seconds: Some(processor.mean()),
            predict_seconds: None,
            predict_processor_seconds: None,
            nodes: count(|fold| fold.nodes),
            stored_samples: count(|fold| fold.stored_samples),
            model_bytes: count(|fold| fold.model_bytes),
            curve: Curve::mean(&curves),
            around_changes: AroundChange::means(folds.iter().map(|fold| &fold.around_changes[..])),
        }
    }
}

/// How a task is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TaskKind", rename_all = "lowercase")]
enum TaskName {
    Classification,
    Regression,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_have_means_and_standard_errors_of_what_all_have() {
        let fold = |value: f64, windows: usize, bytes: Option<usize>| Measured {
            value,
            metrics: [("rmse".to_owned(), value)].into(),
            learn_seconds: value,
            model_bytes: bytes,
            curve: Some(Curve {
                rows: (3 - windows..3).map(|window| 10 * (window + 1)).collect(),
                cumulative: vec![value; windows],
                windowed: (0..windows).map(|window| value * window as f64).collect(),
                seconds: vec![1.0; windows],
            }),
            ..Measured::default()
        };
        let mut folds = [fold(1.0, 3, Some(10)), fold(3.0, 2, Some(21))];
        folds[0].metrics.insert("r2".to_owned(), 1.0);
        let mean = Measured::over_folds(&folds);
        assert_eq!(
            (mean.value, mean.learn_seconds, mean.model_bytes),
            (2.0, 2.0, Some(15))
        );
        assert_eq!(mean.metrics, [("rmse".to_owned(), 2.0)].into());
        // The standard deviation of 1 and 3 is √2.
        assert!((mean.standard_errors["rmse"] - 1.0).abs() < 1e-12);
        let curve = mean.curve.unwrap();
        assert_eq!((curve.rows, curve.windowed), (vec![20, 30], vec![0.5, 2.5]));
        folds[0].model_bytes = None;
        assert_eq!(Measured::over_folds(&folds).model_bytes, None);
    }
}
