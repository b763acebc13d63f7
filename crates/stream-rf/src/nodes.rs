//! The nodes of a tree: one flat array, both children of a split side by side in it.

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::features::{Feature, PixelPair};

/// A leaf of one tree: when it is split, its left child keeps the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LeafId(u32);

impl LeafId {
    /// The only leaf of a tree that has not been split.
    pub(crate) const FIRST: Self = Self(0);

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A threshold on a feature, or a leaf.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Node {
    Split {
        /// An axis, or the place of a pair of pixels.
        feature: u32,
        threshold: f32,
        /// The left child; the right one follows it.
        left: u32,
    },
    Leaf(LeafId),
}

/// A rooted tree of splits, its leaves numbered consecutively from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nodes {
    nodes: Arena<Node>,
    /// The features of all splits, if these are pairs of pixels.
    pairs: Vec<PixelPair>,
}

impl Nodes {
    /// Creates a tree of one leaf.
    pub(crate) fn root() -> Self {
        Self {
            nodes: vec![Node::Leaf(LeafId::FIRST)].into(),
            pairs: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of leaves: one more than splits, which have two children each.
    fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    pub(crate) fn get(&self, index: usize) -> Node {
        self.nodes[index]
    }

    /// Returns the feature of a split.
    pub(crate) fn feature(&self, feature: u32) -> Feature {
        match self.pairs.get(feature as usize) {
            Some(pair) => Feature::Pair(*pair),
            None => Feature::Axis(feature),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.pairs.capacity() * size_of::<PixelPair>()
    }

    /// Returns the node and leaf whose cell holds `point`: left where the value is at most the threshold.
    #[inline]
    pub(crate) fn find(&self, point: &[f32]) -> (usize, LeafId) {
        if self.pairs.is_empty() {
            self.descend(|axis| point[axis as usize])
        } else {
            self.descend(|pair| self.pairs[pair as usize].value(point))
        }
    }

    #[inline(always)]
    fn descend(&self, value: impl Fn(u32) -> f32) -> (usize, LeafId) {
        let mut index = 0;
        loop {
            match self.nodes[index] {
                Node::Leaf(leaf) => return (index, leaf),
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    let is_right = value(feature) > threshold;
                    // Siblings are neighbours: no branch on the side, which no processor can predict.
                    index = (left + u32::from(is_right)) as usize;
                }
            }
        }
    }

    /// Splits a leaf at a threshold; returns its right child. The left child keeps the leaf's number.
    pub(crate) fn split(
        &mut self,
        node: usize,
        leaf: LeafId,
        (feature, threshold): (Feature, f32),
    ) -> LeafId {
        let left = u32::try_from(self.nodes.len()).expect("a tree fits in 2³² nodes");
        let right_leaf = LeafId(self.leaves() as u32);
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
        right_leaf
    }

    /// Returns the depth of every leaf, after checking that this is a tree; never panics and ends.
    ///
    /// # Errors
    /// A link to anything but an unvisited pair of later nodes, a feature that there is not, or leaves that
    /// are not numbered one by one.
    pub(crate) fn check(&self, width: usize) -> Result<Vec<u32>, InvariantError> {
        let features = if self.pairs.is_empty() {
            width
        } else {
            self.pairs.len()
        };
        let (mut depths, mut leaves) = (vec![None; self.len()], vec![None; self.leaves()]);
        set_once(&mut depths, 0, 1, 0);
        for (index, node) in self.nodes.iter().enumerate() {
            let sound = match (depths[index], *node) {
                (None, _) => false,
                (Some(depth), Node::Leaf(leaf)) => set_once(&mut leaves, leaf.index(), 1, depth),
                (Some(depth), Node::Split { feature, left, .. }) => {
                    (feature as usize) < features
                        && set_once(&mut depths, left as usize, 2, depth + 1)
                }
            };
            let what = "an impossible feature, or a leaf or child that another node has";
            InvariantError::require(sound, format_args!("node {index}"), what)?;
        }
        let all: Option<Vec<u32>> = leaves.into_iter().collect();
        all.ok_or_else(|| InvariantError::new("nodes", "leaves are missing"))
    }
}

/// Sets `count` depths from `start` on; false if they do not exist or have been set before.
fn set_once(depths: &mut [Option<u32>], start: usize, count: usize, depth: u32) -> bool {
    let depths = depths.get_mut(start..start + count);
    let unset = depths.filter(|depths| depths.iter().all(Option::is_none));
    unset.map(|depths| depths.fill(Some(depth))).is_some()
}
