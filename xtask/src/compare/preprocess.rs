//! What is done to the features before anything learns: principal components, then scaling, so
//! that what a learner sees is scaled.

use std::num::NonZeroUsize;

use anyhow::{Context, Result, ensure};
use datasets::Dataset;
use ndarray::{Array2, ArrayView2};
use preprocessing::{Pca, Scaling, Step};

use super::args::Scale;
use super::record::Protocol;

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Preprocessing {
    scale: Scale,
    components: Option<usize>,
}

/// The same, fitted: it can be applied to any rows.
#[derive(Clone, Debug)]
pub struct Fitted {
    steps: Vec<Step>,
}

impl Preprocessing {
    /// What was asked for, if `dataset` has that many components.
    ///
    /// # Errors
    /// More components than features.
    pub fn new(scale: Scale, components: Option<NonZeroUsize>, dataset: &Dataset) -> Result<Self> {
        let components = components.map(NonZeroUsize::get);
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
        let scale = self.scale.describe().map(str::to_owned);
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

    /// Fits to `rows`.
    ///
    /// # Errors
    /// If the principal components cannot be found.
    pub fn fit(&self, rows: ArrayView2<'_, f32>) -> Result<Fitted> {
        let mut fitted = Fitted { steps: Vec::new() };
        if let Some(k) = self.components {
            let pca = Pca::fit(rows, k).context("--pca")?;
            fitted.steps.push(pca.into());
        }
        if let Some(scaling) = self.scale.scaling() {
            let rows = fitted.apply(rows.to_owned())?;
            fitted.steps.push(scaling.fit(rows.view())?);
        }
        Ok(fitted)
    }
}

impl Scale {
    fn scaling(self) -> Option<Scaling> {
        match self {
            Self::None => None,
            Self::Minmax => Some(Scaling::MinMax),
            Self::Standard => Some(Scaling::Standard),
            Self::Robust => Some(Scaling::Robust),
            Self::Quantile => Some(Scaling::Quantile),
        }
    }

    fn describe(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Minmax => Some("min–max to [0, 1]"),
            Self::Standard => Some("mean 0 and variance 1"),
            Self::Robust => Some("median 0 and interquartile range 1"),
            Self::Quantile => Some("quantiles in [0, 1]"),
        }
    }
}

impl Fitted {
    /// What learners see of `rows`.
    ///
    /// # Errors
    /// None for finite rows as wide as those it was fitted to.
    pub fn apply(&self, rows: Array2<f32>) -> Result<Array2<f32>> {
        let mut steps = self.steps.iter();
        Ok(steps.try_fold(rows, |rows, step| step.transform(rows))?)
    }
}
