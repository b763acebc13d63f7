//! What nodes keep about labels, and how a path of nodes predicts: label models for any distribution of cuts.
//!
//! | `labels` | classification | regression |
//! |---|---|---|
//! | `empirical`: the labels of a leaf | [`ClassFrequencies`] | [`LeafMeans`] |
//! | `aggregated`: the mixture over all prunings | [`Aggregated`] of [`ClassCounts`] | [`Aggregated`] of [`SquaredErrors`] |
//! | `hierarchical`, of axis-aligned cuts: smoothed along the path, where points may branch off | [`KneserNey`] | [`GaussianHierarchy`] |

mod aggregated;
mod class_counts;
mod empirical;
mod hierarchical;

use std::fmt::Debug;

use forest_core::{
    Arena, Classification, LabelSummary, Regression, SampleId, SampleStore, Task, accumulate,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    CutDistribution, InnerNode, LabelSettings, LeafId, NodeId, Path, Step, Subtree, Walks,
};

pub use aggregated::{Aggregated, AggregatedNode, Expert, Scale, SquaredErrors};
pub use class_counts::{ClassCounts, ClassSummary};
pub use empirical::{ClassFrequencies, LeafMeans, Mean};
pub use hierarchical::{
    Belief, Boxes, Departure, GaussianHierarchy, Hyperparameters, KneserNey, Passage,
};

type ContextOf<'a, L> = Context<'a, <L as LabelModel>::Task>;

/// Statistics of labels, independent of the distribution of cuts, in flat storage of the model's own.
///
/// The engine reports what happens to nodes and samples. A leaf of one sample has no statistics: its label is in the
/// store. The identifier of a leaf or node that was removed is used again. Paths come from the root.
pub trait LabelModel:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Classification or regression.
    type Task: Task;

    /// Whether the model takes each sample as often as its weight says; by default it does not.
    const TAKES_WEIGHTS: bool = false;

    /// Whether the model can forget a sample; by default it can.
    const FORGETS: bool = true;

    /// Whether the model needs [axis-aligned](CutDistribution::AXIS_ALIGNED) cuts; by default it does not.
    const AXIS_ALIGNED: bool = false;

    /// Creates the statistics of `leaf`, which was made and holds `samples`.
    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: ContextOf<'_, Self>);

    /// Releases the statistics of a leaf that was cut, or of a leaf or inner node that was removed; by default nothing.
    fn removed(&mut self, _place: Subtree) {}

    /// Updates the statistics after the sample `id` has joined the inner nodes of `path` and what is below: `end`.
    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, context: ContextOf<'_, Self>);

    /// Creates the statistics of an inner node of samples of one leaf, above two subtrees that were made before it. The
    /// first `middle` of the samples lie left of the cut; the model may change their order.
    fn node_made(
        &mut self,
        _node: InnerNode,
        _samples: &mut [SampleId],
        _middle: usize,
        _context: ContextOf<'_, Self>,
    ) {
    }

    /// Updates the statistics of `path` after the leaf below it was cut: `node` is in its place.
    fn leaf_cut(&mut self, _path: &[Step], _node: NodeId, _context: ContextOf<'_, Self>) {}

    /// Takes the sample `left` out of the statistics of `leaf`, in which two or more remain; returns whether it could.
    /// By default the leaf is made again: running sums would keep the rounding errors of targets that left.
    fn leaf_left(&mut self, _leaf: LeafId, _left: SampleId, _context: ContextOf<'_, Self>) -> bool {
        false
    }

    /// Updates the statistics after the sample `id` has left the inner nodes of `path`, which continues to `below`.
    fn path_left(
        &mut self,
        _path: &[Step],
        _below: Subtree,
        _id: SampleId,
        _context: ContextOf<'_, Self>,
    ) {
    }

    /// Ends a change by which a sample was learned or forgotten; `held` are held now. A model may look at the whole
    /// tree: all inner nodes, those below before those above, and the subtree of the root. By default nothing.
    fn survey(
        &mut self,
        _held: usize,
        _nodes: impl FnOnce() -> Vec<InnerNode>,
        _root: Option<Subtree>,
        _context: ContextOf<'_, Self>,
    ) {
    }

    /// [Asks for the memory](forest_core::prefetch) of an inner node that a walk will pass.
    #[inline]
    fn prefetch(&self, _node: NodeId) {}

    /// Returns the width of an accumulator, and that of a full prediction: the prediction and what the model reports
    /// behind it, such as a variance; by default both are that of a prediction.
    fn widths(outputs: &<Self::Task as Task>::Outputs) -> [usize; 2] {
        [Self::Task::width(outputs); 2]
    }

    /// Turns the sum of the accumulators of `trees` trees into a prediction, by default their mean. `prediction`
    /// is as wide as the second of [`LabelModel::widths`], or as a target if only that is asked for.
    fn finish(sum: &[f64], trees: usize, prediction: &mut [f64]) {
        for (cell, sum) in prediction.iter_mut().zip(sum) {
            *cell = sum / trees as f64;
        }
    }

    /// Overwrites `accumulator` with the tree's prediction for the point of `path`.
    fn predict(&self, path: &Path<'_>, context: ContextOf<'_, Self>, accumulator: &mut [f64]);

    /// Adds the tree's predictions for several points to `sums`, which has an accumulator for each; `accumulator` is
    /// working memory. By default one [`predict`](LabelModel::predict) after another.
    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: ContextOf<'_, Self>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len().max(1);
        for (x, sum) in walks.rows.iter().zip(sums.chunks_exact_mut(width)) {
            let predict = |path: &Path<'_>| self.predict(path, context, accumulator);
            walks.structure.with_path(x, predict);
            accumulate(sum, accumulator);
        }
    }

    /// Continues with points of `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&mut self, _features: usize) {}

    /// Adds the labels of `leaf`, which has a record, to `sum`, by the model's own statistics.
    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary);

    /// Returns the bytes of all statistics.
    fn bytes(&self) -> usize;

    /// Returns how many leaves and inner nodes there is room for; `None` if lists overlap or a class is unknown.
    /// Numbers may be any: those of a file that was crafted predict nonsense.
    fn room(&self, features: usize, outputs: &<Self::Task as Task>::Outputs) -> Option<[usize; 2]>;
}

/// What a label model works with.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, T: Task> {
    /// The model's parameters.
    pub settings: &'a LabelSettings,
    /// The forest's samples, whose targets the model reads.
    pub samples: &'a SampleStore<T>,
}

pub(crate) type Classes<'a> = Context<'a, Classification>;
pub(crate) type Numbers<'a> = Context<'a, Regression>;

/// Where a new sample ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joined {
    /// In this leaf, whose statistics do not have it yet.
    Leaf(LeafId),
    /// In a leaf of its own, below a new inner node that has taken the place of another subtree.
    Alone {
        /// The new inner node.
        node: NodeId,
        /// The time of its cut.
        time: f64,
        /// The subtree whose place it has taken: now its other child.
        sibling: Subtree,
    },
}

/// Puts an item at an index, at most a few behind the end: nodes are made in any order.
fn set<T: Clone + Default>(items: &mut Arena<T>, index: usize, item: T) {
    if index >= items.len() {
        items.resize(index + 1, T::default());
    }
    items[index] = item;
}
