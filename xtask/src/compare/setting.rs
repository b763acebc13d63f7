//! What the runs of one comparison share, put down before they begin.

use datasets::{Dataset, Target, TaskKind};
use forest_core::{Classification, Regression, Task};

use super::args::Order;
use super::metric::{Metric, Scored};
use super::number;
use super::preprocess::Preprocessing;
use super::record::{Protocol, Reference, Setting};
use super::split::Split;

/// A stream is cut into this many windows,
const WINDOWS: usize = 50;
/// but a window has at least this many rows.
const SMALLEST_WINDOW: usize = 20;

/// Describes `dataset` under `protocol`.
pub fn describe(
    dataset: &Dataset,
    protocol: Protocol,
    (split, order): (&Split, Order),
    preprocessing: &Preprocessing,
) -> Setting {
    let rows = dataset.rows();
    let (n_train, n_test) = match protocol {
        Protocol::Holdout => split.sizes(rows),
        Protocol::Prequential => (rows, rows),
    };
    let window = (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows);
    Setting {
        dataset: dataset.name.clone(),
        data_sha256: dataset.sha256.clone(),
        task: task_name(dataset.task()),
        protocol,
        split: rows_in_words(protocol, (split, order), window),
        preprocessing: preprocessing.describe(protocol),
        n_train,
        n_test,
        n_features: preprocessing.features(dataset),
        n_classes: dataset.n_classes(),
        metric: metric(dataset.task()),
        reference: reference(&dataset.target, protocol),
        window: (protocol == Protocol::Prequential).then_some(window),
    }
}

fn rows_in_words(protocol: Protocol, (split, order): (&Split, Order), window: usize) -> String {
    let window = number::count(window as f64);
    match (protocol, order) {
        (Protocol::Holdout, _) => split.to_string(),
        (Protocol::Prequential, Order::Stream) => {
            format!("every row in stream order, windows of {window} rows")
        }
        (Protocol::Prequential, Order::Shuffled) => {
            format!("every row, shuffled per seed, windows of {window} rows")
        }
    }
}

/// A stream shows observed targets only; a hold-out of generated data can ask for the truth.
fn reference(target: &Target, protocol: Protocol) -> Reference {
    match (target, protocol) {
        (
            Target::Values {
                noise_free: Some(_),
                ..
            },
            Protocol::Holdout,
        ) => Reference::NoiseFree,
        _ => Reference::Observed,
    }
}

/// `classification` or `regression`.
pub fn task_name(task: TaskKind) -> &'static str {
    match task {
        TaskKind::Classification => Classification::NAME,
        TaskKind::Regression => Regression::NAME,
    }
}

fn metric(task: TaskKind) -> Metric {
    match task {
        TaskKind::Classification => Classification::METRIC,
        TaskKind::Regression => Regression::METRIC,
    }
}
