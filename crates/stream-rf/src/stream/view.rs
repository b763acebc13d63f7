//! Read-only inspection of a tree.

use super::StreamTree;
use super::leaf::{Leaf, LeafState};
use crate::features::FeatureSpace;
use crate::labels::Labels;
use crate::nodes::Node;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeView<F> {
    /// A point goes right if its feature exceeds the threshold.
    Split {
        /// The feature that is compared with the threshold.
        feature: F,
        /// The largest value that goes left.
        threshold: f32,
        /// The child for values up to the threshold: its index among the nodes.
        left: usize,
        /// The child for values beyond it.
        right: usize,
    },
    /// A cell of the partition.
    Leaf {
        /// Splits above it.
        depth: u32,
        /// Nᵉ: estimation points it predicts with.
        estimation_points: u64,
        /// Bytes of the statistics about its candidate splits; none while it is inactive.
        active_bytes: Option<usize>,
    },
}

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// Returns the number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has its root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes in the order they were made, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeView<S::Feature>> {
        (0..self.len()).map(|index| self.node(index))
    }

    /// Returns a node, by its index in [`nodes`](Self::nodes).
    ///
    /// # Panics
    /// If the tree has no such node.
    pub fn node(&self, index: usize) -> NodeView<S::Feature> {
        match self.nodes.get(index) {
            Node::Leaf(leaf) => self.leaf_view(&self.leaves[leaf.index()]),
            Node::Split {
                feature,
                threshold,
                left,
            } => NodeView::Split {
                feature,
                threshold,
                left: left as usize,
                right: left as usize + 1,
            },
        }
    }

    fn leaf_view(&self, leaf: &Leaf) -> NodeView<S::Feature> {
        let active = match leaf.state {
            LeafState::Active(place) => Some(&self.fringe[place as usize]),
            LeafState::Waiting(_) => None,
        };
        NodeView::Leaf {
            depth: leaf.depth,
            estimation_points: leaf.estimation_points,
            active_bytes: active.map(|active| size_of_val(active) + active.bytes()),
        }
    }

    /// Returns the node of the leaf whose cell holds `point`.
    pub fn leaf_of(&self, space: &S, point: &[f32]) -> usize {
        self.nodes.find(space, point).0
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Classification;

    use super::*;
    use crate::faults::grown;
    use crate::features::Axes;
    use crate::settings::StreamSettings;
    use crate::stream::active::ActiveLeaf;

    #[test]
    fn active_leaves_take_the_bytes_of_the_fringe() {
        type Tree = StreamTree<Classification>;
        let forest = grown::<Tree>(StreamSettings::default(), 300);
        let tree = forest.trees().next().unwrap();
        let of_leaf = |view| match view {
            NodeView::Leaf { active_bytes, .. } => active_bytes,
            NodeView::Split { .. } => None,
        };
        let places = tree.fringe.len() * size_of::<ActiveLeaf<Classification, Axes>>();
        let statistics: usize = tree.fringe.iter().map(|active| active.bytes()).sum();
        let active: usize = tree.nodes().filter_map(of_leaf).sum();
        assert_eq!(active, places + statistics);
    }
}
