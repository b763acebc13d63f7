//! The boundary tree in flat arrays; the children of a node lie side by side, so that a walk reads
//! them in a row.

use std::fmt::{self, Display, Formatter};

use forest_core::{Arena, IdRemap, InvariantError, RetentionMask, SampleId};
use serde::{Deserialize, Serialize, Serializer};

use crate::lists::{List, Lists};

/// Identifies a node within its tree; the root is node 0, and children come after their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree that has one.
    pub const ROOT: Self = Self(0);

    fn new(index: usize) -> Self {
        let id = u32::try_from(index);
        Self(id.expect("a tree holds a sample at most once, and there are at most 2³⁰ samples"))
    }

    /// Returns where the node stands in the order of insertion.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Display for NodeId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.0)
    }
}

/// A node and its sample, so that a walk compares children without visiting them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeRef {
    pub(crate) sample: SampleId,
    pub(crate) node: NodeId,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    sample: SampleId,
    /// The root is its own parent.
    parent: NodeId,
    children: List,
}

/// A tree of samples, each of which corrected the prediction of its parent when it was learned.
///
/// It has no nodes until it has learned its first sample, the root.
// Saved as the sample and the parent of each node. When read, nodes without an earlier parent, or
// beyond the limit, become nobody's children, and are refused by `check`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<(SampleId, NodeId)>")]
pub struct BoundaryTree {
    nodes: Arena<Node>,
    children: Lists<NodeRef>,
}

impl BoundaryTree {
    /// The most nodes: `c` children take less than `4·c` places ([`Lists`]), of which 32 bits count 2³².
    pub(crate) const LIMIT: usize = 1 << 30;

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.children.bytes()
    }

    pub(crate) fn root(&self) -> Option<NodeRef> {
        let sample = self.nodes.first()?.sample;
        let node = NodeId::ROOT;
        Some(NodeRef { sample, node })
    }

    /// Returns the children of `node` and their samples, oldest first.
    #[inline]
    pub(crate) fn child_refs(&self, node: NodeId) -> &[NodeRef] {
        self.children.get(self.nodes[node.index()].children)
    }

    pub(crate) fn add_root(&mut self, sample: SampleId) {
        debug_assert!(self.nodes.is_empty(), "a tree has one root");
        self.push(sample, NodeId::ROOT);
    }

    pub(crate) fn add_child(&mut self, parent: NodeId, sample: SampleId) {
        let node = self.push(sample, parent);
        let list = &mut self.nodes[parent.index()].children;
        self.children.push(list, NodeRef { sample, node });
    }

    fn push(&mut self, sample: SampleId, parent: NodeId) -> NodeId {
        let node = NodeId::new(self.nodes.len());
        self.nodes.push(Node {
            sample,
            parent,
            children: List::default(),
        });
        node
    }

    /// Keeps the samples of all nodes; those that hold new ones were added last.
    pub(crate) fn keep(&self, kept: &mut RetentionMask) {
        let newest_first = self.nodes.iter().rev().map(|node| node.sample);
        let first = kept.first();
        let new = newest_first.take_while(|id| *id >= first);
        new.for_each(|id| kept.keep(id));
    }

    /// Gives samples their new ids, from the newest node backwards as far as they change.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        for id in self.nodes().rev() {
            let node = &mut self.nodes[id.index()];
            if node.sample < names.first() {
                break;
            }
            node.sample = names.apply(node.sample);
            let (sample, parent) = (node.sample, node.parent);
            let siblings = self.children.get_mut(self.nodes[parent.index()].children);
            // From the end: nodes are visited from the newest, which is the last of its siblings.
            if let Some(sibling) = siblings.iter_mut().rfind(|sibling| sibling.node == id) {
                sibling.sample = sample;
            }
        }
    }

    /// Checks that every node but the root is a child of an earlier one, and holds one of the `stored` samples: after decoding.
    pub(crate) fn check(&self, stored: usize) -> Result<(), InvariantError> {
        self.nodes().try_for_each(|id| {
            let node = &self.nodes[id.index()];
            let linked = node.parent < id || (id, node.parent) == (NodeId::ROOT, NodeId::ROOT);
            let sound = linked && node.sample.index() < stored;
            let what = "is not the child of an earlier node, or its sample is not stored";
            InvariantError::require(sound, id, what)
        })
    }
}

