//! The setting of a comparison, as its records describe it.

use datasets::{Dataset, Target};

use crate::metric::Metric;
use crate::number;
use crate::protocol::{Design, Order, Split};
use crate::record::{Protocol, Reference, Setting};

/// A stream is divided into this many windows,
const WINDOWS: usize = 50;
/// but a window has at least this many rows.
const SMALLEST_WINDOW: usize = 20;

pub(super) fn setting(
    dataset: &Dataset,
    protocol: Protocol,
    split: &Split,
    design: &Design,
) -> Setting {
    let Design {
        order,
        folds,
        validation,
        delay,
        preprocessing,
        ..
    } = design;
    let order = if protocol.is_stream() {
        Some(order.unwrap_or_default())
    } else {
        *order
    };
    let learned = order.map_or_else(String::new, |order| format!(", learned {order}"));
    let stream = |window| describe_stream(order.unwrap_or_default(), window);
    let rows = dataset.rows();
    let window = (rows / WINDOWS).max(SMALLEST_WINDOW).min(rows);
    let ((n_train, n_test), split, window) = match protocol {
        Protocol::Holdout => (split.sizes(rows), format!("{split}{learned}"), None),
        Protocol::KFold => {
            let words = format!("{folds} parts of a shuffle per seed, each tested once{learned}");
            ((rows - rows / folds, rows), words, None)
        }
        Protocol::Prequential => ((rows, rows), stream(window), Some(window)),
        Protocol::PrequentialKFold => {
            let words = format!("{validation} by {folds} learners, {}", stream(window));
            ((rows, rows), words, Some(window))
        }
        Protocol::Delayed => {
            let late = number::count(*delay as f64);
            let words = format!("{}, labels {late} rows late", stream(window));
            ((rows, rows), words, Some(window))
        }
    };
    Setting {
        dataset: dataset.name.clone(),
        data_sha256: dataset.sha256.clone(),
        rows_sha256: dataset.rows_sha256(),
        target: dataset.target_name.clone(),
        task: dataset.task(),
        protocol,
        split,
        order,
        preprocessing: preprocessing.describe(protocol),
        n_train,
        n_test,
        n_features: preprocessing.n_features(dataset),
        n_classes: dataset.n_classes(),
        metric: Metric::of(dataset.task()),
        reference: reference(&dataset.target, protocol),
        folds: match protocol {
            Protocol::KFold | Protocol::PrequentialKFold => Some(*folds),
            _ => None,
        },
        validation: (protocol == Protocol::PrequentialKFold).then_some(*validation),
        delay: (protocol == Protocol::Delayed).then_some(*delay),
        window,
        changes: match order {
            Some(Order::Stream) if protocol.is_stream() => dataset.changes.clone(),
            _ => Vec::new(),
        },
        best_accuracy: dataset.best_accuracy,
    }
}

fn describe_stream(order: Order, window: usize) -> String {
    let comma = if order == Order::Stream { "" } else { "," };
    let window = number::count(window as f64);
    format!("every row{comma} {order}, windows of {window} rows")
}

/// Returns the reference for predictions: along a stream the observed targets, in a hold-out of generated data the truth.
fn reference(target: &Target, protocol: Protocol) -> Reference {
    match (target, protocol) {
        (
            Target::Values {
                noise_free: Some(_),
                ..
            },
            Protocol::Holdout | Protocol::KFold,
        ) => Reference::NoiseFree,
        _ => Reference::Observed,
    }
}
