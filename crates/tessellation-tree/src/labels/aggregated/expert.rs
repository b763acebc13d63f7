//! What differs between classes and numbers.

use std::fmt::Debug;

use forest_core::Task;
use serde::{Serialize, de::DeserializeOwned};

use super::super::LabelSettings;
use super::FirstLoss;

/// How a node predicts, and what it keeps for it.
pub trait Expert:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Classification or regression.
    type Task: Task;

    /// What the step size η is, and what else predictions need.
    type Settings: LabelSettings;

    /// What is kept of the targets of one node.
    type Summary: Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The summary of one target.
    fn of_one(target: <Self::Task as Task>::Target) -> Self::Summary;

    /// A copy of a summary.
    fn copy(&mut self, summary: &Self::Summary) -> Self::Summary;

    /// Adds a target.
    fn add(&mut self, summary: &mut Self::Summary, target: <Self::Task as Task>::Target);

    /// The summary is not needed any more.
    fn release(&mut self, summary: &mut Self::Summary);

    /// κ, the share of the loss of its first sample that a node pays.
    fn first_loss(settings: &Self::Settings) -> FirstLoss;

    /// η, by which the losses of the next sample are multiplied.
    fn step(&self, settings: &Self::Settings) -> f64;

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
        step: f64,
    ) -> f64;

    /// exp(`scale.reference` − `scale.step`·loss), between e⁻²⁰⁰ and e²⁰⁰.
    fn likelihood(
        &self,
        summary: &Self::Summary,
        target: <Self::Task as Task>::Target,
        scale: Scale,
        settings: &Self::Settings,
    ) -> f64;

    /// −`step`·loss.
    fn log_likelihood(
        &self,
        summary: &Self::Summary,
        target: <Self::Task as Task>::Target,
        step: f64,
        settings: &Self::Settings,
    ) -> f64;

    /// Adds a node's prediction with its weight; the nodes of a path come from its root on.
    fn mix(
        &self,
        mixture: &mut PathMixture<'_>,
        term: Term<&Self::Summary>,
        settings: &Self::Settings,
    );

    /// Turns the cells of the mixture of a whole path into an answer; by default they are one.
    fn finish(mixture: &mut PathMixture<'_>, settings: &Self::Settings) {
        let _ = (mixture, settings);
    }

    /// Whether the summary is of these targets, up to rounding.
    fn is_summary_of(
        &self,
        summary: &Self::Summary,
        targets: impl Iterator<Item = <Self::Task as Task>::Target>,
    ) -> bool;

    /// Number of targets.
    fn count(summary: &Self::Summary) -> u64;

    /// Whether a summary could be that of one target or more that the stream may have.
    fn is_possible(&self, summary: &Self::Summary, outputs: &<Self::Task as Task>::Outputs)
    -> bool;

    /// Bytes besides the summaries.
    fn bytes(&self) -> usize {
        0
    }

    /// Whether the storage belongs to these summaries, and is what samples make.
    fn is_shaped<'a>(&self, summaries: impl Iterator<Item = &'a Self::Summary>) -> bool
    where
        Self: 'a,
    {
        let _ = summaries;
        true
    }
}

/// How the likelihoods of one sample follow from its losses.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// η.
    pub step: f64,
    /// η times the loss that likelihoods are measured from.
    pub reference: f64,
}

/// The weighted mean of the predictions of the nodes that a path has passed so far.
#[derive(Debug)]
pub struct PathMixture<'a> {
    /// As wide as an answer; 0 before the root.
    pub cells: &'a mut [f64],
    /// What else an expert takes along from node to node; 0 before the root.
    pub carried: f64,
}

/// A node of a path as it takes part in a prediction.
#[derive(Clone, Copy, Debug)]
pub struct Term<S> {
    /// The weight of the prunings that do not stop above the node.
    pub reached: f64,
    /// The part of it that stops here; 1 at the end of the path.
    pub stop: f64,
    /// What the node keeps.
    pub summary: S,
}
