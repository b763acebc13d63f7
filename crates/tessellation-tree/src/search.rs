//! Searching a node for a point on the new sample's side of a cut.

use forest_core::{SampleId, SampleStore};

use crate::node::{LeafId, NodeId, Subtree};
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

/// What a search asks of every point: whether it lies on the same side of `cut` as `x`.
struct Query<'a, D: CutDistribution, L: LabelModel> {
    cut: &'a D::Cut,
    side: Side,
    x: &'a [f32],
    samples: &'a SampleStore<L::Task>,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Whether a point of the node at `level` of the path lies on the same side of `cut` as `x`.
    ///
    /// The search starts at the leaf and goes up: points near `x` come first, because they are the
    /// most likely to lie beside it. It ends with the first that does.
    pub(crate) fn is_refuted(
        &mut self,
        cut: &D::Cut,
        x: &[f32],
        level: usize,
        leaf: Subtree,
        samples: &SampleStore<L::Task>,
    ) -> bool {
        let query = Query::<D, L> {
            cut,
            side: self.cuts.side(cut, x),
            x,
            samples,
        };
        // A leaf of one sample is the witness, which lies on the other side.
        if let Subtree::Leaf(leaf) = leaf
            && self.leaf_has_point(leaf, &query)
        {
            return true;
        }
        for place in (level..self.scratch.path.len()).rev() {
            let turn = self.scratch.path[place];
            if self.has_point_beside(turn.node, turn.side.opposite(), &query) {
                return true;
            }
        }
        false
    }

    /// Whether a point on `side` of an inner node's cut lies with `x`. At every node below, the side of
    /// `x` is looked into first.
    fn has_point_beside(&mut self, node: NodeId, side: Side, query: &Query<'_, D, L>) -> bool {
        let mut waiting = std::mem::take(&mut self.scratch.search);
        waiting.clear();
        waiting.push((node, side));
        let mut found = false;
        while let Some((node, side)) = waiting.pop() {
            let node = &self.nodes[node];
            if let Some(side) = self.cuts.side_of_all(query.cut, &node.cut, side) {
                found = side == query.side;
            } else {
                found = self.descend(node.child(side), &mut waiting, query);
            }
            if found {
                break;
            }
        }
        self.scratch.search = waiting;
        found
    }

    /// Goes down from `subtree` on the side of `x` and notes the other sides; whether the leaf there
    /// has a point that lies with `x`.
    fn descend(
        &mut self,
        mut subtree: Subtree,
        waiting: &mut Vec<(NodeId, Side)>,
        query: &Query<'_, D, L>,
    ) -> bool {
        loop {
            match subtree {
                Subtree::Inner(id) => {
                    let node = &self.nodes[id];
                    let near = self.cuts.side(&node.cut, query.x);
                    waiting.push((id, near.opposite()));
                    subtree = node.child(near);
                }
                Subtree::Leaf(leaf) => return self.leaf_has_point(leaf, query),
                Subtree::Sample(id) => return self.is_beside(id, query),
            }
        }
    }

    fn leaf_has_point(&mut self, leaf: LeafId, query: &Query<'_, D, L>) -> bool {
        let mut next = Some(self.leaves[leaf].first);
        while let Some(id) = next {
            if self.is_beside(id, query) {
                return true;
            }
            next = self.links.next(id);
        }
        false
    }

    #[inline]
    fn is_beside(&mut self, id: SampleId, query: &Query<'_, D, L>) -> bool {
        self.scratch.counts.points += 1;
        self.cuts.side(query.cut, query.samples.features(id)) == query.side
    }
}
