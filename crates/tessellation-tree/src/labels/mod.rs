//! What nodes keep about labels, and how a path of nodes predicts.

mod class_frequencies;
mod leaf_means;

use std::fmt::Debug;

use forest_core::{HoldsSamples, SampleId, SampleStore, SettingError, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::{CutDistribution, LeafId, NodeId, Path, Subtree};

pub use class_frequencies::ClassFrequencies;
pub use leaf_means::LeafMeans;

/// Statistics of labels, independent of the distribution of cuts, in flat storage of the model's own.
///
/// The engine reports what happens to nodes and samples; models that look only at leaves ignore what
/// concerns inner nodes. A leaf of one sample has no statistics: its label is in the store. The
/// identifier of a leaf or node that was removed is used again for a later one.
pub trait LabelModel:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Classification or regression.
    type Task: Task;

    /// Parameters of the model.
    type Settings: LabelSettings;

    /// Whether the model can forget a sample; trees hold theirs in any case.
    type Forgets: HoldsSamples;

    /// `leaf` was made and holds `samples`.
    fn leaf_made(
        &mut self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        store: &SampleStore<Self::Task>,
    );

    /// The sample `id` joined `leaf`.
    fn leaf_joined(&mut self, leaf: LeafId, id: SampleId, store: &SampleStore<Self::Task>);

    /// `leaf` is no leaf any more.
    fn leaf_removed(&mut self, leaf: LeafId);

    /// `node` was made of `samples`, which are those of the subtrees that will be below it.
    fn node_made(&mut self, node: NodeId, samples: &[SampleId], store: &SampleStore<Self::Task>) {
        let _ = (node, samples, store);
    }

    /// `node` was made and put above `child`, whose points it has; one more joins it next.
    fn node_put_above(&mut self, node: NodeId, child: Subtree, store: &SampleStore<Self::Task>) {
        let _ = (node, child, store);
    }

    /// The sample `id` joined the points of the inner `node`.
    fn node_joined(&mut self, node: NodeId, id: SampleId, store: &SampleStore<Self::Task>) {
        let _ = (node, id, store);
    }

    /// `node` was removed.
    fn node_removed(&mut self, node: NodeId) {
        let _ = node;
    }

    /// The sample `left` left `leaf`; `samples` are those that remain, two or more.
    fn leaf_left(
        &mut self,
        leaf: LeafId,
        left: SampleId,
        samples: impl Iterator<Item = SampleId>,
        store: &SampleStore<Self::Task>,
        proof: Self::Forgets,
    );

    /// The sample `id` left the points of the inner `node`, which stays.
    fn node_left(
        &mut self,
        node: NodeId,
        id: SampleId,
        store: &SampleStore<Self::Task>,
        proof: Self::Forgets,
    ) {
        let _ = (node, id, store, proof);
    }

    /// Width of the accumulator that trees add up; by default that of a prediction.
    fn width(outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Width of an answer: a prediction, and behind it what else the model tells, such as a variance; by
    /// default a prediction alone.
    fn answer_width(outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Turns the sum of the accumulators of `trees` trees into an answer, by default their mean. `answer`
    /// is as wide as [`LabelModel::answer_width`] says, or as a prediction if only that is asked for.
    fn finish(sum: &[f64], trees: usize, answer: &mut [f64]) {
        for (cell, sum) in answer.iter_mut().zip(sum) {
            *cell = sum / trees as f64;
        }
    }

    /// Overwrites `accumulator` with the tree's answer for the point of `path`.
    fn predict<D: CutDistribution>(
        &self,
        path: Path<'_, D>,
        settings: &Self::Settings,
        store: &SampleStore<Self::Task>,
        accumulator: &mut [f64],
    );

    /// Bytes of all statistics.
    fn bytes(&self) -> usize;

    /// Whether the storage belongs to a tree with these leaves and inner nodes.
    fn is_shaped(
        &self,
        leaves: impl Iterator<Item = LeafId>,
        nodes: impl Iterator<Item = NodeId>,
    ) -> bool;

    /// Whether the statistics of `leaf` are those of `samples`, up to rounding.
    fn is_summary_of(
        &self,
        leaf: LeafId,
        samples: impl Iterator<Item = SampleId>,
        store: &SampleStore<Self::Task>,
    ) -> bool;
}

/// Parameters of a label model: plain data with a rule each.
pub trait LabelSettings:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Checks every rule.
    ///
    /// # Errors
    /// The first parameter that breaks its rule.
    fn check(&self) -> Result<(), SettingError> {
        Ok(())
    }
}

/// A label model without parameters.
impl LabelSettings for () {}

impl LabelSettings for forest_core::Vote {}
