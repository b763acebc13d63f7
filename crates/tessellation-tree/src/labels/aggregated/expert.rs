//! What differs between classes and numbers.

use std::fmt::Debug;

use forest_core::{LabelSummary, Task};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::AggregatedNode;
use crate::LabelSettings;

type TargetOf<E> = <<E as Expert>::Task as Task>::Target;

/// How a node predicts, and what it keeps for it.
pub trait Expert:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Classification or regression.
    type Task: Task;

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
    fn of_one(target: TargetOf<Self>) -> Self::Summary;

    /// Returns a copy of a summary.
    fn copy(&mut self, summary: &Self::Summary) -> Self::Summary {
        *summary
    }

    /// Adds a target.
    fn add(&mut self, summary: &mut Self::Summary, target: TargetOf<Self>);

    /// Adds the targets of a summary to `sum`.
    fn add_labels(&self, summary: &Self::Summary, sum: &mut LabelSummary);

    /// The summary is not needed any more.
    fn release(&mut self, summary: &mut Self::Summary) {
        let _ = summary;
    }

    /// κ, the share of the loss of its first sample that a node pays.
    fn first_loss(settings: &Self::Settings) -> FirstLoss;

    /// η, by which the losses of the next sample are multiplied.
    fn step_size(&self, settings: &Self::Settings) -> f64;

    /// A sample arrives where nodes predict as `leaf`, which does not have it yet. Its step size is that before it, so that it does not
    /// depend on its own target; of what its leaf pays, `share` is the reference of its likelihoods.
    fn arrived(
        &mut self,
        leaf: &Self::Summary,
        target: TargetOf<Self>,
        share: f64,
        settings: &Self::Settings,
    ) -> Scale;

    /// exp(`scale.reference` − `scale.step_size`·loss), between e⁻²⁰⁰ and e²⁰⁰.
    fn likelihood(
        &self,
        summary: &Self::Summary,
        target: TargetOf<Self>,
        scale: Scale,
        settings: &Self::Settings,
    ) -> f64;

    /// Returns −`step_size`·loss.
    fn log_likelihood(
        &self,
        summary: &Self::Summary,
        target: TargetOf<Self>,
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
    /// η times the loss that likelihoods are measured from: a common factor changes no β, and keeps them off the ends of `f64`.
    pub reference: f64,
}

/// κ, the share of the loss on its first sample that a node pays; it is predicted by the nearest node above that has samples.
///
/// With κ = 0, as in the authors' code, leaves of one sample are free, and the pruning that keeps them all outweighs any
/// smoother one where labels have more entropy than ln 2 / η. With κ = 1 the mixture is the best for one tree, but not for
/// a forest whose trees have different neighbours in the leaf of a point: their mean removes the noise of single samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
