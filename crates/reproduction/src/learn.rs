//! Runs a named learner on a data set.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anyhow::Result;
use comparison::protocol::{Fold, Part, Trained, shuffled};
use comparison::record::Measured;
use comparison::{AnyAlgorithm, BatchTask};
use datasets::{Dataset, Target};
use forest_core::{Classification, ForestSettings, Regression};
use ndarray::Axis;

use crate::data::Library;
use crate::record::LearnTask;

type Values = BTreeMap<String, f64>;

/// Runs the learner and returns the measured values by name.
pub(crate) fn run(task: &LearnTask, seed: u64, library: &Library) -> Result<Values> {
    let dataset: &Dataset = &*library.open(&task.data.address)?;
    match &dataset.target {
        Target::Classes { labels, .. } => {
            let fold = task.data.fold(dataset, labels, labels, seed)?;
            measure::<Classification>(task, seed, &fold)
        }
        Target::Values { .. } => {
            let (observed, truth) = task.data.values(dataset)?;
            let fold = task.data.fold(dataset, &observed, &truth, seed)?;
            measure::<Regression>(task, seed, &fold)
        }
    }
}

fn measure<T: BatchTask>(task: &LearnTask, seed: u64, fold: &Fold<T::Target>) -> Result<Values> {
    let algorithm: AnyAlgorithm = task.algorithm.parse()?;
    let settings = ForestSettings::default()
        .with_trees(task.trees)
        .with_seed(seed);
    let trained = Trained::<T>::new(&algorithm, settings, &repeated(fold, task.passes, seed))?;
    let mut values = values(&trained.test(&fold.test)?, trained.trees());
    if task.training_error {
        let training = trained.test(&fold.train)?;
        values.insert("training_error".to_owned(), percent_wrong(&training));
    }
    Ok(values)
}

/// Repeats the training rows; each pass after the first has its own order.
fn repeated<V: Copy>(fold: &Fold<V>, passes: usize, seed: u64) -> Cow<'_, Fold<V>> {
    if passes == 1 {
        return Cow::Borrowed(fold);
    }
    let rows = fold.train.observed.len();
    let mut order: Vec<usize> = (0..rows).collect();
    let streams = (1..passes as u64).map(|pass| (seed << 16) + pass);
    order.extend(streams.flat_map(|stream| shuffled(rows, stream)));
    let train = Part {
        features: fold.train.features.select(Axis(0), &order),
        observed: order.iter().map(|&row| fold.train.observed[row]).collect(),
        truth: None,
        weights: fold.train.weights.clone(),
    };
    let test = fold.test.clone();
    Cow::Owned(Fold { train, test })
}

/// Returns all metrics, also in the units of papers, with time and size.
fn values(measured: &Measured, trees: usize) -> Values {
    let mut values = measured.metrics.clone();
    let mut set = |name: &str, value: f64| values.insert(name.to_owned(), value);
    if measured.metrics.contains_key("accuracy") {
        set("error", percent_wrong(measured));
    }
    if let Some(rmse) = measured.metrics.get("rmse") {
        set("mse", rmse * rmse);
    }
    set("learn_seconds", measured.learn_seconds);
    if let Some(seconds) = measured.predict_seconds {
        set("predict_seconds", seconds);
    }
    if let Some(bytes) = measured.model_bytes {
        set("bytes", bytes as f64);
    }
    match measured.nodes {
        Some(nodes) if nodes > 0 && trees > 0 => {
            // Every inner node has two children.
            set("leaves", (nodes as f64 / trees as f64 + 1.0) / 2.0);
        }
        _ => {}
    }
    values
}

fn percent_wrong(measured: &Measured) -> f64 {
    100.0 * (1.0 - measured.value)
}
