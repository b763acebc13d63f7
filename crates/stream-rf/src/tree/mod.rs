//! The tree: two streams of points, one partition.

mod check;
mod fringe;
mod learn;
mod online;
mod view;

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use crate::active::Active;
use crate::labels::{Labels, Work};
use crate::nodes::Nodes;
use crate::queue::Queue;
use crate::rows::Rows;
use crate::{Axes, FeatureSpace};

pub use view::NodeView;

/// A tree whose partition is shaped by structure points and whose leaves answer with estimation
/// points (Algorithm 1).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamTree<T: Labels, S: FeatureSpace = Axes> {
    nodes: Nodes<S::Feature>,
    leaves: Arena<Leaf>,
    /// Yᵉ of each leaf: the labels of its estimation points.
    estimation_labels: Rows<T::Cell>,
    /// The labels of its structure points, counted while a leaf waits.
    structure_labels: Rows<T::Cell>,
    /// The active leaves.
    fringe: Arena<Active<T, S::Feature>>,
    /// The leaves that wait to become active.
    queue: Queue,
    /// Estimation points that the tree has received.
    clock: u64,
    /// Drawn at the first sample, if each row is to have its own stream.
    row_key: Option<u64>,
    #[serde(skip)]
    work: Work<T>,
}

/// What is known of a leaf besides its labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Leaf {
    depth: u32,
    state: LeafState,
    /// Nᵉ: estimation points counted in its lifetime.
    estimation_points: u64,
    /// The tick of the tree's clock from which p̂ counts.
    created: f64,
    /// How often it was active and given up, since no candidate split became valid.
    failed: u8,
}

/// Whether a leaf is in the fringe, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum LeafState {
    Active(u32),
    Waiting,
}
