//! From a data set to the rows that a learner sees: divided or ordered, and preprocessed.

use std::num::NonZeroUsize;
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use datasets::{Dataset, Target};
use forest_core::{Classification, Regression};
use ndarray::{Array2, ArrayView2, Axis, s};
use preprocessing::{FitError, Pca, Scaling, Step, label_weights, variance_weights};

use super::args::{Args, Order, Scale, Weights};
use super::comparison::Comparison;
use super::record::Protocol;
use super::split;

/// Some rows, preprocessed.
#[derive(Clone, Debug)]
pub struct Part<V> {
    pub features: Array2<f32>,
    pub targets: Vec<V>,
    /// Of the features, if they are weighted.
    pub weights: Option<Vec<f64>>,
}

impl<V: Copy> Part<V> {
    /// These `rows`, preprocessed.
    fn new(features: Array2<f32>, fitted: &Fitted, targets: &[V], rows: &[usize]) -> Result<Self> {
        Ok(Self {
            features: transform(&fitted.steps, features)?,
            targets: rows.iter().map(|&row| targets[row]).collect(),
            weights: fitted.weights.clone(),
        })
    }

    pub fn slice(&self, rows: &Range<usize>) -> (ArrayView2<'_, f32>, &[V]) {
        let features = self.features.slice(s![rows.clone(), ..]);
        (features, &self.targets[rows.clone()])
    }
}

/// The rows of one run.
#[derive(Clone, Debug)]
pub enum Rows<V> {
    Holdout {
        train: Part<V>,
        test: Part<V>,
    },
    Prequential {
        stream: Part<V>,
        window: usize,
        /// Rows of the stream at which what is to be learned changes.
        changes: Vec<usize>,
    },
}

impl<V: Copy> Rows<V> {
    /// Learners learn the targets as observed; a hold-out compares predictions with the truth.
    pub fn new(
        comparison: &Comparison<'_>,
        observed: &[V],
        truth: &[V],
        seed: u64,
    ) -> Result<Self> {
        match comparison.setting.window {
            None => Self::holdout(comparison, observed, truth, seed),
            Some(window) => Self::prequential(comparison, observed, window, seed),
        }
    }

    fn holdout(
        comparison: &Comparison<'_>,
        observed: &[V],
        truth: &[V],
        seed: u64,
    ) -> Result<Self> {
        let all = &comparison.dataset.features;
        let (train, test) = comparison.split.rows(all.nrows(), seed);
        let features = all.select(Axis(0), &train);
        let fitted = comparison
            .preprocessing
            .fit(features.view(), comparison.dataset, &train)?;
        Ok(Self::Holdout {
            train: Part::new(features, &fitted, observed, &train)?,
            test: Part::new(all.select(Axis(0), &test), &fitted, truth, &test)?,
        })
    }

    fn prequential(
        comparison: &Comparison<'_>,
        observed: &[V],
        window: usize,
        seed: u64,
    ) -> Result<Self> {
        let rows = comparison.dataset.rows();
        let order = match comparison.order {
            Order::Stream => (0..rows).collect(),
            Order::Shuffled => split::shuffled(rows, seed),
        };
        let features = comparison.dataset.features.select(Axis(0), &order);
        let first = features.slice(s![..window, ..]);
        let fitted = comparison
            .preprocessing
            .fit(first, comparison.dataset, &order[..window])?;
        let stream = Part::new(features, &fitted, observed, &order)?;
        Ok(Self::Prequential {
            stream,
            window,
            changes: comparison.setting.changes.clone(),
        })
    }

    /// The rows that are learned.
    fn learned(&self) -> &Part<V> {
        let (Self::Holdout { train: part, .. } | Self::Prequential { stream: part, .. }) = self;
        part
    }

    pub fn n_features(&self) -> usize {
        self.learned().features.ncols()
    }

    /// Weights of the features, if they are weighted.
    pub fn weights(&self) -> Option<&[f64]> {
        self.learned().weights.as_deref()
    }
}

fn transform(steps: &[Step], rows: Array2<f32>) -> Result<Array2<f32>> {
    let rows = steps
        .iter()
        .try_fold(rows, |rows, step| step.transform(rows));
    Ok(rows?)
}

