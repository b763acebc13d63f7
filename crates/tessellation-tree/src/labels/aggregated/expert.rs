//! What differs between classes and numbers.

use std::fmt::Debug;

use forest_core::Task;
use forest_core::registry::NamedTask;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::AggregatedNode;
use crate::LabelSettings;

/// How a node predicts, and what it keeps for it.
pub trait Expert:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Classification or regression.
    type Task: NamedTask;

    /// What the step size η is, and what else predictions need.
    type Settings: LabelSettings;

    /// What is kept of the targets of one node.
    type Summary: Copy
        + Debug
        + Default
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + 'static;

    /// The nodes of a path that have been passed so far; none by default.
    type Passed<'a>: Default;

    /// Creates the summary of one target.
    fn of_one(target: <Self::Task as Task>::Target) -> Self::Summary;

    /// Returns a copy of a summary.
    fn copy(&mut self, summary: &Self::Summary) -> Self::Summary {
        *summary
    }

    /// Adds a target.
    fn add(&mut self, summary: &mut Self::Summary, target: <Self::Task as Task>::Target);

    /// Adds the targets of a summary to `sum`.
    fn add_labels(&self, summary: &Self::Summary, sum: &mut <Self::Task as Task>::Labels);

    /// The summary is not needed any more.
    fn release(&mut self, summary: &mut Self::Summary) {
        let _ = summary;
    }

    /// κ, the share of the loss of its first sample that a node pays.
    fn first_loss(settings: &Self::Settings) -> FirstLoss;

    /// η, by which the losses of the next sample are multiplied.
    fn step_size(&self, settings: &Self::Settings) -> f64;

    /// A sample arrives where nodes predict as `leaf`, which does not have it yet.
    #[inline]
    fn arrived(&mut self, leaf: &Self::Summary, target: <Self::Task as Task>::Target) {
        let _ = (leaf, target);
    }

    /// η times the loss that likelihoods of this target are measured from, given the summary of its leaf.
    #[inline]
    fn reference(
        &self,
        leaf: &Self::Summary,
        target: <Self::Task as Task>::Target,
        step_size: f64,
    ) -> f64 {
        let _ = (leaf, target, step_size);
        0.0
    }

    /// exp(`scale.reference` − `scale.step_size`·loss), between e⁻²⁰⁰ and e²⁰⁰.
    fn likelihood(
        &self,
        summary: &Self::Summary,
        target: <Self::Task as Task>::Target,
        scale: Scale,
        settings: &Self::Settings,
    ) -> f64;

    /// Returns −`step_size`·loss.
    fn log_likelihood(
        &self,
        summary: &Self::Summary,
        target: <Self::Task as Task>::Target,
        step_size: f64,
        settings: &Self::Settings,
    ) -> f64;

    /// Adds an inner node; those of a path come from its root on.
    fn pass<'a>(passed: &mut Self::Passed<'a>, node: &'a AggregatedNode<Self::Summary>);

    /// Overwrites `prediction` with the weighted mean of the predictions of the nodes of a path, which ends in `leaf`. None
    /// are passed afterwards.
    fn finish(
        &self,
        passed: &mut Self::Passed<'_>,
        leaf: &Self::Summary,
        settings: &Self::Settings,
        prediction: &mut [f64],
    );

    /// Returns whether it is of no target.
    fn is_empty(summary: &Self::Summary) -> bool;

    /// Returns the bytes besides the summaries.
    fn bytes(&self) -> usize {
        0
    }

    /// Returns whether the storage belongs to these summaries.
    fn is_shaped<'a>(
        &self,
        summaries: impl Iterator<Item = &'a Self::Summary>,
        outputs: &<Self::Task as Task>::Outputs,
    ) -> bool
    where
        Self: 'a,
    {
        let _ = (summaries, outputs);
        true
    }
}

/// How the likelihoods of one sample follow from its losses.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// η.
    pub step_size: f64,
    /// η times the loss that likelihoods are measured from.
    pub reference: f64,
}

/// κ, the share of the loss on its first sample that a node pays; it is predicted by the nearest node above that has samples.
///
/// With κ = 0, as in the authors' code, leaves of one sample are free, and the pruning that keeps them all outweighs any
/// smoother one where labels have more entropy than ln 2 / η. With κ = 1 the mixture is the best for one tree, but not for
/// a forest whose trees have different neighbours in the leaf of a point: their mean removes the noise of single samples.
///
/// Saved as a number, as it was when there were only shares: −1 is [`ByFeatures`](Self::ByFeatures).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub enum FirstLoss {
    /// 1/d for d features. With one feature a point has the same neighbours in every tree, so a forest is
    /// like one tree; the more features cuts are drawn from, the more the trees differ.
    ByFeatures,
    /// This share, from 0 to 1.
    Share(f64),
}

impl FirstLoss {
    #[inline]
    pub(super) fn share(self, features: usize) -> f64 {
        match self {
            Self::ByFeatures => 1.0 / features as f64,
            Self::Share(share) => share,
        }
    }
}

const SAVED_BY_FEATURES: f64 = -1.0;

impl From<f64> for FirstLoss {
    fn from(saved: f64) -> Self {
        if saved == SAVED_BY_FEATURES {
            Self::ByFeatures
        } else {
            Self::Share(saved)
        }
    }
}

impl From<FirstLoss> for f64 {
    fn from(first_loss: FirstLoss) -> Self {
        match first_loss {
            FirstLoss::ByFeatures => SAVED_BY_FEATURES,
            FirstLoss::Share(share) => share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_features_it_is_one_over_their_number() {
        assert_eq!(
            [1, 2, 8].map(|d| FirstLoss::ByFeatures.share(d)),
            [1.0, 0.5, 0.125]
        );
        assert_eq!(FirstLoss::Share(0.3).share(8), 0.3);
    }

    #[test]
    fn what_is_saved_comes_back() {
        for first_loss in [FirstLoss::ByFeatures, FirstLoss::Share(0.25)] {
            assert_eq!(FirstLoss::from(f64::from(first_loss)), first_loss);
        }
    }
}
