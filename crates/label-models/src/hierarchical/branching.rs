//! How a point may branch off its path.

use std::fmt::Debug;

use forest_core::{SampleId, SampleStore, Task};
use serde::{Serialize, de::DeserializeOwned};
use tessellation_tree::{
    CutDistribution, Joined, LabelSettings, LeafId, NodeId, Path, Step, Subtree,
};

use super::Passage;

/// Computes where a new point would leave its path: the probability that, at a node v with life (t₀, T), a cut
/// separates it from all points of v, 1 − exp(−ΔΛ·(T − t₀)), and when.
///
/// What is reported to it is what [`LabelModel`](tessellation_tree::LabelModel) says of methods with the same names.
pub trait BranchOff:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Parameters.
    type Settings: LabelSettings;

    /// Notes the path, and where the point may leave it.
    fn pass<D: CutDistribution, T: Task>(
        &self,
        path: Path<'_, D>,
        settings: &Self::Settings,
        samples: &SampleStore<T>,
        passage: &mut Passage,
    );

    /// `leaf` was made and holds `ids`.
    fn leaf_made<T: Task>(
        &mut self,
        leaf: LeafId,
        ids: impl Iterator<Item = SampleId>,
        samples: &SampleStore<T>,
    ) {
        let _ = (leaf, ids, samples);
    }

    /// A sample joined the path and what is at its end.
    fn joined<T: Task>(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        end: Joined,
        id: SampleId,
        samples: &SampleStore<T>,
    ) {
        let _ = (path, end, id, samples);
    }

    /// An inner node was made above two subtrees.
    fn node_made<T: Task>(
        &mut self,
        node: NodeId,
        children: [Subtree; 2],
        samples: &SampleStore<T>,
    ) {
        let _ = (node, children, samples);
    }

    /// A sample left the inner nodes of the path, which continues to `below`.
    fn path_left<T: Task>(
        &mut self,
        path: impl DoubleEndedIterator<Item = Step>,
        below: Subtree,
        samples: &SampleStore<T>,
    ) {
        let _ = (path, below, samples);
    }

    /// From now on points have `features` numbers, more than before, and those learned so far 0 for the new ones.
    fn widen(&mut self, features: usize) {
        let _ = features;
    }

    /// Returns the bytes of what is kept.
    fn bytes(&self) -> usize {
        0
    }

    /// Returns whether what is kept belongs to a tree with these leaves and nodes.
    fn is_shaped(
        &self,
        leaves: impl Iterator<Item = LeafId>,
        nodes: impl Iterator<Item = NodeId>,
    ) -> bool {
        let _ = (leaves, nodes);
        true
    }

    /// Returns whether what is kept of a leaf or node is that of these samples.
    fn is_summary_of<T: Task>(
        &self,
        subtree: Subtree,
        ids: impl Iterator<Item = SampleId>,
        samples: &SampleStore<T>,
    ) -> bool {
        let _ = (subtree, ids, samples);
        true
    }
}
