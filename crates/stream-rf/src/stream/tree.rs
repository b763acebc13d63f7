//! The tree's data.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use super::active::ActiveLeaf;
use super::leaf::Leaf;
use super::queue::Queue;
use crate::features::{Axes, FeatureSpace};
use crate::label_rows::LabelRows;
use crate::labels::Labels;
use crate::nodes::Nodes;
use crate::split_statistics::Scratch;

/// A tree whose partition is shaped by structure points and whose leaves answer with estimation
/// points (Algorithm 1).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamTree<T: Labels, S: FeatureSpace = Axes> {
    pub(super) nodes: Nodes<S::Feature>,
    pub(super) leaves: Arena<Leaf>,
    /// Yᵉ of each leaf: the labels of its estimation points.
    pub(super) estimation_labels: LabelRows<T::Cell>,
    /// The labels of its structure points.
    pub(super) structure_labels: LabelRows<T::Cell>,
    /// The active leaves.
    pub(super) fringe: Arena<ActiveLeaf<T, S::Feature>>,
    /// The leaves that wait to become active.
    pub(super) queue: Queue,
    /// Estimation points that the tree has received.
    pub(super) estimation_points: u64,
    /// Drawn at the first sample, if each row is to have its own stream.
    pub(super) row_key: Option<u64>,
    #[serde(skip)]
    pub(super) scratch: Scratch<T>,
}
