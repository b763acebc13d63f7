//! Regressors that say how sure they are.

use forest_core::{Forest, ForestContext, InputError, OnlineLearner, OnlineTree, Regression, Rows};
use ndarray::{Array2, ArrayView2};
use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

/// Regressors that answer with a distribution: the equal mixture of a normal distribution for each tree.
pub trait Intervals {
    /// Mean and variance of a new target at each row, as two columns. Before the first sample 0 and infinite.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn means_and_variances(&self, features: ArrayView2<'_, f32>)
    -> Result<Array2<f64>, InputError>;

    /// Between which bounds a new target at each row lies with probability `level`, and with equal probabilities
    /// below and above: the quantiles of the mixture, as two columns. Before the first sample infinite.
    ///
    /// # Errors
    /// A level that is not between 0 and 1, or rows that are refused.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, IntervalError>;
}

/// Why intervals are refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum IntervalError {
    /// The level is no probability.
    #[error("the level of an interval must be above 0 and below 1, but is {0}")]
    Level(f64),
    /// The rows.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// A tree that answers with a normal distribution.
pub trait GaussianTree: OnlineTree<Task = Regression> {
    /// Mean and variance of a new target at `x`; `None` before the first sample.
    fn mean_and_variance(&self, x: &[f32], context: &ForestContext<'_, Self>) -> Option<[f64; 2]>;
}

/// Halvings of a bracket; the quantile is then exact to rounding.
const HALVINGS: usize = 60;

/// The `probability`-quantile of an equal mixture of normal distributions, by bisection.
fn quantile(mixture: &[[f64; 2]], probability: f64) -> f64 {
    let normal = Normal::standard();
    let z = normal.inverse_cdf(probability);
    let of_each = mixture
        .iter()
        .map(|[mean, variance]| mean + z * variance.sqrt());
    // The mixture's quantile lies between those of its parts.
    let (mut low, mut high) = of_each.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), q| {
        (low.min(q), high.max(q))
    });
    let below = |x: f64| {
        let parts = mixture.iter();
        let parts = parts.map(|[mean, variance]| normal.cdf((x - mean) / variance.sqrt()));
        parts.sum::<f64>() / mixture.len() as f64
    };
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if below(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Answers every row with two numbers that follow from what the trees say.
fn answer<K: GaussianTree>(
    forest: &Forest<K>,
    features: ArrayView2<'_, f32>,
    unknown: [f64; 2],
    answer: impl Fn(&[[f64; 2]]) -> [f64; 2],
) -> Result<Array2<f64>, InputError> {
    let rows = Rows::check(features, forest.schema().features())?;
    let context = forest.context();
    let mut answers = Array2::zeros((rows.len(), 2));
    let mut mixture = Vec::new();
    for (row, mut cells) in rows.iter().zip(answers.rows_mut()) {
        mixture.clear();
        let trees = forest.trees();
        mixture.extend(trees.filter_map(|tree| tree.mean_and_variance(row, &context)));
        let pair = if mixture.is_empty() {
            unknown
        } else {
            answer(&mixture)
        };
        cells
            .iter_mut()
            .zip(pair)
            .for_each(|(cell, number)| *cell = number);
    }
    Ok(answers)
}

impl<K: GaussianTree> Intervals for Forest<K> {
    fn means_and_variances(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Array2<f64>, InputError> {
        answer(self, features, [0.0, f64::INFINITY], |mixture| {
            let n = mixture.len() as f64;
            let mean = mixture.iter().map(|[mean, _]| mean).sum::<f64>() / n;
            let square = |[of_one, variance]: &[f64; 2]| variance + (of_one - mean).powi(2);
            [mean, mixture.iter().map(square).sum::<f64>() / n]
        })
    }

    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, IntervalError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(IntervalError::Level(level));
        }
        let tail = 0.5 * (1.0 - level);
        let unknown = [f64::NEG_INFINITY, f64::INFINITY];
        let quantiles = |mixture: &[[f64; 2]]| [tail, 1.0 - tail].map(|p| quantile(mixture, p));
        Ok(answer(self, features, unknown, quantiles)?)
    }
}
