//! What a walk reads of a tree.

use forest_core::{SampleId, SampleLists, prefetch};

use crate::CutDistribution;
use crate::structure::node::{Child, Leaf, LeafId, Node, NodeId, Subtree, Turn};
use crate::structure::pool::{Items, Pool};

/// A tree's [`Structure`](crate::structure::Structure), borrowed for reading.
#[derive(Debug)]
pub(crate) struct View<'a, D: CutDistribution> {
    pub(crate) cuts: &'a D,
    pub(crate) nodes: Items<'a, NodeId, Node<D::Cut>>,
    pub(crate) leaves: &'a Pool<LeafId, Leaf>,
    pub(crate) links: &'a SampleLists,
}

impl<D: CutDistribution> View<'_, D> {
    /// Returns the child of `node` on the side of `x`.
    #[inline]
    pub(crate) fn next(&self, node: NodeId, x: &[f32]) -> Child {
        let node = self.nodes.get(node);
        node.children[self.cuts.side(&node.cut, x) as usize]
    }

    /// Passes the root of the subtree `below` if it is an inner node, and continues to the child on the side of `x`.
    #[inline]
    pub(crate) fn pass(&self, below: &mut Child, x: &[f32]) -> Option<Turn> {
        let Subtree::Inner(id) = below.get() else {
            return None;
        };
        let node = self.nodes.get(id);
        let side = self.cuts.side(&node.cut, x);
        *below = node.children[side as usize];
        Some(Turn {
            node: id,
            time: node.time,
            side,
        })
    }

    /// Goes down from `below` to the leaf, and notes the turns.
    #[inline]
    pub(crate) fn note(&self, mut below: Child, x: &[f32], turns: &mut Vec<Turn>) -> Subtree {
        while let Some(turn) = self.pass(&mut below, x) {
            turns.push(turn);
        }
        below.get()
    }

    /// Asks for the memory of an inner node that a walk comes to next.
    #[inline]
    pub(crate) fn prefetch(&self, below: Child) {
        // A sample is not read by walks, and the record of a leaf only at the end of one.
        if let Subtree::Inner(node) = below.get() {
            prefetch(self.nodes.get(node));
        }
    }

    /// Returns a point of a leaf.
    pub(crate) fn witness(&self, leaf: Subtree) -> SampleId {
        match leaf {
            Subtree::Sample(id) => id,
            Subtree::Leaf(leaf) => self.leaves[leaf].center,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }
}

// Written out: a derived `Copy` would ask for a distribution that is `Copy`.
impl<D: CutDistribution> Clone for View<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: CutDistribution> Copy for View<'_, D> {}
