//! Searching a node for a point on the new sample's side of a cut.

use forest_core::{Points, SampleId};

use crate::structure::Structure;
use crate::structure::node::{LeafId, NodeId, Subtree, Turn};
use crate::structure::view::View;
use crate::{CutDistribution, Side};

/// A search for points that lie on the same side of `cut` as `x`.
pub(crate) struct Search<'a, D: CutDistribution> {
    structure: View<'a, D>,
    /// The distribution that knows the cut: that of the tree, or a copy of it.
    cuts: &'a D,
    cut: &'a D::Cut,
    side: Side,
    x: &'a [f32],
    samples: Points<'a>,
    /// Sides of nodes that are still to be looked into.
    waiting: &'a mut Vec<(NodeId, Side)>,
}

impl<'a, D: CutDistribution> Search<'a, D> {
    pub(crate) fn new(
        structure: View<'a, D>,
        cuts: &'a D,
        cut: &'a D::Cut,
        x: &'a [f32],
        samples: Points<'a>,
        waiting: &'a mut Vec<(NodeId, Side)>,
    ) -> Self {
        Self {
            structure,
            cuts,
            cut,
            // Computed once a candidate: every point looked at is compared with it.
            side: cuts.side(cut, x),
            x,
            samples,
            waiting,
        }
    }

    /// Returns whether a point of a node lies with `x`. The node is given by `leaf`, the leaf that `x` falls into,
    /// and by the inner nodes from there `up` to the node, each with the side on which `x` lies.
    ///
    /// The search starts at `leaf`, if points of it besides the witness may lie there, and goes up: points
    /// near `x` come first, because they are the most likely to lie beside it. It ends with the first that does.
    pub(crate) fn finds(
        &mut self,
        leaf: Option<LeafId>,
        mut up: impl Iterator<Item = (NodeId, Side)>,
    ) -> bool {
        leaf.is_some_and(|leaf| self.leaf_has_point(leaf))
            || up.any(|(node, side)| self.has_point_beside(node, side.opposite()))
    }

    /// Returns whether a point on `side` of an inner node's cut lies with `x`. At every node below, the side of
    /// `x` is looked into first.
    fn has_point_beside(&mut self, mut node: NodeId, mut side: Side) -> bool {
        self.waiting.clear();
        loop {
            let parent = self.structure.nodes.get(node);
            let found = match self.cuts.side_of_all(self.cut, &parent.cut, side) {
                // There are points on either side of a node's cut: if all there lie with `x`, one does.
                Some(side) => side == self.side,
                None => self.descend(parent.child(side)),
            };
            if found {
                return true;
            }
            // The side noted last lies deepest, near `x`.
            match self.waiting.pop() {
                Some(next) => (node, side) = next,
                None => return false,
            }
        }
    }

    /// Goes down from `subtree` on the side of `x` and notes the other sides; whether the leaf there
    /// has a point that lies with `x`.
    fn descend(&mut self, mut subtree: Subtree) -> bool {
        loop {
            match subtree {
                Subtree::Inner(id) => {
                    let node = self.structure.nodes.get(id);
                    let near = self.cuts.side(&node.cut, self.x);
                    self.waiting.push((id, near.opposite()));
                    subtree = node.child(near);
                }
                Subtree::Leaf(leaf) => return self.leaf_has_point(leaf),
                Subtree::Sample(id) => return self.is_beside(id),
            }
        }
    }

    fn leaf_has_point(&mut self, leaf: LeafId) -> bool {
        let mut next = Some(self.structure.leaves[leaf].first);
        while let Some(id) = next {
            if self.is_beside(id) {
                return true;
            }
            next = self.structure.links.next(id);
        }
        false
    }

    #[inline]
    fn is_beside(&mut self, id: SampleId) -> bool {
        self.cuts.side(self.cut, self.samples.features(id)) == self.side
    }
}

impl<D: CutDistribution> Structure<D> {
    /// Returns whether a point of a node lies on the same side of `cut` as `x`. The node is given by the turns from it down to
    /// the leaf that `x` falls into, and by this `leaf` if points of it besides the witness may lie there.
    pub(crate) fn is_refuted(
        &mut self,
        cut: &D::Cut,
        x: &[f32],
        turns: &[Turn],
        leaf: Option<LeafId>,
        samples: Points<'_>,
        waiting: &mut Vec<(NodeId, Side)>,
    ) -> bool {
        let mut search = Search::new(self.view(), &self.cuts, cut, x, samples, waiting);
        let up = turns.iter().rev().map(|turn| (turn.node, turn.side));
        search.finds(leaf, up)
    }
}
