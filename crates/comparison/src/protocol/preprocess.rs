//! Preprocessing of features before anything is learned.

use std::fmt;

use clap::{Args, ValueEnum};
use datasets::Target;
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};
use tables::TableError;
use tables::preprocessing::{
    FeatureScaling, Pca, Step, label_weights, value_weights, variance_weights,
};

use crate::RunError;
use crate::number::counted;

/// What is done to features: principal components, then scaling. Weights are of the components before scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Args)]
pub struct Preprocessing {
    /// Replace the features by their first K principal components (before scaling)
    #[arg(long = "pca", value_name = "K")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<usize>,

    /// Scaling of the features
    #[arg(long = "scale", value_enum, default_value_t = FeatureScaling::Minmax)]
    pub scaling: FeatureScaling,

    /// Weights of the features, for algorithms with a parameter `weights`
    #[arg(long, value_enum, default_value_t = Weights::Equal)]
    pub weights: Weights,
}

/// Where weights of features come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// All features have the same weight.
    #[default]
    Equal,
    /// From the variances of the features.
    Variances,
    /// From the information that features have about the labels.
    Labels,
}

/// Preprocessing that was fitted: its steps, in order, and the weights of the features before they are scaled.
#[derive(Default)]
pub(crate) struct Fitted {
    steps: Vec<Step>,
    pub weights: Option<Vec<f64>>,
}

impl Fitted {
    /// Transforms rows. Missing values and categories stay as they are.
    pub(crate) fn transform(&self, rows: Array2<f32>) -> Result<Array2<f32>, RunError> {
        let mut steps = self.steps.iter();
        Ok(steps.try_fold(rows, |rows, step| step.transform(rows))?)
    }
}

impl Preprocessing {
    /// Fits it on rows, which have these numbers in the target.
    pub(crate) fn fit(
        &self,
        rows: ArrayView2<'_, f32>,
        target: &Target,
        numbers: &[usize],
    ) -> Result<Fitted, RunError> {
        let failed = |what: &str, error: TableError| RunError::Failed(format!("{what}: {error}"));
        let mut fitted = Fitted::default();
        if let Some(k) = self.components {
            let pca = Pca::fit(rows, k).map_err(|error| failed("principal components", error))?;
            fitted.steps.push(Step::Pca(pca));
        }
        let rows = fitted.transform(rows.to_owned())?;
        let weights = match (self.weights, target) {
            (Weights::Equal, _) => None,
            (Weights::Variances, _) => Some(variance_weights(rows.view())),
            (Weights::Labels, Target::Classes { labels, .. }) => {
                let labels: Vec<u32> = numbers.iter().map(|&row| labels[row]).collect();
                Some(label_weights(rows.view(), &labels))
            }
            (Weights::Labels, Target::Values { values, .. }) => {
                let values: Vec<f64> = numbers.iter().map(|&row| values[row]).collect();
                Some(value_weights(rows.view(), &values))
            }
        };
        let weights = weights.transpose();
        fitted.weights = weights.map_err(|error| failed("weights of features", error))?;
        fitted.steps.extend(self.scaling.fit(rows.view())?);
        Ok(fitted)
    }
}

impl fmt::Display for Preprocessing {
    /// Writes the steps in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps: Vec<String> = Vec::new();
        steps.extend(self.components.map(|k| counted(k, "principal component")));
        let scaling = match self.scaling {
            FeatureScaling::None => "",
            FeatureScaling::Minmax => "min–max to [0, 1]",
            FeatureScaling::Standard => "mean 0 and variance 1",
            FeatureScaling::Robust => "median 0 and interquartile range 1",
            FeatureScaling::Quantile => "quantiles in [0, 1]",
        };
        let weights = match self.weights {
            Weights::Equal => "",
            Weights::Variances => "weights from variances",
            Weights::Labels => "weights from labels",
        };
        steps.extend([scaling, weights].map(str::to_owned));
        steps.retain(|step| !step.is_empty());
        if steps.is_empty() {
            return f.write_str("raw features");
        }
        f.write_str(&steps.join(", then "))
    }
}