/// Principal components, then scaling: learners see scaled features.
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing {
    scale: Scale,
    weights: Weights,
    components: Option<usize>,
}

/// Preprocessing that was fitted to some rows.
struct Fitted {
    steps: Vec<Step>,
    weights: Option<Vec<f64>>,
}

impl Preprocessing {
    /// Fails if `dataset` has fewer features than components are asked for.
    pub fn new(args: &Args, dataset: &Dataset) -> Result<Self> {
        let components = args.pca.map(NonZeroUsize::get);
        let (name, features) = (&dataset.name, dataset.n_features());
        let wanted = components.unwrap_or(1);
        ensure!(
            wanted <= features,
            "--pca {wanted}: `{name}` has only {features} features"
        );
        Ok(Self {
            scale: args.scale,
            weights: args.weights,
            components,
        })
    }

    /// Features that learners see.
    pub fn n_features(&self, dataset: &Dataset) -> usize {
        self.components.unwrap_or(dataset.n_features())
    }

    /// In words.
    pub fn describe(&self, protocol: Protocol) -> String {
        let pca = self.components.map(|k| format!("{k} principal components"));
        let scale = self.scale.scaling().map(|(_, words)| words.to_owned());
        let weights = self.weights.words().map(str::to_owned);
        let steps: Vec<String> = pca.into_iter().chain(scale).chain(weights).collect();
        let fitted_on = match protocol {
            Protocol::Holdout => "the training rows",
            Protocol::Prequential => "the first window",
        };
        match steps.is_empty() {
            true => "raw features".to_owned(),
            false => format!("{}, fitted on {fitted_on}", steps.join(", then ")),
        }
    }

    /// Fits to `rows`, which are those with these numbers in `dataset`.
    fn fit(
        &self,
        rows: ArrayView2<'_, f32>,
        dataset: &Dataset,
        numbers: &[usize],
    ) -> Result<Fitted> {
        let mut steps = Vec::new();
        if let Some(k) = self.components {
            steps.push(Pca::fit(rows, k).context("--pca")?.into());
        }
        let rows = transform(&steps, rows.to_owned())?;
        let weights = match self.weights {
            Weights::Equal => None,
            Weights::Variances => Some(variance_weights(rows.view())),
            Weights::Labels => Some(from_labels(rows.view(), &dataset.target, numbers)),
        };
        let weights = weights.transpose().context("--weights")?;
        if let Some((scaling, _)) = self.scale.scaling() {
            steps.push(scaling.fit(rows.view())?);
        }
        Ok(Fitted { steps, weights })
    }
}

/// Weights from the targets of the rows with these numbers.
fn from_labels(
    rows: ArrayView2<'_, f32>,
    target: &Target,
    numbers: &[usize],
) -> Result<Vec<f64>, FitError> {
    match target {
        Target::Classes { labels, .. } => {
            let labels: Vec<u32> = numbers.iter().map(|&row| labels[row]).collect();
            label_weights::<Classification>(rows, &labels)
        }
        Target::Values { values, .. } => {
            let values: Vec<f64> = numbers.iter().map(|&row| values[row]).collect();
            label_weights::<Regression>(rows, &values)
        }
    }
}

impl Weights {
    /// Where they come from, if features are weighted.
    fn words(self) -> Option<&'static str> {
        match self {
            Self::Equal => None,
            Self::Variances => Some("weights from variances"),
            Self::Labels => Some("weights from labels"),
        }
    }
}

impl Scale {
    /// The scaling, and what features are after it.
    fn scaling(self) -> Option<(Scaling, &'static str)> {
        match self {
            Self::None => None,
            Self::Minmax => Some((Scaling::MinMax, "min–max to [0, 1]")),
            Self::Standard => Some((Scaling::Standard, "mean 0 and variance 1")),
            Self::Robust => Some((Scaling::Robust, "median 0 and interquartile range 1")),
            Self::Quantile => Some((Scaling::Quantile, "quantiles in [0, 1]")),
        }
    }
}
