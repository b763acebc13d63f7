//! What differs between classes and numbers.

use std::fmt::Debug;

use crate::LabelSettings;
use forest_core::Task;
use forest_core::registry::NamedTask;
use serde::{Serialize, de::DeserializeOwned};

use super::{AggregatedNode, FirstLoss};

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
    fn copy(&mut self, summary: &Self::Summary) -> Self::Summary;

    /// Adds a target.
    fn add(&mut self, summary: &mut Self::Summary, target: <Self::Task as Task>::Target);

    /// Adds the targets of a summary to `sum`.
    fn add_labels(&self, summary: &Self::Summary, sum: &mut <Self::Task as NamedTask>::Labels);

    /// The summary is not needed any more.
    fn release(&mut self, summary: &mut Self::Summary);

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
    fn reference(
        &self,
        leaf: &Self::Summary,
        target: <Self::Task as Task>::Target,
        step_size: f64,
    ) -> f64;

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
