//! What is known of a leaf besides its labels.

use serde::{Deserialize, Serialize};

/// A leaf of a stream-partitioned tree.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Leaf {
    pub(super) depth: u32,
    pub(super) state: LeafState,
    /// Nᵉ: estimation points counted in its lifetime.
    pub(super) estimation_points: u64,
    /// How many estimation points the tree had when the leaf began to count.
    pub(super) created: f64,
    /// How often it was active and given up, since no candidate split became valid.
    pub(super) failed: u8,
}

/// Whether a leaf is in the fringe or in the queue, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum LeafState {
    Active(u32),
    Waiting(u32),
}

impl Leaf {
    /// Creates the leaf of a new tree, the first in the queue.
    pub(super) fn root() -> Self {
        Self {
            depth: 0,
            state: LeafState::Waiting(0),
            estimation_points: 0,
            created: 0.0,
            failed: 0,
        }
    }

    /// p̂: the share of the tree's estimation points that reach the leaf.
    pub(super) fn share(&self, tree_points: u64) -> f64 {
        self.estimation_points as f64 / (tree_points as f64 - self.created)
    }

    /// Returns a child with `estimation_points` of the `counted` estimation points that its candidate split
    /// had counted when the tree had `tree_points`.
    ///
    /// The candidate split has counted only some of the leaf's points, and p̂ of the children must add
    /// up to p̂ of the parent. So the time of their creation is set back to where a leaf with the
    /// parent's p̂ would have received as many points.
    pub(super) fn child(&self, estimation_points: u64, counted: u64, tree_points: u64) -> Self {
        let lifetime = tree_points as f64 - self.created;
        let share = counted as f64 / self.estimation_points as f64;
        Self {
            depth: self.depth + 1,
            // A placeholder: a child waits next, which sets its state.
            state: self.state,
            estimation_points,
            created: tree_points as f64 - share * lifetime,
            failed: 0,
        }
    }
}