/// Read-only inspection.
impl BoundaryTree {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the tree has no root yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nodes in the order in which they were added, the root first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.len()).map(NodeId::new)
    }

    /// Returns the sample of a node of this tree.
    pub fn sample(&self, node: NodeId) -> SampleId {
        self.nodes[node.index()].sample
    }

    /// Returns the parent of a node of this tree, `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| self.nodes[node.index()].parent)
    }

    /// Returns the children of a node of this tree, oldest first.
    pub fn children(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> {
        self.child_refs(node).iter().map(|child| child.node)
    }
}

impl From<Vec<(SampleId, NodeId)>> for BoundaryTree {
    fn from(saved: Vec<(SampleId, NodeId)>) -> Self {
        let mut nodes = Self::default();
        for (sample, parent) in saved {
            if parent.index() < nodes.len() && nodes.len() < Self::LIMIT {
                nodes.add_child(parent, sample);
            } else {
                nodes.push(sample, parent);
            }
        }
        nodes
    }
}

impl Serialize for BoundaryTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.nodes.iter().map(|node| (node.sample, node.parent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a root with children 1 and 3; 2 is a child of 1.
    fn tree() -> BoundaryTree {
        let mut tree = BoundaryTree::default();
        tree.add_root(SampleId::new(0));
        for (sample, parent) in [(1, 0), (2, 1), (3, 0)] {
            tree.add_child(NodeId(parent), SampleId::new(sample));
        }
        tree
    }

    fn children(tree: &BoundaryTree, node: u32) -> Vec<usize> {
        let children = tree.child_refs(NodeId(node)).iter();
        children.map(|child| child.sample.index()).collect()
    }

    #[test]
    fn children_are_listed_oldest_first() {
        let tree = tree();
        let lists: Vec<_> = (0..4).map(|node| children(&tree, node)).collect();
        assert_eq!(lists, [vec![1, 3], vec![2], vec![], vec![]]);
        assert_eq!(tree.parent(NodeId(2)), Some(NodeId(1)));
        assert!(tree.check(4).is_ok());
    }

    #[test]
    fn new_ids_reach_the_lists() {
        let mut tree = BoundaryTree::default();
        tree.add_root(SampleId::new(0));
        let mut kept = RetentionMask::empty(1, 3);
        for sample in [1, 3].map(SampleId::new) {
            tree.add_child(NodeId::ROOT, sample);
            kept.keep(sample);
        }
        tree.remap(&kept.remap());
        assert_eq!(children(&tree, 0), [1, 2]);
        assert_eq!(tree.sample(NodeId(2)), SampleId::new(2));
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let tree = tree();
        let bytes = forest_core::registry::snapshot::encode_value(&tree).unwrap();
        let read: BoundaryTree = forest_core::registry::snapshot::decode_value(&bytes).unwrap();
        for node in tree.nodes() {
            assert_eq!(read.child_refs(node), tree.child_refs(node));
        }
    }

    #[test]
    fn altered_parents_are_refused_or_make_another_tree() {
        for node in 0..4 {
            for parent in [0, 1, 2, 3, 4, u32::MAX] {
                let parents = [0, 0, 1, 0].map(NodeId).into_iter();
                let mut saved: Vec<_> = (0..4).map(SampleId::new).zip(parents).collect();
                saved[node].1 = NodeId(parent);
                let sound = (parent as usize) < node || (node, parent) == (0, 0);
                assert_eq!(
                    BoundaryTree::from(saved).check(4).is_ok(),
                    sound,
                    "{node}: {parent}"
                );
            }
        }
    }

    #[test]
    fn a_chain_of_a_million_is_cloned_written_read_and_dropped() {
        let mut tree = BoundaryTree::default();
        tree.add_root(SampleId::new(0));
        for node in 1..1_000_000 {
            tree.add_child(NodeId(node - 1), SampleId::new(node as usize));
        }
        let bytes = forest_core::registry::snapshot::encode_value(&tree.clone()).unwrap();
        let read: BoundaryTree = forest_core::registry::snapshot::decode_value(&bytes).unwrap();
        assert!(read.check(1_000_000).is_ok());
        assert_eq!(children(&read, 999_998), [999_999]);
    }
}
