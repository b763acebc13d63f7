//! Regression: nodes predict their mean, and pay for squared errors.

use forest_core::{Regression, SettingError};
use registry::{Labels, NumberLabels};
use serde::{Deserialize, Serialize};

use super::super::leaf_means::Mean;
use super::super::{CountedLabels, LabelSettings};
use super::exp::exp;
use super::{Aggregated, Expert, PathMixture, Term};
use crate::LeafId;

/// The mixture over all prunings for regression.
pub type AggregatedMeans = Aggregated<SquaredErrors>;

/// Nodes predict the mean of their targets; the loss is half the squared error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SquaredErrors;

/// Parameters of [`AggregatedMeans`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanAggregation {
    /// The step size η: a pruning with losses L, halves of squared errors, has weight exp(−ηL). So 1/η
    /// stands for the variance of the noise.
    pub step: f64,
    /// κ, the share of the loss of its first sample that a node pays: from 0, as in the authors' code, to 1.
    pub first_loss: f64,
}

impl Default for MeanAggregation {
    fn default() -> Self {
        Self {
            step: 1.0,
            first_loss: super::FIRST_LOSS,
        }
    }
}

impl LabelSettings for MeanAggregation {
    fn check(&self) -> Result<(), SettingError> {
        super::check_step(self.step)?;
        super::check_first_loss(self.first_loss)
    }
}

/// Likelihoods are kept between e^−`LIMIT` and e^`LIMIT` times that of the leaf.
const LIMIT: f64 = 200.0;

impl Expert for SquaredErrors {
    type Task = Regression;
    type Settings = MeanAggregation;
    type Summary = Mean;

    fn of_one(target: f64) -> Mean {
        Mean::of(std::iter::once(target))
    }

    fn copy(&mut self, summary: &Mean) -> Mean {
        *summary
    }

    #[inline]
    fn add(&mut self, summary: &mut Mean, target: f64) {
        summary.add(target);
    }

    fn release(&mut self, _: &mut Mean) {}

    #[inline]
    fn first_loss(settings: &MeanAggregation) -> f64 {
        settings.first_loss
    }

    #[inline]
    fn reference(&self, leaf: &Mean, target: f64, settings: &MeanAggregation) -> f64 {
        -self.log_likelihood(leaf, target, settings)
    }

    #[inline]
    fn likelihood(
        &self,
        summary: &Mean,
        target: f64,
        reference: f64,
        settings: &MeanAggregation,
    ) -> f64 {
        let logarithm = reference + self.log_likelihood(summary, target, settings);
        exp(logarithm.clamp(-LIMIT, LIMIT))
    }

    #[inline]
    fn log_likelihood(&self, summary: &Mean, target: f64, settings: &MeanAggregation) -> f64 {
        let error = target - summary.mean;
        // A difference of two losses must stay a number.
        (-0.5 * settings.step * error * error).max(-f64::MAX / 2.0)
    }

    /// Σ share·mean as a sum of differences to the mean above, which is exact where all means are equal.
    #[inline]
    fn mix(&self, mixture: &mut PathMixture<'_>, term: Term<&Mean>, _: &MeanAggregation) {
        let above = std::mem::replace(&mut mixture.carried, term.summary.mean);
        mixture.cells[0] += term.reached * (term.summary.mean - above);
    }

    fn is_summary_of(&self, summary: &Mean, targets: impl Iterator<Item = f64>) -> bool {
        summary.is_of(targets)
    }

    fn count(summary: &Mean) -> u64 {
        summary.count
    }

    fn is_possible(&self, summary: &Mean, (): &()) -> bool {
        summary.is_possible()
    }
}

impl CountedLabels for AggregatedMeans {
    fn add_labels(&self, leaf: LeafId, sum: &mut NumberLabels) {
        let Mean { mean, count } = self.leaves[leaf.index()];
        sum.add(mean, count);
    }
}
