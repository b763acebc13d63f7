//! The nodes of a tree: one flat array, both children of a split side by side in it.

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::FeatureSpace;

/// Names a node of one tree; the root is the first, and children come after their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a tree fits in 2³² nodes"))
    }

    /// The right child beside a left one.
    pub(crate) fn sibling(self) -> Self {
        Self(self.0 + 1)
    }

    /// Which node of the tree, counted from 0 in the order they were made.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a leaf of one tree: when it is split, its left child takes the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LeafId(pub(crate) u32);

impl LeafId {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A question with two answers, or a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Node<F> {
    Split {
        feature: F,
        threshold: f32,
        /// The left child; the right one follows it.
        left: NodeId,
    },
    Leaf(LeafId),
}

/// A rooted tree of splits, its leaves numbered from 0 without gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(crate) struct Nodes<F> {
    nodes: Arena<Node<F>>,
}

impl<F: Copy> Nodes<F> {
    /// A tree of one leaf.
    pub(crate) fn root() -> Self {
        Self {
            nodes: vec![Node::Leaf(LeafId(0))].into(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Every split has two children: leaves are one more than splits.
    pub(crate) fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    pub(crate) fn get(&self, node: NodeId) -> Node<F> {
        self.nodes[node.index()]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }

    /// The node and leaf whose cell holds `point`: left where the value is at most the threshold.
    #[inline]
    pub(crate) fn find<S>(&self, space: &S, point: &[f32]) -> (NodeId, LeafId)
    where
        S: FeatureSpace<Feature = F>,
    {
        let mut here = NodeId::ROOT;
        loop {
            match self.nodes[here.index()] {
                Node::Leaf(leaf) => return (here, leaf),
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    let beyond = space.value(feature, point) > threshold;
                    here = NodeId(left.0 + u32::from(beyond));
                }
            }
        }
    }

    /// Splits a leaf; returns its right child's name. The left child takes that of the leaf.
    pub(crate) fn split(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        feature: F,
        threshold: f32,
    ) -> LeafId {
        let new = LeafId(self.leaves() as u32);
        let left = NodeId::new(self.nodes.len());
        self.nodes
            .extend_from_slice(&[Node::Leaf(leaf), Node::Leaf(new)]);
        self.nodes[node.index()] = Node::Split {
            feature,
            threshold,
            left,
        };
        new
    }

    /// Depth and node of every leaf, after checking that this is a tree; never panics and ends.
    ///
    /// # Errors
    /// A link to anything but an unvisited pair of later nodes, an unsound split, or leaves that
    /// are not numbered one by one.
    pub(crate) fn check<S>(&self, space: &S, width: usize) -> Result<Vec<u32>, InvariantError>
    where
        S: FeatureSpace<Feature = F>,
    {
        let mut depths = vec![None; self.nodes.len()];
        let mut leaves = vec![None; self.leaves()];
        if let Some(root) = depths.first_mut() {
            *root = Some(0);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let depth = depths[index].ok_or_else(|| at(index, "no split leads to it"))?;
            match *node {
                Node::Leaf(leaf) => number(&mut leaves, leaf, depth, index)?,
                Node::Split {
                    feature,
                    threshold,
                    left,
                } => {
                    let sound = space.knows(feature, width) && !threshold.is_nan();
                    InvariantError::unless(sound, || place(index), || "an impossible split")?;
                    adopt(&mut depths, index, left, depth + 1)?;
                }
            }
        }
        let all: Option<Vec<u32>> = leaves.into_iter().collect();
        all.ok_or_else(|| at(0, "leaves are missing"))
    }
}

/// Marks the two children of a split, which come after it and have no parent yet.
fn adopt(
    depths: &mut [Option<u32>],
    parent: usize,
    left: NodeId,
    depth: u32,
) -> Result<(), InvariantError> {
    let children = left.index()..left.index() + 2;
    let free = left.index() > parent && depths.get(children.clone()) == Some(&[None, None]);
    InvariantError::unless(free, || place(parent), || "its children are not its own")?;
    depths[children].fill(Some(depth));
    Ok(())
}

/// Marks a leaf's name as taken.
fn number(
    leaves: &mut [Option<u32>],
    leaf: LeafId,
    depth: u32,
    node: usize,
) -> Result<(), InvariantError> {
    match leaves.get_mut(leaf.index()) {
        Some(name @ None) => {
            *name = Some(depth);
            Ok(())
        }
        _ => Err(at(node, "a leaf's name is taken or impossible")),
    }
}

fn at(node: usize, what: &str) -> InvariantError {
    InvariantError::new(place(node), what)
}

fn place(node: usize) -> String {
    format!("node {node}")
}
