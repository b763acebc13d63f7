//! Working memory of a tree, kept from one sample to the next so that none is allocated.

use crate::Side;
use crate::change::remove::Collapse;
use crate::structure::node::{NodeId, Subtree, Turn};

/// Working memory: no step of an update reads in it what another has left. It is not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// For the next descent.
    pub(crate) turns: Vec<Turn>,
    /// For the next node that becomes a leaf.
    pub(crate) collapse: Collapse,
    /// The point of a leaf's box that is nearest to the sample at hand.
    pub(crate) nearest: Vec<f32>,
    /// Sides of nodes that a search has still to look into.
    pub(crate) search: Vec<(NodeId, Side)>,
    /// Subtrees that a walk over all nodes has still to visit.
    pub(crate) subtrees: Vec<Subtree>,
}

impl Memory {
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.turns)
            + self.collapse.bytes()
            + bytes_of(&self.nearest)
            + bytes_of(&self.search)
            + bytes_of(&self.subtrees)
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Returns the bytes of a list.
pub(crate) fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
