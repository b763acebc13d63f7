//! Regression: nodes predict their mean, and pay for squared errors.
//!
//! # The unit of losses
//!
//! Squared errors have a unit, weights have none, so the step η must have the inverse unit. By default the loss of
//! sample t is multiplied by η_t = 8 / v, where v is the mean squared error with which leaves predicted the samples
//! before t of this tree: so targets times a factor give predictions times that factor. All nodes on the path pay with
//! the same η_t, which is known before the sample is; the prediction is exactly the mixture over all prunings with
//! weights π · exp(−Σ η_t · ℓ_t). While leaves have made no error η_t is 0, and the sample changes no weight.
//!
//! A leaf that holds several samples and is cut later has paid for them already; what the nodes below it would have
//! paid more or less than it is multiplied by the step of that moment, since none is kept of each sample.

use forest_core::{LabelSummary, Regression};
use serde::{Deserialize, Serialize};

use super::ratio::exp;
use super::{AggregatedNode, Expert, Scale};
use crate::{LabelSettings, Mean};

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
    /// Adds a node: Σ share·mean is a sum of differences to the mean above, which is exact where all means are equal.
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

/// η times the mean squared error of leaves, which is twice the variance of the noise or more.
const STEP_BY_ERROR: f64 = 8.0;

/// Likelihoods are kept between e^−`LIMIT` and e^`LIMIT` times that of the leaf.
const LIMIT: f64 = 200.0;

impl Expert for SquaredErrors {
    type Task = Regression;
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
    fn scale(&self, settings: &LabelSettings) -> Scale {
        let step_size = match settings.step {
            Some(step) => step,
            // They may be so small that their inverse is not finite.
            None if self.of_leaves.mean > 0.0 => {
                (STEP_BY_ERROR / self.of_leaves.mean).min(f64::MAX)
            }
            None => 0.0,
        };
        Scale {
            step_size,
            reference: 0.0,
            dirichlet: None,
        }
    }

    #[inline]
    fn arrived(&mut self, leaf: &Mean, target: f64, share: f64, scale: &mut Scale) {
        let error = target - leaf.mean;
        self.of_leaves.add(error * error, 1.0);
        scale.reference = share * -self.log_likelihood(leaf, target, *scale);
    }

    #[inline]
    fn likelihood(&self, summary: &Mean, target: f64, scale: Scale) -> f64 {
        let logarithm = scale.reference + self.log_likelihood(summary, target, scale);
        exp(logarithm.clamp(-LIMIT, LIMIT))
    }

    #[inline]
    fn log_likelihood(&self, summary: &Mean, target: f64, scale: Scale) -> f64 {
        let error = target - summary.mean;
        // A difference of two losses must stay a number.
        (-0.5 * scale.step_size * error * error).max(-f64::MAX / 2.0)
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
        _: &LabelSettings,
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
        let settings = LabelSettings {
            step: Some(1.0),
            ..LabelSettings::default()
        };
        let losses = SquaredErrors::default();
        let scale = losses.scale(&settings);
        let [largest, none] = [1e200, -1e200].map(|y| losses.log_likelihood(&summary, y, scale));
        assert_eq!((largest - largest, none), (0.0, 0.0));
        assert!((2.0 * largest).is_finite() && largest < -1e307);
    }
}
