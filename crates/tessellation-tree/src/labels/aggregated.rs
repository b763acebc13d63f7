//! The mixture over all prunings of a tree (Mourtada, Gaïffas, Scornet 2021: AMF), for any cuts.
//!
//! A pruning makes leaves of some inner nodes. Each predicts a sample with the statistics of its leaf
//! there, and has weight π · exp(−η · its losses so far), where the prior π gives ½ to stopping at a node
//! and ½ to continuing. The tree predicts with the weighted mean of all of them, in `O(depth)`:
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
//! A node without samples predicts as the nearest node above it that has some, and pays the share κ of that loss
//! ([`LabelSettings::first_loss`]). A node that is put above v has v's samples and so v's losses. A leaf that is cut
//! later becomes nodes with the losses that they would have had from the start.

mod classes;
mod means;
mod ratio;

use std::fmt::Debug;

use forest_core::{Arena, LARGER_THAN_A_CACHE, LabelSummary, SampleId, Task, accumulate, prefetch};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::set;
use crate::{
    Context, CutDistribution, InnerNode, Joined, LabelModel, LabelSettings, LeafId, NodeId, Path,
    Step, Subtree, Walks,
};
use ratio::Ratio;

pub use means::SquaredErrors;

type TargetOf<E> = <<E as Expert>::Task as Task>::Target;

/// How a node predicts, and what it keeps for it.
pub trait Expert:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Classification or regression.
    type Task: Task;

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

    /// Releases a summary that is not needed any more.
    fn release(&mut self, _summary: &mut Self::Summary) {}

    /// Returns what the losses of the next sample are multiplied by.
    fn scale(&self, settings: &LabelSettings) -> Scale;

    /// Sets the reference of the likelihoods of a sample to this share of its leaf's loss; updates the later scale.
    fn arrived(
        &mut self,
        _leaf: &Self::Summary,
        _target: TargetOf<Self>,
        _share: f64,
        _scale: &mut Scale,
    ) {
    }

    /// Returns exp(`scale.reference` − `scale.step_size`·loss), between e⁻²⁰⁰ and e²⁰⁰.
    fn likelihood(&self, summary: &Self::Summary, target: TargetOf<Self>, scale: Scale) -> f64;

    /// Returns −`scale.step_size`·loss.
    fn log_likelihood(&self, summary: &Self::Summary, target: TargetOf<Self>, scale: Scale) -> f64;

    /// Passes an inner node; those of a path come from the root down.
    fn pass<'a>(passed: &mut Self::Passed<'a>, node: &'a AggregatedNode<Self::Summary>);

    /// Overwrites `prediction` with the weighted mean of a path, which ends in `leaf`, and resets `passed`.
    fn finish(
        &self,
        passed: &mut Self::Passed<'_>,
        leaf: &Self::Summary,
        settings: &LabelSettings,
        prediction: &mut [f64],
    );

    /// Returns the bytes besides the summaries.
    fn bytes(&self) -> usize {
        0
    }

    /// Returns whether the storage belongs to these summaries.
    fn is_shaped<'a>(
        &self,
        _summaries: impl Iterator<Item = &'a Self::Summary>,
        _outputs: &<Self::Task as Task>::Outputs,
    ) -> bool
    where
        Self: 'a,
    {
        true
    }
}

/// How the likelihoods of one sample follow from its losses.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// η.
    pub step_size: f64,
    /// η times the loss that likelihoods are measured from, which keeps them off the ends of `f64`.
    pub reference: f64,
    /// δ of classes.
    pub dirichlet: Option<f64>,
}

/// The mixture over all prunings, with experts `E` at the nodes. It cannot forget: losses depend on the order.
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

type ContextOf<'a, E> = Context<'a, <E as Expert>::Task>;

/// Returns κ, for samples of `features` numbers.
fn first_share(settings: &LabelSettings, features: usize) -> f64 {
    settings.first_loss.unwrap_or(1.0 / features as f64)
}

impl<E: Expert> Aggregated<E> {
    fn summary_of(&mut self, samples: &[SampleId], context: ContextOf<'_, E>) -> E::Summary {
        let mut summary = E::Summary::default();
        for &id in samples {
            self.expert.add(&mut summary, context.samples.target(id));
        }
        summary
    }

