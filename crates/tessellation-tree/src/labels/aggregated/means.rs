//! Regression: nodes predict their mean, and pay for squared errors.
//!
//! # The unit of losses
//!
//! Squared errors have a unit, weights have none, so the step η must have the inverse unit. By default
//! ([`StepSize::ByErrors`]) the loss of sample t is multiplied by η_t = 8 / v, where v is the mean squared error with
//! which leaves predicted the samples before t of this tree: so targets times a factor give predictions times that factor.
//! All nodes on the path pay with the same η_t, which is known before the sample is; the prediction is exactly the mixture over
//! all prunings with weights π · exp(−Σ η_t · ℓ_t). While leaves have made no error η_t is 0, and the sample changes no weight.
//!
//! A leaf that holds several samples and is cut later has paid for them already; what the nodes below it would have paid
//! more or less than it is multiplied by the step of that moment, since none is kept of each sample.

use forest_core::LabelSummary;
use forest_core::Regression;
use serde::{Deserialize, Serialize};

use super::ratio::exp;
use super::{Aggregated, AggregatedNode, Expert, FirstLoss, Scale};
use crate::Mean;

/// The mixture over all prunings for regression.
pub type AggregatedMeans = Aggregated<SquaredErrors>;

/// The weighted mean of the predictions of the nodes that a point has passed so far.
#[derive(Clone, Copy, Debug)]
pub struct MeanOfPath {
    /// The weight of the prunings that stop at a later node.
    reached: f64,
    sum: f64,
    /// What the last node predicts; 0 before the root.
    last: f64,
}

impl Default for MeanOfPath {
    fn default() -> Self {
        Self {
            reached: 1.0,
            sum: 0.0,
            last: 0.0,
        }
    }
}

impl MeanOfPath {
    /// Σ share·mean as a sum of differences to the mean above, which is exact where all means are equal.
    #[inline]
    fn add(&mut self, Mean { mean, .. }: &Mean) {
        let above = std::mem::replace(&mut self.last, *mean);
        self.sum += self.reached * (mean - above);
    }
}

/// Nodes predict the mean of their targets; the loss is half the squared error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SquaredErrors {
    /// Squares of the errors of leaves, before they learned the sample.
    of_leaves: Mean,
}

/// Parameters of [`AggregatedMeans`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanAggregation {
    /// The step size η: a pruning with losses L, halves of squared errors, has weight exp(−ηL). So 1/η
    /// stands for the variance of the noise.
    pub step: StepSize,
    /// κ, the share of the loss of its first sample that a node pays.
    pub first_loss: FirstLoss,
}

/// η, the step size of regression.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum StepSize {
    /// From the errors of the leaves so far, in the unit of the targets.
    ByErrors,
    /// This number, whatever the unit of the targets.
    Fixed(f64),
}

/// η times the mean squared error of leaves. That error is twice the variance of the noise or more: a leaf of one sample has
/// its noise, too.
const STEP_BY_ERROR: f64 = 8.0;

/// Returns −η·loss.
#[inline]
fn log_likelihood(summary: &Mean, target: f64, step_size: f64) -> f64 {
    let error = target - summary.mean;
    // A difference of two losses must stay a number.
    (-0.5 * step_size * error * error).max(-f64::MAX / 2.0)
}

/// Likelihoods are kept between e^−`LIMIT` and e^`LIMIT` times that of the leaf.
const LIMIT: f64 = 200.0;

impl Expert for SquaredErrors {
    type Task = Regression;
    type Settings = MeanAggregation;
    type Summary = Mean;
    type Passed<'a> = MeanOfPath;

    #[inline]
    fn of_one(mean: f64) -> Mean {
        Mean { mean, weight: 1.0 }
    }

    #[inline]
    fn add(&mut self, summary: &mut Mean, target: f64) {
        summary.add(target, 1.0);
    }

    #[inline]
    fn first_loss(settings: &MeanAggregation) -> FirstLoss {
        settings.first_loss
    }

    #[inline]
    fn step_size(&self, settings: &MeanAggregation) -> f64 {
        match settings.step {
            StepSize::Fixed(step) => step,
            // 0 without errors. They may be so small that their inverse is not finite.
            StepSize::ByErrors if self.of_leaves.mean > 0.0 => {
                (STEP_BY_ERROR / self.of_leaves.mean).min(f64::MAX)
            }
            StepSize::ByErrors => 0.0,
        }
    }

    #[inline]
    fn arrived(
        &mut self,
        leaf: &Mean,
        target: f64,
        share: f64,
        settings: &MeanAggregation,
    ) -> Scale {
        let step_size = self.step_size(settings);
        let error = target - leaf.mean;
        self.of_leaves.add(error * error, 1.0);
        let reference = share * -log_likelihood(leaf, target, step_size);
        Scale {
            step_size,
            reference,
        }
    }

    #[inline]
    fn likelihood(&self, summary: &Mean, target: f64, scale: Scale, _: &MeanAggregation) -> f64 {
        let logarithm = scale.reference + log_likelihood(summary, target, scale.step_size);
        exp(logarithm.clamp(-LIMIT, LIMIT))
    }

    #[inline]
    fn log_likelihood(
        &self,
        summary: &Mean,
        target: f64,
        step_size: f64,
        _: &MeanAggregation,
    ) -> f64 {
        log_likelihood(summary, target, step_size)
    }

    #[inline]
    fn pass(passed: &mut MeanOfPath, node: &AggregatedNode<Mean>) {
        passed.add(&node.summary);
        passed.reached *= node.ratio.stop_and_go().1;
    }

    #[inline]
    fn finish(
        &self,
        passed: &mut MeanOfPath,
        leaf: &Mean,
        _: &MeanAggregation,
        prediction: &mut [f64],
    ) {
        passed.add(leaf);
        prediction[0] = std::mem::take(passed).sum;
    }

    fn add_labels(&self, summary: &Mean, sum: &mut LabelSummary) {
        sum.add_number(summary.mean, summary.weight as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_losses_differ_by_a_number_however_large_they_are() {
        let summary = SquaredErrors::of_one(-1e200);
        let largest = log_likelihood(&summary, 1e200, 1.0);
        let none = log_likelihood(&summary, -1e200, 1.0);
        assert_eq!((largest - largest, none), (0.0, 0.0));
        assert!((2.0 * largest).is_finite() && largest < -1e307);
    }
}
