//! From a data set to the rows a learner sees: divided, and preprocessed.

use anyhow::Result;
use forest_core::Task;
use ndarray::{Array2, Axis, s};

use super::args::Order;
use super::plan::Comparison;
use super::split;

/// What is observed at every row, and what predictions are measured against.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a, T: Task> {
    /// What a learner is told.
    pub observed: &'a [T::Target],
    /// What its predictions are measured against.
    pub truth: &'a [T::Target],
}

/// One part of a data set, ready for a learner.
#[derive(Clone, Debug)]
pub struct Part<T: Task> {
    /// Rows of features.
    pub features: Array2<f32>,
    /// A target a row.
    pub targets: Vec<T::Target>,
}

/// What one run needs.
#[derive(Clone, Debug)]
pub enum Rows<T: Task> {
    /// Learn the first part, then test on the second.
    Holdout(Part<T>, Part<T>),
    /// Test on each row, then learn it, and note the metric at the end of each window.
    Prequential(Part<T>, usize),
}

impl<T: Task> Rows<T> {
    /// Features of every row.
    pub fn n_features(&self) -> usize {
        let (Self::Holdout(part, _) | Self::Prequential(part, _)) = self;
        part.features.ncols()
    }
}

/// The rows of `comparison` for a seed.
///
/// # Errors
/// If the principal components cannot be found.
pub fn rows<T: Task>(
    comparison: &Comparison<'_>,
    targets: Labelled<'_, T>,
    seed: u64,
) -> Result<Rows<T>> {
    match comparison.setting.window {
        None => holdout(comparison, targets, seed),
        Some(window) => prequential(comparison, targets, (window, seed)),
    }
}

fn holdout<T: Task>(
    comparison: &Comparison<'_>,
    targets: Labelled<'_, T>,
    seed: u64,
) -> Result<Rows<T>> {
    let all = &comparison.dataset.features;
    let (train, test) = comparison.split.rows(all.nrows(), seed);
    let features = all.select(Axis(0), &train);
    let fitted = comparison.preprocessing.fit(features.view())?;
    let train = Part {
        features: fitted.apply(features)?,
        targets: pick(targets.observed, &train),
    };
    let test = Part {
        features: fitted.apply(all.select(Axis(0), &test))?,
        targets: pick(targets.truth, &test),
    };
    Ok(Rows::Holdout(train, test))
}

fn prequential<T: Task>(
    comparison: &Comparison<'_>,
    targets: Labelled<'_, T>,
    (window, seed): (usize, u64),
) -> Result<Rows<T>> {
    let rows = comparison.dataset.rows();
    let order = match comparison.order {
        Order::Stream => (0..rows).collect(),
        Order::Shuffled => split::shuffled(rows, seed),
    };
    let all = comparison.dataset.features.select(Axis(0), &order);
    let fitted = comparison.preprocessing.fit(all.slice(s![..window, ..]))?;
    let stream = Part {
        features: fitted.apply(all)?,
        targets: pick(targets.observed, &order),
    };
    Ok(Rows::Prequential(stream, window))
}

fn pick<V: Copy>(values: &[V], rows: &[usize]) -> Vec<V> {
    rows.iter().map(|&row| values[row]).collect()
}
