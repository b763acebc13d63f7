//! Inner nodes, leaves, and what refers to them in 32 bits.

use std::ops::{Deref, DerefMut};

use forest_core::{Arena, SampleId};
use serde::{Deserialize, Serialize};

use crate::Side;

/// Identifies an inner node of one tree. The identifier of a removed node is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub(crate) u32);

/// Identifies a leaf that has a record: one of several samples, or any leaf of a
/// [full](crate::TessellationTree::is_full) tree. That of a removed leaf is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeafId(pub(crate) u32);

impl NodeId {
    /// Returns the place of its data in flat arrays; below the number of inner nodes that the tree has had at once.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LeafId {
    /// Returns the place of its data in flat arrays; below the number of such leaves that the tree has had at once.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
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

    /// Mark of a leaf: 2³⁰ inner nodes or leaves, of 24 bytes at least, fit no machine's memory.
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
    /// Creates a node with `one` on this side of the cut, and `other` on the opposite one.
    pub(crate) fn new(time: f64, cut: C, side: Side, one: Subtree, other: Subtree) -> Self {
        let mut children = [one.into(), other.into()];
        children.rotate_right(side as usize);
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

    /// Returns the step past this node, which is node `id`, to one of its sides.
    #[inline]
    pub(crate) fn step(&self, id: NodeId, side: Side) -> Step {
        Step {
            time: self.time,
            place: id.0 | (side as u32) << Step::SIDE,
            sibling: self.children[side.opposite() as usize],
        }
    }
}

/// An inner node, as a label model receives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerNode {
    /// The node.
    pub node: NodeId,
    /// The time of its cut.
    pub time: f64,
    /// The subtrees left and right of the cut.
    pub children: [Subtree; 2],
}

/// An inner node on the path of a point through a tree, in 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The time T of its cut.
    pub time: f64,
    /// The node, and in the upper bit the side.
    place: u32,
    sibling: Child,
}

impl Step {
    const SIDE: u32 = 31;

    /// Returns the node.
    #[inline]
    pub fn node(self) -> NodeId {
        NodeId(self.place & !(1 << Self::SIDE))
    }

    /// Returns the side of its cut on which the path continues.
    #[inline]
    pub fn side(self) -> Side {
        if self.place >> Self::SIDE == 0 {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// Returns the child on the other side.
    #[inline]
    pub fn sibling(self) -> Subtree {
        self.sibling.get()
    }
}

/// Returns the birth of what hangs below these steps.
#[inline]
pub(crate) fn birth_below(steps: &[Step]) -> f64 {
    steps.last().map_or(0.0, |step| step.time)
}

/// Returns where what is below these steps hangs.
#[inline]
pub(crate) fn parent_below(steps: &[Step]) -> Parent {
    steps.last().map(|step| (step.node(), step.side()))
}

/// Where a subtree hangs: below a node, on a side, or nowhere if it is the whole tree.
pub(crate) type Parent = Option<(NodeId, Side)>;

/// A leaf of several samples. In a full tree, a leaf of any number of samples, which are not held any more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Leaf {
    /// The time e up to which no cut was found to separate its points; its birth if its points may not be cut.
    pub(crate) exposed: f64,
    /// The point from which `radius` is measured.
    pub(crate) center: SampleId,
    /// No feature of a point differs from the center's by more; infinite before the first pass over the points.
    pub(crate) radius: f32,
    /// Where the list of its samples starts.
    pub(crate) first: SampleId,
    /// Number of its points; of a full tree, of all that fell into it, up to `u32::MAX`.
    pub(crate) points: u32,
    /// Whether two of its targets differ.
    pub(crate) mixed: bool,
}

impl Leaf {
    pub(crate) fn new(first: SampleId, exposed: f64, points: u32, mixed: bool) -> Self {
        Self {
            exposed,
            center: first,
            radius: f32::INFINITY,
            first,
            points,
            mixed,
        }
    }
}

/// Items in one array; the place of an item that was removed serves the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pool<T> {
    items: Arena<T>,
    pub(crate) free: Arena<u32>,
}

impl<T> Pool<T> {
    pub(crate) fn new() -> Self {
        Self {
            items: Arena::default(),
            free: Arena::default(),
        }
    }

    /// Returns the place of the item.
    pub(crate) fn insert(&mut self, item: T) -> u32 {
        if let Some(place) = self.free.pop() {
            self.items[place as usize] = item;
            return place;
        }
        self.items.push(item);
        u32::try_from(self.items.len() - 1)
            .expect("nodes are fewer than samples, which have 32-bit numbers")
    }

    pub(crate) fn remove(&mut self, place: usize) {
        self.free.push(place as u32);
    }

    /// Returns the number of items, without places that are free.
    pub(crate) fn used(&self) -> usize {
        self.items.len() - self.free.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.bytes() + self.free.bytes()
    }
}

impl<T> Deref for Pool<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Pool<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
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
        let most = (1 << 30) - 1;
        let nodes = [0, most].map(|index| Subtree::Inner(NodeId(index)));
        let leaves = [0, most].map(|index| Subtree::Leaf(LeafId(index)));
        let samples = [0, largest].map(|index| Subtree::Sample(SampleId::new(index)));
        for subtree in [nodes, leaves, samples].concat() {
            assert_eq!(Child::from(subtree).get(), subtree);
        }
    }

    #[test]
    fn places_are_used_again() {
        let mut pool = Pool::new();
        let places = ['a', 'b', 'c'].map(|item| pool.insert(item));
        pool.remove(1);
        assert_eq!((places, pool.used(), pool.len()), ([0, 1, 2], 2, 3));
        assert_eq!(pool.insert('d'), 1);
        assert_eq!((pool.used(), pool.len(), pool[1]), (3, 3, 'd'));
    }
}
