//! Preprocessing of features before anything is learned.

use datasets::{Dataset, Target};
use forest_core::{Classification, InputError, Regression};
use ndarray::{Array2, ArrayView2};
use tables::preprocessing::{FitError, Pca, Scaling, Step, label_weights, variance_weights};
use thiserror::Error;

use crate::SetupError;
use crate::number::counted;
use crate::record::Protocol;

/// Principal components, then scaling: learners see scaled features. Fitted to the rows that are learned first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preprocessing {
    /// How each feature is scaled, if it is.
    pub scaling: Option<Scaling>,
    /// Weights of features, for algorithms that take weights and do not have any set.
    pub weights: Weights,
    /// The first n principal components in place of the features.
    pub components: Option<usize>,
}

/// Where weights of features come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Weights {
    /// All features alike.
    #[default]
    Equal,
    /// The variance of each feature before scaling: of principal components, what they explain.
    Variances,
    /// How much each feature alone explains of the targets, by the rows that scaling is fitted on.
    Labels,
}

/// An error of preprocessing.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PreprocessingError {
    /// Principal components cannot be found.
    #[error("principal components: {0}")]
    Components(FitError),
    /// Weights cannot be found.
    #[error("weights of features: {0}")]
    Weights(FitError),
    /// Scaling cannot be fitted.
    #[error(transparent)]
    Scaling(#[from] FitError),
    /// Rows cannot be transformed.
    #[error(transparent)]
    Rows(#[from] InputError),
}

type Result<V> = std::result::Result<V, PreprocessingError>;

/// Preprocessing that was fitted to some rows.
pub(crate) struct Fitted {
    steps: Vec<Step>,
    pub weights: Option<Vec<f64>>,
}

impl Fitted {
    pub(crate) fn transform(&self, rows: Array2<f32>) -> Result<Array2<f32>> {
        transform(&self.steps, rows)
    }
}

fn transform(steps: &[Step], rows: Array2<f32>) -> Result<Array2<f32>> {
    let rows = steps
        .iter()
        .try_fold(rows, |rows, step| step.transform(rows));
    Ok(rows?)
}

impl Preprocessing {
    /// Returns an error if `dataset` has fewer features than the requested components.
    pub(crate) fn check(&self, dataset: &Dataset) -> std::result::Result<(), SetupError> {
        let (asked, features) = (self.components.unwrap_or(1), dataset.n_features());
        if asked <= features {
            Ok(())
        } else {
            let message = format!(
                "{asked} principal components: `{}` has only {features} features",
                dataset.name
            );
            Err(SetupError::of_option("--pca", message))
        }
    }

    /// Returns the number of features that learners see.
    pub(crate) fn n_features(&self, dataset: &Dataset) -> usize {
        self.components.unwrap_or(dataset.n_features())
    }

    /// Describes the preprocessing in words.
    pub(crate) fn describe(&self, protocol: Protocol) -> String {
        let pca = self.components.map(|k| counted(k, "principal component"));
        let scale = self.scaling.map(|scaling| words(scaling).to_owned());
        let weights = self.weights.words().map(str::to_owned);
        let steps: Vec<String> = pca.into_iter().chain(scale).chain(weights).collect();
        let fitted_on = match protocol {
            Protocol::Holdout | Protocol::KFold => "the training rows",
            Protocol::Prequential | Protocol::PrequentialKFold | Protocol::Delayed => {
                "the first window"
            }
        };
        if steps.is_empty() {
            "raw features".to_owned()
        } else {
            format!("{}, fitted on {fitted_on}", steps.join(", then "))
        }
    }

    /// Fits to `rows`, whose targets have these row numbers.
    pub(crate) fn fit(
        &self,
        rows: ArrayView2<'_, f32>,
        target: &Target,
        numbers: &[usize],
    ) -> Result<Fitted> {
        let mut steps = Vec::new();
        if let Some(k) = self.components {
            let pca = Pca::fit(rows, k).map_err(PreprocessingError::Components)?;
            steps.push(pca.into());
        }
        let rows = transform(&steps, rows.to_owned())?;
        let weights = match self.weights {
            Weights::Equal => None,
            Weights::Variances => Some(variance_weights(rows.view())),
            Weights::Labels => Some(from_labels(rows.view(), target, numbers)),
        };
        let weights = weights.transpose().map_err(PreprocessingError::Weights)?;
        if let Some(scaling) = self.scaling {
            steps.push(scaling.fit(rows.view())?);
        }
        Ok(Fitted { steps, weights })
    }
}

/// Computes weights from the targets of the rows with these numbers.
fn from_labels(
    rows: ArrayView2<'_, f32>,
    target: &Target,
    numbers: &[usize],
) -> std::result::Result<Vec<f64>, FitError> {
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
    /// Describes where weights come from, if features are weighted.
    fn words(self) -> Option<&'static str> {
        match self {
            Self::Equal => None,
            Self::Variances => Some("weights from variances"),
            Self::Labels => Some("weights from labels"),
        }
    }
}

/// Describes scaled features.
fn words(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::MinMax => "min–max to [0, 1]",
        Scaling::Standard => "mean 0 and variance 1",
        Scaling::Robust => "median 0 and interquartile range 1",
        Scaling::Quantile => "quantiles in [0, 1]",
    }
}