    /// Creates the node that takes the place of `sibling`: its weight is that of the sibling as a leaf.
    fn above(&mut self, sibling: Subtree, context: ContextOf<'_, E>) -> AggregatedNode<E::Summary> {
        let expert = &mut self.expert;
        // w̄ = w at a leaf.
        let mut ratio = Ratio::ONE;
        let summary = match sibling {
            Subtree::Inner(child) => {
                let child = &self.nodes[child.index()];
                // β_u = w_v / w̄_v: the new node u has v's samples and losses, and below it is v's mixture.
                ratio = child.ratio.over_mixture();
                expert.copy(&child.summary)
            }
            Subtree::Leaf(leaf) => expert.copy(&self.leaves[leaf.index()]),
            Subtree::Sample(id) => self.summary_of(&[id], context),
        };
        AggregatedNode { ratio, summary }
    }

    /// Returns −η · the losses of a node on its samples, the first aside; of the loss on `later` only the share 1 − κ.
    fn log_weight(
        &mut self,
        ids: &mut [SampleId],
        later: Option<SampleId>,
        context: ContextOf<'_, E>,
    ) -> f64 {
        // Identifiers increase with arrival: each loss is on what came before.
        ids.sort_unstable();
        let Context { settings, samples } = context;
        // The present step size stands for earlier ones, which are not kept.
        let scale = self.expert.scale(settings);
        let mut summary = E::Summary::default();
        let mut sum = 0.0;
        for (place, &id) in ids.iter().enumerate() {
            let target = samples.target(id);
            // A node without samples predicts as the nearest above that has some: `node_made` counts that loss.
            if place > 0 {
                let mut share = 1.0;
                if later == Some(id) {
                    share -= first_share(settings, samples.width());
                }
                sum += share * self.expert.log_likelihood(&summary, target, scale);
            }
            self.expert.add(&mut summary, target);
        }
        // Class counts are lists in one array: this one served the sum alone.
        self.expert.release(&mut summary);
        // Differences of such sums must stay numbers.
        sum.max(-f64::MAX / 8.0)
    }

    /// Returns ln(w̄ / w).
    fn log_mixture(&self, subtree: Subtree) -> f64 {
        match subtree {
            Subtree::Inner(node) => -self.nodes[node.index()].ratio.over_mixture().ln(),
            Subtree::Leaf(_) | Subtree::Sample(_) => 0.0,
        }
    }

    /// Completes the prediction for a point whose path ends in `leaf`.
    #[inline]
    fn arrive(
        &self,
        passed: &mut E::Passed<'_>,
        leaf: Subtree,
        context: ContextOf<'_, E>,
        prediction: &mut [f64],
    ) {
        let of_leaf = match leaf {
            Subtree::Sample(id) => E::of_one(context.samples.target(id)),
            Subtree::Leaf(leaf) => self.leaves[leaf.index()],
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        };
        self.expert
            .finish(passed, &of_leaf, context.settings, prediction);
    }
}

impl<E: Expert> LabelModel for Aggregated<E> {
    type Task = E::Task;

