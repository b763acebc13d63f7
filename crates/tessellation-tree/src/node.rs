//! Nodes in one array, named by 32-bit indices.

use forest_core::SampleId;
use serde::{Deserialize, Serialize};

use crate::Side;

/// Names a node of one tree. Nodes are never moved or freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(u32);

impl NodeId {
    /// The node made first.
    pub const FIRST: Self = Self(0);

    /// The node made as number `index`, from 0.
    ///
    /// # Panics
    /// If `index` does not fit 32 bits.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a tree has at most 2³² nodes"))
    }

    /// Which node of the tree, counted from 0 in the order they were made.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node: its cut time T if inner, its exposure e if a leaf. Its birth is its parent's time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node<C> {
    pub(crate) time: f64,
    pub(crate) points: u32,
    pub(crate) kind: Kind<C>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kind<C> {
    /// Where the list of its samples starts.
    Leaf {
        first: Option<SampleId>,
    },
    Inner {
        cut: C,
        children: Children,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Children {
    pub(crate) left: NodeId,
    pub(crate) right: NodeId,
}

impl Children {
    /// `one` on its side, `other` on the opposite one.
    pub(crate) fn on(side: Side, one: NodeId, other: NodeId) -> Self {
        match side {
            Side::Left => Self {
                left: one,
                right: other,
            },
            Side::Right => Self {
                left: other,
                right: one,
            },
        }
    }

    #[inline]
    pub(crate) fn at(self, side: Side) -> NodeId {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    pub(crate) fn set(&mut self, side: Side, child: NodeId) {
        match side {
            Side::Left => self.left = child,
            Side::Right => self.right = child,
        }
    }
}

impl<C> Node<C> {
    /// A leaf born at `time`, without samples and exposed to nothing.
    pub(crate) fn leaf(time: f64) -> Self {
        let kind = Kind::Leaf { first: None };
        Self {
            time,
            points: 0,
            kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_an_eight_byte_cut_takes_half_a_cache_line() {
        assert_eq!(size_of::<Node<(u32, f32)>>(), 32);
    }
}
