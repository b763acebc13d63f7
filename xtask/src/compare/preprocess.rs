//! What is done to the features before anything learns: principal components, then scaling, so
//! that what a learner sees is scaled.

use std::num::NonZeroUsize;

use anyhow::{Context, Result, ensure};
use datasets::{Dataset, MinMaxScaler, Pca};
use ndarray::{Array2, ArrayView2};

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
    pca: Option<Pca>,
    scaler: Option<MinMaxScaler>,
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

    /// Fits to `rows`.
    ///
    /// # Errors
    /// If the principal components cannot be found.
    pub fn fit(&self, rows: ArrayView2<'_, f32>) -> Result<Fitted> {
        let fit = |components| Pca::fit(&rows, components).context("--pca");
        let pca = self.components.map(fit).transpose()?;
        let scaler = match self.scale {
            Scale::None => None,
            Scale::Minmax => Some(fit_scaler(rows, pca.as_ref())?),
        };
        Ok(Fitted { pca, scaler })
    }
}

/// Fits to what the components, if there are any, make of `rows`.
fn fit_scaler(rows: ArrayView2<'_, f32>, pca: Option<&Pca>) -> Result<MinMaxScaler> {
    let Some(pca) = pca else {
        return Ok(MinMaxScaler::fit(rows)?);
    };
    let projected = pca.transform(&rows)?;
    Ok(MinMaxScaler::fit(projected.view())?)
}

impl Fitted {
    /// What learners see of `rows`.
    ///
    /// # Errors
    /// None for rows as wide as those it was fitted to.
    pub fn apply(&self, mut rows: Array2<f32>) -> Result<Array2<f32>> {
        if let Some(pca) = &self.pca {
            rows = pca.transform(&rows.view())?;
        }
        if let Some(scaler) = &self.scaler {
            scaler.transform(&mut rows)?;
        }
        Ok(rows)
    }
}
