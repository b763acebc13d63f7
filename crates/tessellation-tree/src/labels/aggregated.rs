//! The mixture over all prunings of a tree (Mourtada, Gaïffas, Scornet 2021: AMF), for any cuts.
//!
//! A pruning makes leaves of some inner nodes. Each predicts a sample with the statistics of its leaf
//! there, and has weight π · exp(−η · its losses so far), where the prior π gives ½ to stopping at a node
//! and ½ to going on. The tree predicts with the weighted mean of all of them, in `O(depth)`:
//!
//! | paper | here |
//! |---|---|
//! | w_v, exp(−η · losses of v as a leaf) | is not stored |
//! | w̄_v = ½·w_v + ½·w̄_left·w̄_right, w̄ = w for a leaf | is not stored |
//! | β_v = w_v / (w̄_left·w̄_right) | [`Ratio`] of an inner node |
//! | α_v = ½·w_v/w̄_v, the weight of stopping at v | β / (1 + β) |
//! | prediction ȳ ← α·ŷ_v + (1 − α)·ȳ from the leaf up | the same sum from the root down |
//!
//! A new sample multiplies w_v by its likelihood e_v = exp(−η·loss) at v, before v's statistics have
//! it, and w̄_v by ē_v = (β·e_v + ē_below) / (β + 1). So β ← β·e_v / ē_below, from the leaf up, without a
//! logarithm; this is how context tree weighting is computed (Willems, Shtarkov, Tjalkens 1995). The
//! likelihoods of a sample may be multiplied by a common factor, which leaves every β unchanged.
//!
//! A node without samples predicts as the nearest node above it that has some, and pays the share κ of
//! that loss ([`FirstLoss`]). A node that is put above v has v's samples and so v's
//! losses. A leaf that is cut into several (where leaves pause or the budget grows) becomes nodes with the losses that they
//! would have had. In both cases the weights are those of a tree that had these nodes from the start.

mod classes;
mod expert;
mod means;
mod ratio;

use crate::{
    CutDistribution, Joined, LabelContext, LabelModel, LeafId, MadeNode, NodeId, Path, Place, Step,
    Subtree, Walks,
};
use forest_core::{Arena, LARGER_THAN_A_CACHE, SampleId, SampleStore, Task, accumulate, prefetch};
use serde::{Deserialize, Serialize};

use super::set;
use ratio::Ratio;

pub use classes::{AggregatedClasses, ClassAggregation, Dirichlet};
pub use expert::{Expert, FirstLoss, Scale};
pub use means::{AggregatedMeans, MeanAggregation, SquaredErrors, StepSize};

/// The mixture over all prunings, with experts `E` at the nodes.
///
/// The losses depend on the order of arrival, so that no sample can be taken out again: only the samples
/// after it could show what they would have cost without it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Aggregated<E: Expert> {
    expert: E,
    leaves: Arena<E::Summary>,
    nodes: Arena<AggregatedNode<E::Summary>>,
}

/// An inner node, and what it keeps of its targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AggregatedNode<S> {
    ratio: Ratio,
    summary: S,
}

impl<S> AggregatedNode<S> {
    /// α, the weight of the prunings that stop at this node among those that reach it, and of those that continue below.
    #[inline]
    pub fn stop_and_go(&self) -> (f64, f64) {
        self.ratio.stop_and_go()
    }

    /// Returns the summary of its targets.
    #[inline]
    pub fn summary(&self) -> &S {
        &self.summary
    }
}

impl<E: Expert> Aggregated<E> {
    fn summary_of(
        &mut self,
        samples: impl Iterator<Item = SampleId>,
        store: &SampleStore<E::Task>,
    ) -> E::Summary {
        let mut summary = E::Summary::default();
        samples.for_each(|id| self.expert.add(&mut summary, store.target(id)));
        summary
    }

    /// Creates the node that takes the place of `sibling`: its weight is that of the sibling as a leaf.
    fn above(
        &mut self,
        sibling: Subtree,
        store: &SampleStore<E::Task>,
    ) -> AggregatedNode<E::Summary> {
        let (ratio, summary) = match sibling {
            Subtree::Inner(child) => {
                let child = &self.nodes[child.index()];
                let summary = self.expert.copy(&child.summary);
                // β_u = w_v / w̄_v: the new node u has v's samples and so v's losses, and below it is all of v's mixture.
                (child.ratio.over_mixture(), summary)
            }
            // w̄ = w at a leaf.
            Subtree::Leaf(leaf) => (Ratio::ONE, self.expert.copy(&self.leaves[leaf.index()])),
            Subtree::Sample(id) => (Ratio::ONE, self.summary_of([id].into_iter(), store)),
        };
        AggregatedNode { ratio, summary }
    }

