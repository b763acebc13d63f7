//! The nodes of a tree: one flat array, both children of a split side by side in it.

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::features::FeatureSpace;

/// A leaf of one tree: when it is split, its left child keeps the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LeafId(u32);

impl LeafId {
    /// The only leaf of a tree that has not been split.
    pub(crate) const FIRST: Self = Self(0);

    /// Leaf number `index`.
    pub(crate) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A threshold on a feature, or a leaf.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Node<F> {
    Split {
        feature: F,
        threshold: f32,
        /// The left child; the right one follows it.
        left: u32,
    },
    Leaf(LeafId),
}

/// A rooted tree of splits, its leaves numbered consecutively from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Nodes<S: FeatureSpace>(Arena<Node<S::Feature>>);

impl<S: FeatureSpace> Nodes<S> {
    /// Creates a tree of one leaf.
    pub(crate) fn root() -> Self {
        Self(vec![Node::Leaf(LeafId::FIRST)].into())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of leaves: one more than splits, which have two children each.
    pub(crate) fn leaves(&self) -> usize {
        self.0.len() / 2 + 1
    }

    pub(crate) fn get(&self, index: usize) -> Node<S::Feature> {
        self.0[index]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Returns the node and leaf whose cell holds `point`: left where the value is at most the threshold.
    #[inline]
    pub(crate) fn find(&self, space: &S, point: &[f32]) -> (usize, LeafId) {
        let mut index = 0;
        loop {
            match self.0[index] {
                Node::Leaf(leaf) => return (index, leaf),
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    let is_right = space.value(feature, point) > threshold;
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
        feature: S::Feature,
        threshold: f32,
    ) -> LeafId {
        let left = u32::try_from(self.0.len()).expect("a tree fits in 2³² nodes");
        let right_leaf = LeafId(self.leaves() as u32);
        self.0
            .extend_from_slice(&[Node::Leaf(leaf), Node::Leaf(right_leaf)]);
        self.0[node] = Node::Split {
            feature,
            threshold,
            left,
        };
        right_leaf
    }

    /// Returns the depth of every leaf, after checking that this is a tree; never panics and ends.
    ///
    /// # Errors
    /// A link to anything but an unvisited pair of later nodes, an unsound split, or leaves that
    /// are not numbered one by one.
    pub(crate) fn check(&self, space: &S, width: usize) -> Result<Vec<u32>, InvariantError> {
        let (mut depths, mut leaves) = (vec![None; self.len()], vec![None; self.leaves()]);
        set_once(&mut depths, 0, 1, 0);
        for (index, node) in self.0.iter().enumerate() {
            let error = |what| InvariantError::new(format!("node {index}"), what);
            let depth: u32 = depths[index].ok_or_else(|| error("no split leads to it"))?;
            let sound = match *node {
                Node::Leaf(leaf) => set_once(&mut leaves, leaf.index(), 1, depth),
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    let possible = space.contains(feature, width) && !threshold.is_nan();
                    possible && set_once(&mut depths, left as usize, 2, depth + 1)
                }
            };
            if !sound {
                return Err(error(
                    "an impossible split, or a leaf or child that another node has",
                ));
            }
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
