//! A sample that stands for several, or for a part of one.
//!
//! A weight w is w copies of the sample at once, each learned before the next one: the weights of prunings change by
//! the product of w likelihoods ([`Expert::log_likelihood_of_copies`] is its logarithm), all with the step before the sample. In a new leaf the first copy is
//! predicted by the node above and costs the share κ; the leaf predicts the others itself. Of a sample that weighs less than 1 the part that there is
//! is the first copy.
//!
//! Logarithms of β are changed here, not β: an `f64` cannot hold the likelihood of many copies.

use crate::{Joined, LabelContext, Step, Subtree};
use forest_core::{SampleId, SampleWeight, Task};

use super::{Aggregated, AggregatedNode, Expert, Ratio, put, softplus};

impl<E: Expert> Aggregated<E> {
    /// Returns the losses of a new leaf on the copies of its first sample behind the first copy.
    pub(super) fn log_likelihood_of_rest(
        &self,
        target: <E::Task as Task>::Target,
        weight: SampleWeight,
        step_size: f64,
        settings: &E::Settings,
    ) -> f64 {
        let (first, rest) = weight.first_copy();
        rest.map_or(0.0, |rest| {
            let first = E::of_one(target, first);
            self.expert
                .log_likelihood_of_copies(&first, target, rest, step_size, settings)
        })
    }

    /// As [`LabelModel::joined`](super::LabelModel::joined), for a sample whose weight is not 1.
    #[cold]
    pub(super) fn joined_weighted(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        let LabelContext { settings, samples } = context;
        let (target, weight) = (samples.target(id), samples.weight(id));
        let step_size = self.expert.step_size(settings);
        let mut mixture = match end {
            Joined::Leaf(leaf) => {
                let (expert, summary) = (&mut self.expert, &mut self.leaves[leaf.index()]);
                expert.arrived(summary, target, weight);
                let likelihood =
                    expert.log_likelihood_of_copies(summary, target, weight, step_size, settings);
                expert.add(summary, target, weight);
                likelihood
            }
            Joined::Alone { node, sibling, .. } => {
                self.joined_alone(node.index(), sibling, target, weight, context)
            }
        };
        for place in path.rev() {
            let inner = &mut self.nodes[place.node.index()];
            let expert = &mut self.expert;
            let likelihood = expert.log_likelihood_of_copies(
                &inner.summary,
                target,
                weight,
                step_size,
                settings,
            );
            expert.add(&mut inner.summary, target, weight);
            // As in `joined`, of logarithms: ē = (β·e + ē_below) / (β + 1); then β ← β·e / ē_below.
            let ratio = inner.ratio.ln();
            let gain = likelihood - mixture;
            inner.ratio = Ratio::exp(ratio + gain);
            mixture += softplus(ratio + gain) - softplus(ratio);
        }
    }

    /// Makes the node above `sibling` and the new leaf; returns ln ē of the node.
    fn joined_alone(
        &mut self,
        node: usize,
        sibling: Subtree,
        target: <E::Task as Task>::Target,
        weight: SampleWeight,
        context: LabelContext<'_, Self>,
    ) -> f64 {
        let LabelContext { settings, samples } = context;
        let step_size = self.expert.step_size(settings);
        let AggregatedNode { ratio, mut summary } = self.above(sibling, samples);
        let (first, rest) = weight.first_copy();
        self.expert.arrived(&summary, target, first);
        if let Some(rest) = rest {
            self.expert.arrived(&E::of_one(target, first), target, rest);
        }
        let expert = &self.expert;
        let share = E::first_loss(settings).share(samples.width());
        let of_first =
            share * expert.log_likelihood_of_copies(&summary, target, first, step_size, settings);
        let of_leaf = of_first + self.log_likelihood_of_rest(target, weight, step_size, settings);
        let likelihood =
            expert.log_likelihood_of_copies(&summary, target, weight, step_size, settings);
        self.expert.add(&mut summary, target, weight);
        // β_u = e_u / ē_leaf · w_v/w̄_v, and ē_u = ½·ē_leaf·(β_u + 1).
        let logarithm = ratio.ln() + likelihood - of_leaf;
        let ratio = Ratio::exp(logarithm);
        put(&mut self.nodes, node, AggregatedNode { ratio, summary });
        of_leaf + softplus(logarithm) - std::f64::consts::LN_2
    }
}
