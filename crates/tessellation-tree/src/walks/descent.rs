//! The way of a sample from the root to its leaf.

use crate::structure::node::{Parent, Subtree, Turn};

/// The way of a sample: the inner nodes that it passes, from the root, and its leaf.
#[derive(Debug)]
pub(crate) struct Descent {
    pub(crate) turns: Vec<Turn>,
    pub(crate) leaf: Subtree,
}

impl Descent {
    /// Returns the subtree at this level of the way: an inner node or, behind the last of them, the leaf.
    #[inline]
    pub(crate) fn at(&self, level: usize) -> Subtree {
        let turn = self.turns.get(level);
        turn.map_or(self.leaf, |turn| Subtree::Inner(turn.node))
    }

    /// Returns the level of the node that lives at `time`.
    #[inline]
    pub(crate) fn level_at(&self, time: f64) -> usize {
        // Times increase down the path, and a node lives until just before its cut.
        self.turns.partition_point(|turn| turn.time <= time)
    }
}

/// Returns the birth of what hangs below these turns: the cut time of the last.
#[inline]
pub(crate) fn birth_below(turns: &[Turn]) -> f64 {
    turns.last().map_or(0.0, |turn| turn.time)
}

/// Returns where what is below these turns hangs.
#[inline]
pub(crate) fn parent_below(turns: &[Turn]) -> Parent {
    turns.last().map(|turn| (turn.node, turn.side))
}
