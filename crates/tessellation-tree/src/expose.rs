//! Expose a leaf to the budget: the one primitive that draws cuts inside a hull.

use forest_core::SampleStore;

use crate::node::{Children, Kind};
use crate::tree::Work;
use crate::{CutMeasure, LabelModel, NodeId, Side, Span, TessellationTree};

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// Draws everything that happens to `leaf`, and to the leaves it is cut into, up to the budget.
    pub(crate) fn expose(&mut self, leaf: NodeId, work: &mut Work<'_, '_, M, L>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.push(leaf);
        while let Some(leaf) = waiting.pop() {
            if !self.is_splittable(leaf, work) {
                continue;
            }
            let span = Span {
                from: self.nodes[leaf.index()].time,
                until: work.budget,
            };
            match self.hulls.first_hitting(leaf, span, &mut work.chance) {
                Some(event) => {
                    let children = self.split(leaf, event, work.samples);
                    waiting.extend([children.right, children.left]);
                }
                None => self.nodes[leaf.index()].time = span.from.max(span.until),
            }
        }
        self.waiting = waiting;
    }

    /// Cuts `leaf`: both sides become leaves born at that time. Costs a pass over its points.
    fn split(
        &mut self,
        leaf: NodeId,
        (time, cut): (f64, M::Cut),
        samples: &SampleStore<L::Task>,
    ) -> Children {
        let children = Children {
            left: self.push_leaf(time),
            right: self.push_leaf(time),
        };
        self.labels.open(leaf);
        let node = &mut self.nodes[leaf.index()];
        let inner = Kind::Inner { cut, children };
        node.time = time;
        if let Kind::Leaf { mut first } = std::mem::replace(&mut node.kind, inner) {
            let mut lists = [None; 2];
            while let Some(id) = first {
                first = self.links.next(id);
                let side = M::side(&cut, samples.features(id));
                self.hand_down(children.at(side), id, samples);
                self.links
                    .relink(id, &mut lists[usize::from(side == Side::Right)]);
            }
            self.nodes[children.left.index()].kind = Kind::Leaf { first: lists[0] };
            self.nodes[children.right.index()].kind = Kind::Leaf { first: lists[1] };
        }
        children
    }

    fn hand_down(
        &mut self,
        child: NodeId,
        id: forest_core::SampleId,
        samples: &SampleStore<L::Task>,
    ) {
        self.hulls.extend(child, samples.features(id));
        self.labels.settle(child, samples.target(id));
        self.nodes[child.index()].points += 1;
    }
}
