//! The nodes of a tree in flat arrays.

mod children;

use std::fmt::{self, Display, Formatter};

use forest_core::{Arena, InvariantError, SampleId};
use serde::{Deserialize, Serialize, Serializer};

use crate::samples::IdRemap;

use children::Children;

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

    /// Where the node stands in the order of insertion.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node and its sample, so that a walk compares children without visiting them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NodeRef {
    pub(crate) sample: SampleId,
    pub(crate) node: NodeId,
}

/// A node as it is written: everything else follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    sample: SampleId,
    /// The root is its own parent.
    parent: NodeId,
}

/// A rooted tree of samples (empty, or with a root), of at most [`Nodes::LIMIT`] nodes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<Node>")]
pub(crate) struct Nodes {
    records: Arena<Node>,
    children: Children,
}

impl Nodes {
    /// The most nodes whose lists of children 32-bit positions can tell apart.
    pub(crate) const LIMIT: usize = Children::LIMIT;

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes() + self.children.bytes()
    }

    pub(crate) fn root(&self) -> Option<NodeRef> {
        let sample = self.records.first()?.sample;
        let node = NodeId::ROOT;
        Some(NodeRef { sample, node })
    }

    pub(crate) fn sample(&self, node: NodeId) -> SampleId {
        self.records[node.index()].sample
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| self.records[node.index()].parent)
    }

    /// The children of `node`, oldest first, side by side.
    #[inline]
    pub(crate) fn children(&self, node: NodeId) -> &[NodeRef] {
        self.children.of(node)
    }

    pub(crate) fn add_root(&mut self, sample: SampleId) {
        debug_assert!(self.records.is_empty(), "a tree has one root");
        self.push(sample, NodeId::ROOT);
    }

    pub(crate) fn add_child(&mut self, parent: NodeId, sample: SampleId) {
        let node = self.push(sample, parent);
        self.children.push(parent, NodeRef { sample, node });
    }

    fn push(&mut self, sample: SampleId, parent: NodeId) -> NodeId {
        let node = NodeId::new(self.records.len());
        self.records.push(Node { sample, parent });
        self.children.add_node();
        node
    }

    /// The samples of all nodes, in the order of insertion.
    pub(crate) fn samples(&self) -> impl DoubleEndedIterator<Item = SampleId> {
        self.records.iter().map(|node| node.sample)
    }

    /// The nodes in the order of insertion.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.records.len()).map(NodeId::new)
    }

    /// Gives samples their new ids, from the newest node backwards as far as they change.
    pub(crate) fn remap_newest(&mut self, remap: &IdRemap) {
        for node in self.ids().rev() {
            let Node { sample, parent } = self.records[node.index()];
            if sample < remap.first() {
                break;
            }
            let sample = remap.id(sample);
            self.records[node.index()].sample = sample;
            self.children.set_sample(parent, NodeRef { sample, node });
        }
    }

    /// Checks that every node but the root is a child of an earlier one: after decoding.
    pub(crate) fn check(&self) -> Result<(), InvariantError> {
        self.ids().try_for_each(|node| {
            let parent = self.records[node.index()].parent;
            let sound = parent < node || (node, parent) == (NodeId::ROOT, NodeId::ROOT);
            InvariantError::unless(sound, || node, || "is not the child of an earlier node")
        })
    }
}

/// As errors name a node.
impl Display for NodeId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "node {}", self.0)
    }
}

/// Lists of children are made anew; nodes without an earlier parent, or beyond the limit, stay
/// outside of them.
impl From<Vec<Node>> for Nodes {
    fn from(records: Vec<Node>) -> Self {
        let mut nodes = Self::default();
        for Node { sample, parent } in records {
            let node = nodes.push(sample, parent);
            if parent < node && node.index() < Self::LIMIT {
                nodes.children.push(parent, NodeRef { sample, node });
            }
        }
        nodes
    }
}

/// Only samples and parents are written.
impl Serialize for Nodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.records.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with children 1 and 3; 2 is a child of 1.
    fn nodes() -> Nodes {
        let mut nodes = Nodes::default();
        nodes.add_root(SampleId::new(0));
        for (sample, parent) in [(1, 0), (2, 1), (3, 0)] {
            nodes.add_child(NodeId(parent), SampleId::new(sample));
        }
        nodes
    }

    fn children(nodes: &Nodes, node: u32) -> Vec<usize> {
        let children = nodes.children(NodeId(node)).iter();
        children.map(|child| child.sample.index()).collect()
    }

    #[test]
    fn children_are_listed_oldest_first() {
        let nodes = nodes();
        let lists: Vec<_> = (0..4).map(|node| children(&nodes, node)).collect();
        assert_eq!(lists, [vec![1, 3], vec![2], vec![], vec![]]);
        assert_eq!(nodes.parent(NodeId(2)), Some(NodeId(1)));
        assert!(nodes.check().is_ok());
    }

    #[test]
    fn new_ids_reach_the_lists() {
        let mut nodes = nodes();
        let mut remap = IdRemap::default();
        remap.start(1, 4);
        [1, 3]
            .into_iter()
            .for_each(|id| remap.retain(SampleId::new(id)));
        remap.assign_ids();
        nodes.remap_newest(&remap);
        assert_eq!(children(&nodes, 0), [1, 2]);
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let nodes = nodes();
        let bytes = postcard::to_allocvec(&nodes).unwrap();
        let read: Nodes = postcard::from_bytes(&bytes).unwrap();
        for node in nodes.ids() {
            assert_eq!(read.children(node), nodes.children(node));
        }
    }

    #[test]
    fn altered_parents_are_refused_or_make_another_tree() {
        for node in 0..4 {
            for parent in [0, 1, 2, 3, 4, u32::MAX] {
                let mut records = nodes().records.to_vec();
                records[node].parent = NodeId(parent);
                let sound = (parent as usize) < node || (node, parent) == (0, 0);
                assert_eq!(
                    Nodes::from(records).check().is_ok(),
                    sound,
                    "{node}: {parent}"
                );
            }
        }
    }

    #[test]
    fn a_chain_of_a_million_is_cloned_written_read_and_dropped() {
        let mut nodes = Nodes::default();
        nodes.add_root(SampleId::new(0));
        for node in 1..1_000_000 {
            nodes.add_child(NodeId(node - 1), SampleId::new(node as usize));
        }
        let bytes = postcard::to_allocvec(&nodes.clone()).unwrap();
        let read: Nodes = postcard::from_bytes(&bytes).unwrap();
        assert!(read.check().is_ok());
        assert_eq!(children(&read, 999_998), [999_999]);
    }
}
