//! The aggregated model with the exponential function of `libm` in place of our own.

use forest_core::{Regression, SampleWeight};
use label_models::{
    Aggregated, AggregatedNode, Expert, FirstLoss, MeanAggregation, Scale, SquaredErrors,
};
use registry::NumberLabels;
use serde::{Deserialize, Serialize};

/// `AggregatedMeans` with another exponential function.
pub(crate) type AggregatedByLibm = Aggregated<ByLibm>;

type Summary = <SquaredErrors as Expert>::Summary;

/// [`SquaredErrors`], whose likelihoods are `libm`'s exponentials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ByLibm(SquaredErrors);

impl Expert for ByLibm {
    type Task = Regression;
    type Settings = MeanAggregation;
    type Summary = Summary;
    type Passed<'a> = <SquaredErrors as Expert>::Passed<'a>;

    #[inline]
    fn likelihood(
        &self,
        summary: &Summary,
        target: f64,
        scale: Scale,
        settings: &MeanAggregation,
    ) -> f64 {
        let logarithm =
            scale.reference + self.log_likelihood(summary, target, scale.step_size, settings);
        libm::exp(logarithm.clamp(-200.0, 200.0))
    }

    fn of_one(target: f64, weight: SampleWeight) -> Summary {
        SquaredErrors::of_one(target, weight)
    }

    fn copy(&mut self, summary: &Summary) -> Summary {
        self.0.copy(summary)
    }

    #[inline]
    fn add(&mut self, summary: &mut Summary, target: f64, weight: SampleWeight) {
        self.0.add(summary, target, weight);
    }

    fn add_labels(&self, summary: &Summary, sum: &mut NumberLabels) {
        self.0.add_labels(summary, sum);
    }

    fn release(&mut self, summary: &mut Summary) {
        self.0.release(summary);
    }

    #[inline]
    fn first_loss(settings: &MeanAggregation) -> FirstLoss {
        SquaredErrors::first_loss(settings)
    }

    #[inline]
    fn step_size(&self, settings: &MeanAggregation) -> f64 {
        self.0.step_size(settings)
    }

    #[inline]
    fn arrived(&mut self, leaf: &Summary, target: f64, weight: SampleWeight) {
        self.0.arrived(leaf, target, weight);
    }

    #[inline]
    fn reference(&self, leaf: &Summary, target: f64, step_size: f64) -> f64 {
        self.0.reference(leaf, target, step_size)
    }

    #[inline]
    fn log_likelihood(
        &self,
        summary: &Summary,
        target: f64,
        step_size: f64,
        settings: &MeanAggregation,
    ) -> f64 {
        self.0.log_likelihood(summary, target, step_size, settings)
    }

    fn log_likelihood_of_copies(
        &self,
        summary: &Summary,
        target: f64,
        weight: SampleWeight,
        step_size: f64,
        settings: &MeanAggregation,
    ) -> f64 {
        self.0
            .log_likelihood_of_copies(summary, target, weight, step_size, settings)
    }

    #[inline]
    fn pass<'a>(passed: &mut Self::Passed<'a>, node: &'a AggregatedNode<Summary>) {
        SquaredErrors::pass(passed, node);
    }

    #[inline]
    fn finish(
        &self,
        passed: &mut Self::Passed<'_>,
        leaf: &Summary,
        settings: &MeanAggregation,
        prediction: &mut [f64],
    ) {
        self.0.finish(passed, leaf, settings, prediction);
    }

    fn is_summary_of(
        &self,
        summary: &Summary,
        targets: impl Iterator<Item = (f64, SampleWeight)>,
    ) -> bool {
        self.0.is_summary_of(summary, targets)
    }

    fn is_empty(summary: &Summary) -> bool {
        SquaredErrors::is_empty(summary)
    }

    fn is_possible(&self, summary: &Summary, outputs: &()) -> bool {
        self.0.is_possible(summary, outputs)
    }
}
