//! What nodes keep about labels, and how a leaf predicts.

mod class_frequencies;
mod leaf_means;

use std::fmt::Debug;

use forest_core::{Task, Vote};
use serde::{Serialize, de::DeserializeOwned};

use crate::NodeId;

pub use class_frequencies::ClassFrequencies;
pub use leaf_means::LeafMeans;

/// Statistics of labels per node, independent of the cut measure, in flat storage indexed by
/// [`NodeId`] in the order in which nodes are made.
///
/// The engine reports what happens to samples; models that look only at leaves ignore the rest.
pub trait LabelModel: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned {
    /// Classification or regression.
    type Task: Task;

    /// Adds a node without samples.
    fn push(&mut self);

    /// A sample with this target came to rest in `leaf`.
    fn settle(&mut self, leaf: NodeId, target: <Self::Task as Task>::Target);

    /// A sample with this target passed the inner `node` on its way down.
    fn pass(&mut self, node: NodeId, target: <Self::Task as Task>::Target) {
        let _ = (node, target);
    }

    /// The node made last takes the place of `child` and starts with its history.
    fn inherit(&mut self, child: NodeId) {
        let _ = child;
    }

    /// `leaf` was cut; its samples are settled in its children next.
    fn open(&mut self, leaf: NodeId);

    /// Whether all samples of `leaf` have the same target.
    fn agree(&self, leaf: NodeId) -> bool;

    /// Overwrites `ballot` with the vote of `leaf`, which has at least one sample.
    fn vote(&self, leaf: NodeId, vote: Vote, ballot: &mut [f64]);

    /// Bytes of all statistics.
    fn bytes(&self) -> usize;

    /// Whether the storage holds `nodes` nodes.
    fn is_shaped(&self, nodes: usize) -> bool;

    /// Whether the statistics of `leaf` are those of `targets`, up to rounding.
    fn is_summary_of(
        &self,
        leaf: NodeId,
        targets: impl Iterator<Item = <Self::Task as Task>::Target>,
    ) -> bool;
}