    /// Returns −η · the losses of a node on its samples, the first aside; of the loss on `later` only the share 1 − κ.
    fn log_weight(
        &mut self,
        ids: &mut [SampleId],
        later: Option<SampleId>,
        context: LabelContext<'_, Self>,
    ) -> f64 {
        // Identifiers increase with arrival: each loss is on what came before.
        ids.sort_unstable();
        let LabelContext { settings, samples } = context;
        // The present step size stands for earlier ones, which are not kept.
        let step_size = self.expert.step_size(settings);
        let first_share = E::first_loss(settings).share(samples.width());
        let (mut summary, mut sum) = (E::Summary::default(), 0.0);
        for &id in &*ids {
            let target = samples.target(id);
            // A node without samples predicts as the nearest above that has some: `node_made` counts that loss.
            if !E::is_empty(&summary) {
                let share = if later == Some(id) {
                    1.0 - first_share
                } else {
                    1.0
                };
                let expert = &self.expert;
                sum += share * expert.log_likelihood(&summary, target, step_size, settings);
            }
            self.expert.add(&mut summary, target);
        }
        // Class counts are lists in one array: this one served the sum alone.
        self.expert.release(&mut summary);
        sum
    }

    /// Returns ln(w̄ / w).
    fn log_mixture(&self, subtree: Subtree) -> f64 {
        match subtree {
            Subtree::Inner(node) => -self.nodes[node.index()].ratio.over_mixture().ln(),
            Subtree::Leaf(_) | Subtree::Sample(_) => 0.0,
        }
    }

    #[inline]
    fn prefetch(&self, node: NodeId) {
        if let Some(node) = self.nodes.get(node.index()) {
            prefetch(node);
        }
    }

    /// A point passes an inner node.
    #[inline]
    fn pass<'a>(&'a self, passed: &mut E::Passed<'a>, node: NodeId) {
        E::pass(passed, &self.nodes[node.index()]);
    }

    /// Overwrites `prediction` with that of a point that goes this way to a leaf.
    fn mix(
        &self,
        way: &[Step],
        leaf: Subtree,
        context: LabelContext<'_, Self>,
        prediction: &mut [f64],
    ) {
        let mut passed = E::Passed::default();
        way.iter()
            .for_each(|place| self.pass(&mut passed, place.node));
        self.arrive(&mut passed, leaf, context, prediction);
    }

    /// A point arrives at its leaf.
    #[inline]
    fn arrive(
        &self,
        passed: &mut E::Passed<'_>,
        leaf: Subtree,
        context: LabelContext<'_, Self>,
        prediction: &mut [f64],
    ) {
        let LabelContext { settings, samples } = context;
        let of_leaf = match leaf {
            Subtree::Sample(id) => E::of_one(samples.target(id)),
            Subtree::Leaf(leaf) => self.leaves[leaf.index()],
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        self.expert.finish(passed, &of_leaf, settings, prediction);
    }
}

