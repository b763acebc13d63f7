//! The tree, for whoever wants to look.

use super::{Leaf, LeafState, StreamTree};
use crate::FeatureSpace;
use crate::active::Active;
use crate::labels::Labels;
use crate::nodes::{Node, NodeId};

/// A node as seen from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeView<F> {
    /// A point goes right if its feature exceeds the threshold.
    Split {
        /// What is asked of a point.
        feature: F,
        /// The largest value that goes left.
        threshold: f32,
        /// The child for values up to the threshold.
        left: NodeId,
        /// The child for values beyond it.
        right: NodeId,
    },
    /// A cell of the partition.
    Leaf {
        /// Splits above it.
        depth: u32,
        /// Nᵉ: estimation points it answers with.
        estimation_points: u64,
        /// Bytes of the statistics about its candidate splits; none while it is inactive.
        active_bytes: Option<usize>,
    },
}

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// Number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has its root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A node of this tree.
    ///
    /// # Panics
    /// If the node is not of this tree.
    pub fn node(&self, node: NodeId) -> NodeView<S::Feature> {
        match self.nodes.get(node) {
            Node::Leaf(leaf) => self.leaf_view(&self.leaves[leaf.index()]),
            Node::Split {
                feature,
                threshold,
                left,
            } => NodeView::Split {
                feature,
                threshold,
                left,
                right: left.sibling(),
            },
        }
    }

    fn leaf_view(&self, leaf: &Leaf) -> NodeView<S::Feature> {
        let active_bytes = match leaf.state {
            LeafState::Active(place) => {
                Some(size_of::<Active<T, S::Feature>>() + self.fringe[place as usize].bytes())
            }
            LeafState::Waiting => None,
        };
        NodeView::Leaf {
            depth: leaf.depth,
            estimation_points: leaf.estimation_points,
            active_bytes,
        }
    }

    /// All nodes in the order they were made, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeView<S::Feature>> {
        (0..self.nodes.len()).map(|index| self.node(NodeId::new(index)))
    }

    /// The leaf whose cell holds `point`.
    pub fn leaf_of(&self, space: &S, point: &[f32]) -> NodeId {
        self.nodes.find(space, point).0
    }
}
