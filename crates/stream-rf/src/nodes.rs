//! The data of a tree: its nodes in one array, both children of a split side by side, and the labels of its leaves.

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::candidates::{Feature, PixelPair};

/// A threshold on a feature, or the number of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Node {
    Split {
        /// An axis, or the place of a pair of pixels.
        feature: u32,
        threshold: f32,
        /// The left child; the right one follows it.
        left: u32,
    },
    Leaf(u32),
}

/// A rooted tree of splits, its leaves numbered consecutively from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nodes {
    pub(crate) nodes: Arena<Node>,
    /// The features of all splits, if these are pairs of pixels.
    pairs: Vec<PixelPair>,
}

impl Nodes {
    pub(crate) fn root() -> Self {
        let nodes = vec![Node::Leaf(0)].into();
        let pairs = Vec::new();
        Self { nodes, pairs }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.pairs.capacity() * size_of::<PixelPair>()
    }

    /// Returns the node and the leaf whose cell holds `point`: left where the value is at most the threshold.
    #[inline]
    pub(crate) fn find(&self, point: &[f32]) -> (usize, usize) {
        if self.pairs.is_empty() {
            self.descend(|axis| point[axis as usize])
        } else {
            self.descend(|pair| self.pairs[pair as usize].value(point))
        }
    }

    #[inline(always)]
    fn descend(&self, value: impl Fn(u32) -> f32) -> (usize, usize) {
        let mut index = 0;
        loop {
            match self.nodes[index] {
                Node::Leaf(leaf) => return (index, leaf as usize),
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    // Siblings are neighbours: no branch on the side, which no processor can predict.
                    index = (left + u32::from(value(feature) > threshold)) as usize;
                }
            }
        }
    }

    /// Splits a leaf at a threshold; returns its right child. The left child keeps the leaf's number.
    pub(crate) fn split(&mut self, node: usize, feature: Feature, threshold: f32) -> usize {
        let Node::Leaf(leaf) = self.nodes[node] else {
            unreachable!("only leaves are split")
        };
        let left = u32::try_from(self.nodes.len()).expect("a tree fits in 2³² nodes");
        // One leaf more than splits, which have two children each.
        let right_leaf = left / 2 + 1;
        let children = [Node::Leaf(leaf), Node::Leaf(right_leaf)];
        self.nodes.extend_from_slice(&children);
        let feature = match feature {
            Feature::Axis(axis) => axis,
            Feature::Pair(pair) => {
                self.pairs.push(pair);
                (self.pairs.len() - 1) as u32
            }
        };
        self.nodes[node] = Node::Split {
            feature,
            threshold,
            left,
        };
        right_leaf as usize
    }

    /// Checks that this is a tree over `width` features whose children are later nodes; returns the number of leaves.
    pub(crate) fn check(&self, width: usize) -> Result<usize, InvariantError> {
        let features = if self.pairs.is_empty() {
            width
        } else {
            self.pairs.len()
        };
        let nodes = self.nodes.len();
        let leaves = nodes / 2 + 1;
        for (index, node) in self.nodes.iter().enumerate() {
            let sound = match *node {
                Node::Leaf(leaf) => (leaf as usize) < leaves,
                Node::Split { feature, left, .. } => {
                    let later = (left as usize) > index && (left as usize) + 1 < nodes;
                    later && (feature as usize) < features
                }
            };
            let what = "an impossible feature, leaf or child";
            InvariantError::require(sound, format_args!("node {index}"), what)?;
        }
        InvariantError::require(nodes % 2 == 1, "nodes", "they are not those of a tree")?;
        Ok(leaves)
    }
}

/// The labels of leaves: a row of cells for each leaf, in an array that grows by rows, and by columns for new classes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LabelRows<C> {
    width: usize,
    cells: Arena<C>,
}

impl<C: Copy + Default> LabelRows<C> {
    pub(crate) fn one(width: usize) -> Self {
        let cells = vec![C::default(); width].into();
        Self { width, cells }
    }

    pub(crate) fn row(&self, leaf: usize) -> &[C] {
        &self.cells[leaf * self.width..][..self.width]
    }

    pub(crate) fn row_mut(&mut self, leaf: usize) -> &mut [C] {
        &mut self.cells[leaf * self.width..][..self.width]
    }

    /// Splits a leaf: its left child takes over its emptied row, the right one gets a new one. Returns both.
    pub(crate) fn split(&mut self, leaf: usize) -> [&mut [C]; 2] {
        self.row_mut(leaf).fill(C::default());
        let end = self.cells.len();
        self.cells.resize(end + self.width, C::default());
        let (rest, right) = self.cells.split_at_mut(end);
        [&mut rest[leaf * self.width..][..self.width], right]
    }

    /// Makes the rows of `leaves` leaves at least this wide: at least an eighth wider than before if they have to grow.
    #[inline]
    pub(crate) fn widen(&mut self, width: usize, leaves: usize) {
        if width > self.width {
            self.set_width(width.max(self.width + self.width / 8), leaves);
        }
    }

    #[cold]
    fn set_width(&mut self, width: usize, leaves: usize) {
        // A new array, not `resize`: every row moves.
        let mut cells = vec![C::default(); width * leaves];
        for leaf in 0..leaves {
            cells[leaf * width..][..self.width].copy_from_slice(self.row(leaf));
        }
        self.width = width;
        self.cells = cells.into();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Returns whether this has a row for each of `leaves` leaves: after decoding.
    pub(crate) fn fits(&self, leaves: usize) -> bool {
        self.width.checked_mul(leaves) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_rows_keep_their_cells_and_widths_grow_by_an_eighth_when_they_must() {
        let mut rows = LabelRows::<u32>::one(1);
        rows.split(0)[0][0] = 3;
        rows.row_mut(1)[0] = 4;
        rows.widen(2, 2);
        rows.split(1)[1][1] = 5;
        assert_eq!([0, 1, 2].map(|row| rows.row(row)), [[3, 0], [0, 0], [0, 5]]);
        assert!(rows.fits(3) && !rows.fits(2));
        for (needed, width) in [(16, 16), (17, 18), (18, 18), (40, 40)] {
            rows.widen(needed, 3);
            assert_eq!(rows.row(2).len(), width, "{needed}");
        }
    }
}
