//! What nodes keep about labels, and how a path of nodes predicts: label models for any distribution of cuts.
//!
//! | `labels` | classification | regression |
//! |---|---|---|
//! | `empirical`: the labels of a leaf | [`ClassFrequencies`] | [`LeafMeans`] |
//! | `aggregated`: the mixture over all prunings | [`AggregatedClasses`] | [`AggregatedMeans`] |
//! | `hierarchical`, of axis-aligned cuts: smoothed along the path, where points may branch off | [`KneserNey`] | [`GaussianHierarchy`] |
//!
//! [`forest`] and [`either`] make forests of a distribution of cuts with them.

mod aggregated;
mod class_counts;
mod empirical;
mod hierarchical;

use std::fmt::Debug;

use forest_core::parameters::Values;
use forest_core::registry::Built;
use forest_core::{
    Arena, Classification, Forest, ForestSettings, LabelSummary, Regression, SampleId,
};
use forest_core::{SampleStore, Schema, Task, accumulate};
use serde::{Serialize, de::DeserializeOwned};

use crate::{AGGREGATED, CutDistribution, LABELS, LabelSettings, LeafId, NodeId, Path, Step};
use crate::{Subtree, TessellationSettings, TessellationTree, Walks};

pub use aggregated::{
    Aggregated, AggregatedClasses, AggregatedMeans, AggregatedNode, Expert, Scale, SquaredErrors,
};
pub use class_counts::{ClassCounts, ClassSummary};
pub use empirical::{ClassFrequencies, LeafMeans, Mean};
pub use hierarchical::{
    Belief, Boxes, Departure, GaussianHierarchy, Hyperparameters, KneserNey, Passage,
};

/// Statistics of labels, independent of the distribution of cuts, in flat storage of the model's own.
///
/// The engine reports what happens to nodes and samples; models that look only at leaves ignore what
/// concerns inner nodes. A leaf of one sample has no statistics: its label is in the store. The
/// identifier of a leaf or node that was removed is used again for a later one. Paths come from the root.
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

    /// `leaf` was made and holds `samples`.
    fn leaf_made(&mut self, leaf: LeafId, samples: &[SampleId], context: Context<'_, Self::Task>);

    /// This leaf stopped being a leaf, or this inner node was removed. Models that keep nothing to release keep the default.
    fn removed(&mut self, _place: Subtree) {}

    /// The sample `id` joined the points of the inner nodes of `path`, and what is below it: `end`.
    fn joined(&mut self, path: &[Step], end: Joined, id: SampleId, of: Context<'_, Self::Task>);

    /// An inner node was made of samples of one leaf, above two subtrees that were made before it. `middle` of the samples lie left of
    /// the cut, and come first; the model may change their order.
    fn node_made(
        &mut self,
        _node: InnerNode,
        _samples: &mut [SampleId],
        _middle: usize,
        _of: Context<'_, Self::Task>,
    ) {
    }

    /// The leaf below `path` was cut: in its place is the subtree of `node`, which was made before.
    fn leaf_cut(&mut self, _path: &[Step], _node: NodeId, _of: Context<'_, Self::Task>) {}

    /// The sample `left` left `leaf`, and two or more remain: whether it could be taken out of the statistics. If not, the leaf is made again,
    /// as by default: running sums would keep the rounding errors of targets that left.
    fn leaf_left(&mut self, _leaf: LeafId, _left: SampleId, _of: Context<'_, Self::Task>) -> bool {
        false
    }

    /// The sample `id` left the points of the inner nodes of `path`, which continues to `below`.
    fn path_left(
        &mut self,
        _path: &[Step],
        _below: Subtree,
        _id: SampleId,
        _of: Context<'_, Self::Task>,
    ) {
    }

    /// A sample was learned or forgotten, `held` are held now. A model that follows from all samples may look at the whole tree:
    /// all inner nodes, those below before those above, and the subtree of the root. By default nothing.
    fn survey(
        &mut self,
        _held: usize,
        _nodes: impl FnOnce() -> Vec<InnerNode>,
        _root: Option<Subtree>,
        _of: Context<'_, Self::Task>,
    ) {
    }

    /// A walk will pass this inner node: a model that keeps much there may [ask for its memory](forest_core::prefetch).
    #[inline]
    fn prefetch(&self, _node: NodeId) {}

    /// Returns the width of the accumulator that trees add up, and that of a prediction and of what the model reports behind it, such
    /// as a variance; by default that of a prediction.
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
    fn predict(&self, path: &Path<'_>, context: Context<'_, Self::Task>, accumulator: &mut [f64]);

    /// Adds the tree's predictions for several points to `sums`, which has an accumulator for each; `accumulator` may
    /// be used on the way. By default one [`predict`](LabelModel::predict) after another.
    fn add_votes<D: CutDistribution>(
        &self,
        walks: &Walks<'_, D>,
        context: Context<'_, Self::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len();
        for (x, sum) in walks.rows.iter().zip(sums.chunks_exact_mut(width.max(1))) {
            let predict = |path: &Path<'_>| self.predict(path, context, accumulator);
            walks.structure.with_path(x, predict);
            accumulate(sum, accumulator);
        }
    }

    /// From now on points have `features` numbers, more than before, and those learned so far 0 for the new ones. Models that keep
    /// nothing of points keep the default.
    fn widen(&mut self, _features: usize) {}

    /// Adds the labels of `leaf`, which has a record, by the model's own statistics.
    fn add_labels(&self, leaf: LeafId, sum: &mut LabelSummary);

    /// Returns the bytes of all statistics.
    fn bytes(&self) -> usize;

    /// Returns how many leaves and inner nodes there is room for; `None` if lists overlap or a class is unknown. Numbers may be any:
    /// those of a file that was crafted predict nonsense.
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
    /// In a leaf of its own, below this new inner node, which was cut at this time and has taken the place of this subtree.
    Alone(NodeId, f64, Subtree),
}

/// An inner node, as a label model receives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerNode {
    /// The node.
    pub node: NodeId,
    /// The time of its cut.
    pub time: f64,
    /// The subtrees left and right of the cut.
    pub children: [Subtree; 2],
}

/// Makes a forest with the label model that `labels` chooses of two: a leaf's own labels `L`, or the mixture of all prunings `A`.
///
/// # Errors
/// The setting that breaks its rule.
pub fn either<D: CutDistribution, L: LabelModel, A: LabelModel<Task = L::Task>>(
    v: &mut Values,
    schema: Schema<L::Task>,
    settings: ForestSettings,
) -> Built<L::Task> {
    if v.is(LABELS.name, AGGREGATED) {
        return forest::<D, A>(v, schema, settings);
    }
    forest::<D, L>(v, schema, settings)
}

/// Makes a forest with label model `L`, and with the window that is asked for if that can forget.
///
/// # Errors
/// The setting that breaks its rule.
pub fn forest<D: CutDistribution, L: LabelModel>(
    v: &mut Values,
    schema: Schema<L::Task>,
    settings: ForestSettings,
) -> Built<L::Task> {
    let forest = if L::FORGETS {
        v.window(settings)
    } else {
        settings
    };
    let scale = D::budget_scale(schema.features());
    let settings = TessellationSettings::of(v, schema.features(), scale);
    let built = Forest::<TessellationTree<D, L>>::new(schema, settings, forest)?;
    Ok(Box::new(built))
}

/// Puts an item at an index, at most a few behind the end: nodes are made in any order.
fn set<T: Clone + Default>(items: &mut Arena<T>, index: usize, item: T) {
    if index >= items.len() {
        items.resize(index + 1, T::default());
    }
    items[index] = item;
}
