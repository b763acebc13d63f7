//! Inner nodes, leaves, and what refers to them in 32 bits.

use forest_core::SampleId;
use serde::{Deserialize, Serialize};

use crate::Side;
use crate::structure::pool::Index;

/// Identifies an inner node of one tree. The identifier of a removed node is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(u32);

/// Identifies a leaf that has a record: one of several samples, or any leaf of a
/// [full](crate::TessellationTree::is_full) tree. That of a removed leaf is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeafId(u32);

impl NodeId {
    /// Returns the place of its data in flat arrays; below the number of inner nodes that the tree has had at once.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index for NodeId {
    fn new(index: u32) -> Self {
        Self(index)
    }

    #[inline]
    fn index(self) -> usize {
        self.index()
    }
}

impl LeafId {
    /// Identifies the leaf whose data stand first.
    pub const FIRST: Self = Self(0);

    /// Returns the place of its data in flat arrays; below the number of such leaves that the tree has had at once.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index for LeafId {
    fn new(index: u32) -> Self {
        Self(index)
    }

    #[inline]
    fn index(self) -> usize {
        self.index()
    }
}

/// The root of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subtree {
    /// An inner node.
    Inner(NodeId),
    /// A leaf that has a record.
    Leaf(LeafId),
    /// A leaf of one sample: it has no data of its own.
    Sample(SampleId),
}

impl Subtree {
    /// Returns the leaf, if it has a record.
    #[inline]
    pub(crate) fn record(self) -> Option<LeafId> {
        match self {
            Self::Leaf(leaf) => Some(leaf),
            Self::Inner(_) | Self::Sample(_) => None,
        }
    }
}

/// A [`Subtree`] in 32 bits: a mark in the upper bits, the index below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Child(u32);

impl Child {
    /// Mark of a sample; what remains are 31 bits (`SampleStore::LIMIT`).
    const SAMPLE: u32 = 1 << 31;

    /// Mark of a leaf. Inner nodes and leaves are fewer than samples, and each takes at least
    /// 24 bytes, so that a tree of 2³⁰ of them does not fit a machine's memory.
    const LEAF: u32 = 1 << 30;

    #[inline]
    pub(crate) fn get(self) -> Subtree {
        if self.0 & (Self::SAMPLE | Self::LEAF) == 0 {
            Subtree::Inner(NodeId(self.0))
        } else if self.0 & Self::SAMPLE != 0 {
            Subtree::Sample(SampleId::new((self.0 & !Self::SAMPLE) as usize))
        } else {
            Subtree::Leaf(LeafId(self.0 & !Self::LEAF))
        }
    }
}

impl From<Subtree> for Child {
    #[inline]
    fn from(subtree: Subtree) -> Self {
        match subtree {
            Subtree::Inner(NodeId(index)) => Self(index),
            Subtree::Leaf(LeafId(index)) => Self(index | Self::LEAF),
            Subtree::Sample(id) => Self(id.index() as u32 | Self::SAMPLE),
        }
    }
}

/// An inner node: its cut, the cut's time T, and the subtrees left and right of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node<C> {
    pub(crate) time: f64,
    pub(crate) cut: C,
    pub(crate) children: [Child; 2],
}

impl<C> Node<C> {
    /// `one` on its side of the cut, `other` on the opposite one.
    pub(crate) fn new(time: f64, cut: C, side: Side, one: Subtree, other: Subtree) -> Self {
        let children = match side {
            Side::Left => [one.into(), other.into()],
            Side::Right => [other.into(), one.into()],
        };
        Self {
            time,
            cut,
            children,
        }
    }

    #[inline]
    pub(crate) fn child(&self, side: Side) -> Subtree {
        self.children[side as usize].get()
    }
}

/// An inner node on a path, and the side on which the path continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) node: NodeId,
    /// The time of the node's cut.
    pub(crate) time: f64,
    pub(crate) side: Side,
}

/// Where a subtree hangs: below a node, on a side, or nowhere if it is the whole tree.
pub(crate) type Parent = Option<(NodeId, Side)>;

/// A leaf of several samples; in a full tree, a leaf of any number of samples, which are not held, nor are those that are named here.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Leaf {
    /// The time e up to which no cut was found to separate its points; its birth if its points may
    /// not be cut.
    pub(crate) exposed: f64,
    /// The point from which `radius` is measured.
    pub(crate) center: SampleId,
    /// No feature of a point differs from the center's by more than this; infinite before the first
    /// pass over the points.
    pub(crate) radius: f32,
    /// Where the list of its samples starts.
    pub(crate) first: SampleId,
    /// Number of its points; of a full tree, of all that fell into it, up to `u32::MAX`.
    pub(crate) points: u32,
    /// Whether two of its targets differ.
    pub(crate) mixed: bool,
}

#[cfg(test)]
mod tests {
    use forest_core::SampleStore;

    use super::*;

    #[test]
    fn a_node_with_an_eight_byte_cut_takes_24_bytes() {
        assert_eq!(size_of::<Node<(u32, f32)>>(), 24);
    }

    #[test]
    fn every_kind_of_subtree_fits_32_bits() {
        let largest = SampleStore::<forest_core::Regression>::LIMIT - 1;
        for subtree in [
            Subtree::Inner(NodeId(0)),
            Subtree::Inner(NodeId((1 << 30) - 1)),
            Subtree::Leaf(LeafId(0)),
            Subtree::Leaf(LeafId((1 << 30) - 1)),
            Subtree::Sample(SampleId::new(0)),
            Subtree::Sample(SampleId::new(largest)),
        ] {
            assert_eq!(Child::from(subtree).get(), subtree);
        }
    }
}