    const FORGETS: bool = false;

    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: ContextOf<'_, E>) {
        let summary = self.summary_of(samples, context);
        set(&mut self.leaves, leaf.index(), summary);
    }

    fn removed(&mut self, place: Subtree) {
        match place {
            Subtree::Leaf(leaf) => self.expert.release(&mut self.leaves[leaf.index()]),
            Subtree::Inner(node) => self.expert.release(&mut self.nodes[node.index()].summary),
            Subtree::Sample(_) => {}
        }
    }

    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, context: ContextOf<'_, E>) {
        let Context { settings, samples } = context;
        let target = samples.target(id);
        // Likelihoods are before the sample is added: no node predicts a sample that it has.
        let mut scale = self.expert.scale(settings);
        let mut mixture = match end {
            Joined::Leaf(leaf) => {
                let expert = &mut self.expert;
                let summary = &mut self.leaves[leaf.index()];
                expert.arrived(summary, target, 1.0, &mut scale);
                let likelihood = expert.likelihood(summary, target, scale);
                expert.add(summary, target);
                likelihood
            }
            Joined::Alone { node, sibling, .. } => {
                let AggregatedNode { ratio, mut summary } = self.above(sibling, context);
                let share = first_share(settings, samples.width());
                let expert = &mut self.expert;
                expert.arrived(&summary, target, share, &mut scale);
                let likelihood = expert.likelihood(&summary, target, scale);
                let logarithm = expert.log_likelihood(&summary, target, scale);
                // e_u^κ: the new leaf predicts its first sample as the node u does and pays the share κ.
                let of_leaf = libm::exp(share * logarithm + scale.reference);
                expert.add(&mut summary, target);
                // ē_u = w̄_u / w̄_v = ½·(e_u·w_v/w̄_v + e_u^κ).
                let mixture = f64::midpoint(ratio.value() * likelihood, of_leaf);
                // β_u = e_u^(1 − κ)·w_v / w̄_v.
                let ratio = ratio.times(likelihood / of_leaf);
                let made = AggregatedNode { ratio, summary };
                set(&mut self.nodes, node.index(), made);
                mixture
            }
        };
        for step in path.iter().rev() {
            let inner = &mut self.nodes[step.node().index()];
            let expert = &mut self.expert;
            let likelihood = expert.likelihood(&inner.summary, target, scale);
            expert.add(&mut inner.summary, target);
            // By the weights before the sample: ē = (β·e + ē_below) / (β + 1); then β ← β·e / ē_below.
            let (stop, go) = inner.ratio.stop_and_go();
            inner.ratio = inner.ratio.times(likelihood / mixture);
            mixture = stop * likelihood + go * mixture;
        }
    }

    fn node_made(
        &mut self,
        made: InnerNode,
        all: &mut [SampleId],
        middle: usize,
        context: ContextOf<'_, E>,
    ) {
        let (left, right) = all.split_at_mut(middle);
        let mut logarithm = 0.0;
        let mut later = SampleId::new(0);
        for (child, ids) in made.children.into_iter().zip([left, right]) {
            logarithm -= self.log_weight(ids, None, context) + self.log_mixture(child);
            later = later.max(ids[0]);
        }
        // The first sample of one child costs it what it costs the node; that of the other, `later`, the share κ of it.
        logarithm += self.log_weight(all, Some(later), context);
        let node = AggregatedNode {
            ratio: Ratio::exp(logarithm),
            summary: self.summary_of(all, context),
        };
        set(&mut self.nodes, made.node.index(), node);
    }

    /// Changes the weight of all prunings below the path from w to w̄.
    fn leaf_cut(&mut self, path: &[Step], node: NodeId, _: ContextOf<'_, E>) {
        let mut gain = self.log_mixture(Subtree::Inner(node));
        for step in path.iter().rev() {
            let ratio = &mut self.nodes[step.node().index()].ratio;
            let logarithm = ratio.ln();
            *ratio = Ratio::exp(logarithm - gain);
            // F ← (β + F) / (β + 1), as logarithms: F may be of any size.
            gain = softplus(gain - logarithm) - softplus(-logarithm);
        }
    }

    #[inline]
    fn prefetch(&self, node: NodeId) {
        // 10⁶ rows are learned in .83 of the time.
        if self.nodes.bytes() > LARGER_THAN_A_CACHE
            && let Some(node) = self.nodes.get(node.index())
        {
            prefetch(node);
        }
    }

    fn predict(&self, path: &Path<'_>, context: ContextOf<'_, E>, accumulator: &mut [f64]) {
        let mut passed = E::Passed::default();
        for step in path.steps {
            E::pass(&mut passed, &self.nodes[step.node().index()]);
        }
        self.arrive(&mut passed, path.leaf, context, accumulator);
    }

    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: ContextOf<'_, E>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len();
        let pass = |passed: &mut _, node: NodeId| E::pass(passed, &self.nodes[node.index()]);
        let ahead = |node| self.prefetch(node);
        walks.fold(E::Passed::default, pass, ahead, |row, passed, leaf| {
            self.arrive(passed, leaf, context, accumulator);
            accumulate(&mut sums[row * width..][..width], accumulator);
        });
    }

    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary) {
        self.expert.add_labels(&self.leaves[leaf.index()], sum);
    }

    fn bytes(&self) -> usize {
        self.leaves.bytes() + self.nodes.bytes() + self.expert.bytes()
    }

    fn room(&self, _: usize, outputs: &<E::Task as Task>::Outputs) -> Option<[usize; 2]> {
        let of_nodes = self.nodes.iter().map(|inner| &inner.summary);
        let summaries = self.leaves.iter().chain(of_nodes);
        let sound = self.nodes.iter().all(|inner| inner.ratio.is_sound());
        let shaped = sound && self.expert.is_shaped(summaries, outputs);
        shaped.then_some([self.leaves.len(), self.nodes.len()])
    }
}

/// Returns ln(1 + eˣ).
fn softplus(x: f64) -> f64 {
    // e^−|x| is at most 1: no x overflows.
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}
