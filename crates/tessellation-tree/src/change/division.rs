//! What becomes of a leaf that is cut when it is exposed.

use std::ops::Range;

use forest_core::SampleId;

use crate::MadeNode;
use crate::change::work::bytes_of;
use crate::structure::node::{Child, LeafId, Node, NodeId, Parent};
use crate::structure::pool::Pool;

/// The nodes and leaves that have taken the place of a leaf. A leaf of one sample needs no record and is not listed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Division {
    /// The samples of the leaf: those of each node and of each leaf lie side by side.
    pub(crate) ids: Vec<SampleId>,
    /// Nodes that have still to be made.
    pub(crate) parts: Vec<Part>,
    /// Nodes that were made, those above before those below.
    pub(crate) nodes: Vec<PartNode>,
    /// Leaves that were made.
    pub(crate) leaves: Vec<PartLeaf>,
    /// Corners of the box of the points at hand.
    pub(crate) lower: Vec<f32>,
    pub(crate) upper: Vec<f32>,
}

/// Points of a node to be, born at `birth`: a stretch of [`Division::ids`].
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) parent: Parent,
    pub(crate) range: Range<usize>,
    pub(crate) birth: f64,
}

/// An inner node that was made of a stretch of [`Division::ids`]; `middle` of them lie left of the cut.
#[derive(Clone, Debug)]
pub(crate) struct PartNode {
    node: NodeId,
    range: Range<usize>,
    middle: usize,
}

/// A leaf that was made of a stretch of [`Division::ids`].
#[derive(Clone, Debug)]
pub(crate) struct PartLeaf {
    leaf: LeafId,
    range: Range<usize>,
}

impl Division {
    /// Of a leaf with these samples; nothing is made yet.
    pub(crate) fn start(&mut self, ids: impl Iterator<Item = SampleId>) {
        self.ids.clear();
        self.ids.extend(ids);
        self.nodes.clear();
        self.leaves.clear();
    }

    #[inline]
    pub(crate) fn node_made(&mut self, node: NodeId, range: Range<usize>, middle: usize) {
        self.nodes.push(PartNode {
            node,
            range,
            middle,
        });
    }

    #[inline]
    pub(crate) fn leaf_made(&mut self, leaf: LeafId, range: Range<usize>) {
        self.leaves.push(PartLeaf { leaf, range });
    }

    /// Returns the node of all samples.
    #[inline]
    pub(crate) fn top(&self) -> NodeId {
        self.nodes[0].node
    }

    /// Returns the leaves, each with its samples, in the order in which they were made.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = (LeafId, &[SampleId])> {
        let leaves = self.leaves.iter();
        leaves.map(|part| (part.leaf, &self.ids[part.range.clone()]))
    }

    /// Visits the inner nodes, those below before those above.
    pub(crate) fn for_each_node<C>(
        &mut self,
        nodes: &Pool<NodeId, Node<C>>,
        mut visit: impl FnMut(MadeNode<'_>),
    ) {
        for part in self.nodes.iter().rev() {
            let node = &nodes[part.node];
            visit(MadeNode {
                node: part.node,
                time: node.time,
                children: node.children.map(Child::get),
                samples: &mut self.ids[part.range.clone()],
                middle: part.middle,
            });
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.ids)
            + bytes_of(&self.parts)
            + bytes_of(&self.nodes)
            + bytes_of(&self.leaves)
            + bytes_of(&self.lower)
            + bytes_of(&self.upper)
    }
}
