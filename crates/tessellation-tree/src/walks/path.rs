//! The nodes that a point passes.

use crate::structure::node::{Child, Node, NodeId, Parent, Subtree, Turn};
use crate::structure::pool::Pool;
use crate::structure::view::View;
use crate::{CutDistribution, Side};

/// The nodes that a point passes on its way down, from the root to its leaf: an iterator over the
/// inner ones.
#[derive(Debug)]
pub struct Path<'a, D: CutDistribution> {
    structure: View<'a, D>,
    x: &'a [f32],
    below: Child,
    birth: f64,
    end: f64,
}

/// An inner node on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Its birth t₀: the time of its parent's cut, 0 at the root.
    pub birth: f64,
    /// The time T of its cut.
    pub time: f64,
    /// The side of the cut on which the path continues.
    pub side: Side,
    /// The child on the other side.
    pub sibling: Subtree,
}

/// A node on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The node.
    pub subtree: Subtree,
    /// Its birth.
    pub birth: f64,
    /// The time of its cut; of a leaf, the tree's budget.
    pub end: f64,
    /// The child that the path does not go to; a leaf has none.
    pub sibling: Option<Subtree>,
}

impl<'a, D: CutDistribution> Path<'a, D> {
    pub(crate) fn new(structure: View<'a, D>, root: Child, x: &'a [f32], end: f64) -> Self {
        Self {
            structure,
            x,
            below: root,
            birth: 0.0,
            end,
        }
    }

    /// Returns [`Path::below`] as the leaf at the end of the path.
    pub fn place(&self) -> Place {
        Place {
            subtree: self.below(),
            birth: self.birth(),
            end: self.end().max(self.birth()),
            sibling: None,
        }
    }

    /// Returns the distribution of cuts.
    pub fn cuts(&self) -> &'a D {
        self.structure.cuts
    }

    /// Returns the end of a leaf's life: the tree's budget, infinite for a tree that is fully grown.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Goes down to the leaf. `O(1)` and one side test a level.
    #[inline]
    pub fn leaf(self) -> Subtree {
        let mut below = self.below.get();
        while let Subtree::Inner(id) = below {
            below = self.structure.next(id, self.x).get();
        }
        below
    }

    /// Returns the root of the subtree that the path continues to: its leaf, once all inner nodes are passed.
    #[inline]
    pub fn below(&self) -> Subtree {
        self.below.get()
    }

    /// Returns the birth of [`Path::below`].
    #[inline]
    pub fn birth(&self) -> f64 {
        self.birth
    }

    /// Returns the point.
    pub fn point(&self) -> &'a [f32] {
        self.x
    }
}

impl<D: CutDistribution> Iterator for Path<'_, D> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let Subtree::Inner(id) = self.below.get() else {
            return None;
        };
        let node = self.structure.nodes.get(id);
        let side = self.structure.cuts.side(&node.cut, self.x);
        let birth = std::mem::replace(&mut self.birth, node.time);
        self.below = node.children[side as usize];
        Some(Step {
            node: id,
            birth,
            time: node.time,
            side,
            sibling: node.child(side.opposite()),
        })
    }
}

/// The same of a path that is noted in working memory.
pub(crate) fn steps<'a, C>(
    nodes: &'a Pool<NodeId, Node<C>>,
    turns: &'a [Turn],
) -> impl DoubleEndedIterator<Item = Step> + Clone + 'a {
    (0..turns.len()).map(move |level| {
        let Turn { node, time, side } = turns[level];
        Step {
            node,
            birth: level.checked_sub(1).map_or(0.0, |above| turns[above].time),
            time,
            side,
            sibling: nodes[node].child(side.opposite()),
        }
    })
}

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
