//! From a data set to the rows a learner sees: divided, projected, scaled.

use anyhow::{Context, Result, ensure};
use datasets::{Dataset, MinMaxScaler, Pca};
use forest_core::Task;
use ndarray::{Array2, ArrayView2, Axis, s};

use super::args::Scale;
use super::plan::Contest;
use super::record::Protocol;

/// What is done to the features: principal components, then scaling, so that what a learner sees
/// is scaled.
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing {
    scale: Scale,
    components: Option<usize>,
}

/// Rows with what is observed there and what predictions are measured against.
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

impl Preprocessing {
    /// What was asked for, if `dataset` has that many components.
    ///
    /// # Errors
    /// More components than features.
    pub fn new(
        scale: Scale,
        components: Option<std::num::NonZeroUsize>,
        dataset: &Dataset,
    ) -> Result<Self> {
        let components = components.map(std::num::NonZeroUsize::get);
        let (name, features) = (&dataset.name, dataset.n_features());
        let wanted = components.unwrap_or(1);
        ensure!(
            wanted <= features,
            "--pca {wanted}: `{name}` has only {features} features"
        );
        Ok(Self { scale, components })
    }

    /// Number of features that learners see.
    pub fn features(&self, dataset: &Dataset) -> usize {
        self.components.unwrap_or(dataset.n_features())
    }

    /// In words, for tables.
    pub fn describe(&self, protocol: Protocol) -> String {
        let pca = self.components.map(|k| format!("{k} principal components"));
        let scale = (self.scale == Scale::Minmax).then(|| "min–max to [0, 1]".to_owned());
        let steps: Vec<String> = pca.into_iter().chain(scale).collect();
        let fitted_on = match protocol {
            Protocol::Holdout => "the training rows",
            Protocol::Prequential => "the first window",
        };
        if steps.is_empty() {
            "raw features".to_owned()
        } else {
            format!("{}, fitted on {fitted_on}", steps.join(", then "))
        }
    }

    /// Fits on `sample` and applies to all of `parts`.
    fn apply<const N: usize>(
        &self,
        sample: ArrayView2<'_, f32>,
        mut parts: [Array2<f32>; N],
    ) -> Result<[Array2<f32>; N]> {
        let mut sample = sample.to_owned();
        if let Some(components) = self.components {
            let pca = Pca::fit(&sample.view(), components).context("--pca")?;
            sample = pca.transform(&sample.view())?;
            for part in &mut parts {
                *part = pca.transform(&part.view())?;
            }
        }
        if self.scale == Scale::Minmax {
            let scaler = MinMaxScaler::fit(sample.view())?;
            for part in &mut parts {
                scaler.transform(part)?;
            }
        }
        Ok(parts)
    }
}

/// The rows of `contest` for a seed.
///
/// # Errors
/// If the principal components cannot be found.
pub fn rows<T: Task>(
    contest: &Contest<'_>,
    targets: Labelled<'_, T>,
    seed: u64,
) -> Result<Rows<T>> {
    match contest.setting.window {
        None => holdout(contest, targets, seed),
        Some(window) => prequential(contest, targets, window),
    }
}

fn holdout<T: Task>(contest: &Contest<'_>, targets: Labelled<'_, T>, seed: u64) -> Result<Rows<T>> {
    let all = &contest.dataset.features;
    let (train, test) = contest.split.rows(all.nrows(), seed);
    let [train_rows, test_rows] = [&train, &test].map(|rows| all.select(Axis(0), rows));
    let sample = train_rows.clone();
    let parts = contest
        .preprocessing
        .apply(sample.view(), [train_rows, test_rows])?;
    let [train_rows, test_rows] = parts;
    Ok(Rows::Holdout(
        Part {
            features: train_rows,
            targets: pick(targets.observed, &train),
        },
        Part {
            features: test_rows,
            targets: pick(targets.truth, &test),
        },
    ))
}

fn prequential<T: Task>(
    contest: &Contest<'_>,
    targets: Labelled<'_, T>,
    window: usize,
) -> Result<Rows<T>> {
    let all = &contest.dataset.features;
    let first = all.slice(s![..window, ..]);
    let [features] = contest.preprocessing.apply(first, [all.clone()])?;
    let targets = targets.observed.to_vec();
    Ok(Rows::Prequential(Part { features, targets }, window))
}

fn pick<V: Copy>(values: &[V], rows: &[usize]) -> Vec<V> {
    rows.iter().map(|&row| values[row]).collect()
}
