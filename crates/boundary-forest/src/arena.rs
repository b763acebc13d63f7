//! The nodes of a tree: one flat array, each node's children an intrusive list in it.

mod shape;

pub(crate) use shape::place;

use std::num::NonZeroU32;

use forest_core::SampleId;
use serde::{Deserialize, Serialize};

/// Names a node within its tree; the root is node 0, and children come after their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree that has one.
    pub const ROOT: Self = Self(0);

    /// Where the node stands in the order of insertion.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A link to a child or sibling: never to the root, which is nobody's child.
type Link = Option<NonZeroU32>;

/// A node in 16 bytes: the stored sample, and where its children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    sample: SampleId,
    children: u32,
    newest_child: Link,
    older_sibling: Link,
}

/// A rooted tree of samples (empty, or with a root).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arena {
    nodes: Vec<Node>,
}

impl Arena {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId::ROOT)
    }

    #[inline]
    pub(crate) fn sample(&self, node: NodeId) -> SampleId {
        self.nodes[node.index()].sample
    }

    #[inline]
    pub(crate) fn child_count(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].children
    }

    /// The children of `node`, newest first.
    #[inline]
    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut next = self.nodes[node.index()].newest_child;
        std::iter::from_fn(move || {
            let child = NodeId(next?.get());
            next = self.nodes[child.index()].older_sibling;
            Some(child)
        })
    }

    pub(crate) fn plant_root(&mut self, sample: SampleId) {
        debug_assert!(self.nodes.is_empty(), "a tree has one root");
        self.push(sample, None);
    }

    pub(crate) fn add_child(&mut self, parent: NodeId, sample: SampleId) {
        let link = u32::try_from(self.nodes.len())
            .expect("a tree holds a sample at most once, and samples have 32-bit names");
        let older = self.nodes[parent.index()].newest_child;
        self.push(sample, older);
        let parent = &mut self.nodes[parent.index()];
        parent.newest_child = NonZeroU32::new(link);
        parent.children += 1;
    }

    fn push(&mut self, sample: SampleId, older_sibling: Link) {
        self.nodes.push(Node {
            sample,
            children: 0,
            newest_child: None,
            older_sibling,
        });
    }

    /// The samples of all nodes, in the order of insertion.
    pub(crate) fn samples(&self) -> impl DoubleEndedIterator<Item = SampleId> {
        self.nodes.iter().map(|node| node.sample)
    }

    /// The nodes in the order of insertion.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Renames samples from the newest node backwards, as far as they are `first` or later.
    pub(crate) fn rename_newest(&mut self, first: SampleId, new: impl Fn(SampleId) -> SampleId) {
        let newest = self.nodes.iter_mut().rev();
        for node in newest.take_while(|node| node.sample >= first) {
            node.sample = new(node.sample);
        }
    }
}
