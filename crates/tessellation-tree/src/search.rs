//! Searching a node for a point on the new sample's side of a cut.

use forest_core::{SampleId, SampleStore};

use crate::node::{LeafId, Subtree};
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

/// What a search asks of every point: whether it lies with `x`.
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
        if self.has_point(leaf, &query) {
            return true;
        }
        for place in (level..self.scratch.path.len()).rev() {
            let turn = self.scratch.path[place];
            let beside = self.nodes[turn.node].child(turn.side.opposite());
            if self.has_point(beside, &query) {
                return true;
            }
        }
        false
    }

    /// Whether a point of `subtree` lies with `x`; at every node the side of `x` is looked at first.
    fn has_point(&mut self, subtree: Subtree, query: &Query<'_, D, L>) -> bool {
        let mut waiting = std::mem::take(&mut self.scratch.search);
        waiting.clear();
        waiting.push(subtree);
        let mut found = false;
        while let Some(subtree) = waiting.pop() {
            found = match subtree {
                Subtree::Inner(node) => {
                    let node = &self.nodes[node];
                    let near = self.cuts.side(&node.cut, query.x);
                    waiting.push(node.child(near.opposite()));
                    waiting.push(node.child(near));
                    false
                }
                Subtree::Leaf(leaf) => self.leaf_has_point(leaf, query),
                Subtree::Sample(id) => self.is_beside(id, query),
            };
            if found {
                break;
            }
        }
        self.scratch.search = waiting;
        found
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