impl<E: Expert> LabelModel for Aggregated<E> {
    type Task = E::Task;
    type Settings = E::Settings;

    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        context: LabelContext<'_, Self>,
    ) {
        let summary = self.summary_of(samples, context.samples);
        set(&mut self.leaves, leaf.index(), summary);
    }

    fn removed(&mut self, place: Subtree) {
        match place {
            Subtree::Leaf(leaf) => self.expert.release(&mut self.leaves[leaf.index()]),
            Subtree::Inner(node) => self.expert.release(&mut self.nodes[node.index()].summary),
            Subtree::Sample(_) => {}
        }
    }

    fn joined(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        context: LabelContext<'_, Self>,
    ) {
        let LabelContext { settings, samples } = context;
        let target = samples.target(id);
        // Before `arrived`: the step size of a sample must not depend on its own target.
        let step_size = self.expert.step_size(settings);
        let (scale, mut mixture) = match end {
            Joined::Leaf(leaf) => {
                let (expert, summary) = (&mut self.expert, &mut self.leaves[leaf.index()]);
                expert.arrived(summary, target);
                // Likelihoods relative to the leaf's: a common factor changes no β, and keeps them off the ends of `f64`.
                let reference = expert.reference(summary, target, step_size);
                let scale = Scale {
                    step_size,
                    reference,
                };
                // Before the sample is added: no node predicts a sample that it has.
                let likelihood = expert.likelihood(summary, target, scale, settings);
                expert.add(summary, target);
                (scale, likelihood)
            }
            Joined::Alone { node, sibling, .. } => {
                let AggregatedNode { ratio, mut summary } = self.above(sibling, samples);
                let share = E::first_loss(settings).share(samples.width());
                let expert = &mut self.expert;
                expert.arrived(&summary, target);
                let reference = share * expert.reference(&summary, target, step_size);
                let scale = Scale {
                    step_size,
                    reference,
                };
                let likelihood = expert.likelihood(&summary, target, scale, settings);
                let logarithm = expert.log_likelihood(&summary, target, step_size, settings);
                // e_u^κ: the new leaf predicts its first sample as the node u does and pays the share κ.
                let of_leaf = libm::exp(share * logarithm + reference);
                expert.add(&mut summary, target);
                // ē_u = w̄_u / w̄_v = ½·(e_u·w_v/w̄_v + e_u^κ).
                let mixture = f64::midpoint(ratio.value() * likelihood, of_leaf);
                // β_u = e_u^(1 − κ)·w_v / w̄_v.
                let ratio = ratio.times(likelihood / of_leaf);
                set(
                    &mut self.nodes,
                    node.index(),
                    AggregatedNode { ratio, summary },
                );
                (scale, mixture)
            }
        };
        for place in path.rev() {
            let inner = &mut self.nodes[place.node.index()];
            let expert = &mut self.expert;
            let likelihood = expert.likelihood(&inner.summary, target, scale, settings);
            expert.add(&mut inner.summary, target);
            // By the weights before the sample: ē = (β·e + ē_below) / (β + 1); then β ← β·e / ē_below.
            let (stop, go) = inner.ratio.stop_and_go();
            inner.ratio = inner.ratio.times(likelihood / mixture);
            mixture = stop * likelihood + go * mixture;
        }
    }

    fn look_ahead(&self, nodes: impl Iterator<Item = NodeId>) {
        // 10⁶ rows are learned in .83 of the time.
        if self.nodes.bytes() > LARGER_THAN_A_CACHE {
            nodes.for_each(|node| self.prefetch(node));
        }
    }

    fn node_made(&mut self, made: MadeNode<'_>, context: LabelContext<'_, Self>) {
        let (left, right) = made.samples.split_at_mut(made.middle);
        let (mut logarithm, mut later) = (0.0, SampleId::new(0));
        for (child, ids) in made.children.into_iter().zip([left, right]) {
            logarithm -= self.log_weight(ids, None, context) + self.log_mixture(child);
            later = later.max(ids[0]);
        }
        // The first sample of the one child costs it what it costs the node; that of the other, `later`, costs κ
        // of the node's loss.
        logarithm += self.log_weight(made.samples, Some(later), context);
        let ids = made.samples.iter().copied();
        let inner = AggregatedNode {
            ratio: Ratio::exp(logarithm),
            summary: self.summary_of(ids, context.samples),
        };
        set(&mut self.nodes, made.node.index(), inner);
    }

    /// The weight of all prunings below the path changes from w to w̄.
    fn leaf_cut(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        node: NodeId,
        _: LabelContext<'_, Self>,
    ) {
        let mut gain = self.log_mixture(Subtree::Inner(node));
        for place in path.rev() {
            let ratio = &mut self.nodes[place.node.index()].ratio;
            let logarithm = ratio.ln();
            *ratio = Ratio::exp(logarithm - gain);
            // F ← (β + F) / (β + 1), as logarithms: F may be of any size.
            gain = softplus(gain - logarithm) - softplus(-logarithm);
        }
    }

    fn predict<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        let (mut path, mut passed) = (path, E::Passed::default());
        for place in path.by_ref() {
            self.pass(&mut passed, place.node);
        }
        self.arrive(&mut passed, path.below(), context, accumulator);
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len();
        let pass = |passed: &mut _, node| self.pass(passed, node);
        let ahead = |node| self.prefetch(node);
        walks.fold(E::Passed::default, pass, ahead, |row, passed, leaf| {
            self.arrive(passed, leaf, context, accumulator);
            accumulate(&mut sums[row * width..][..width], accumulator);
        });
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes() + self.nodes.bytes() + self.expert.bytes()
    }

    fn is_shaped(
        &self,
        mut leaves: impl Iterator<Item = LeafId> + Clone,
        mut nodes: impl Iterator<Item = NodeId> + Clone,
        _: usize,
        outputs: &<E::Task as Task>::Outputs,
    ) -> bool {
        let of_nodes = self.nodes.iter().map(|inner| &inner.summary);
        let summaries = self.leaves.iter().chain(of_nodes);
        leaves.all(|leaf| leaf.index() < self.leaves.len())
            && nodes.all(|node| node.index() < self.nodes.len())
            && self.nodes.iter().all(|inner| inner.ratio.is_sound())
            && self.expert.is_shaped(summaries, outputs)
    }

    fn predict_in(
        &self,
        way: &[Step],
        leaf: Place,
        context: LabelContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        self.mix(way, leaf.subtree, context, accumulator);
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut <E::Task as Task>::Labels) {
        self.expert.add_labels(&self.leaves[leaf.index()], sum);
    }
}

/// Returns ln(1 + eˣ).
fn softplus(x: f64) -> f64 {
    // e^−|x| is at most 1: no x overflows.
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}
