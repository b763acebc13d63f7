//! The online update: insert a sample (theory: "Insert x" in the crate's documentation).

use forest_core::SampleId;

use crate::node::{Children, Kind, Node};
use crate::tree::{Work, way_down};
use crate::{CutMeasure, LabelModel, NodeId, Pause, Side, Span, TessellationTree, Update};

/// Where the walk stands: a node, when it was born, and whose child it is.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    birth: f64,
    parent: Option<(NodeId, Side)>,
}

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// Inserts the sample `id`, whose name follows that of the last one.
    pub(crate) fn insert(&mut self, id: SampleId, work: &mut Work<'_, '_, M, L>) {
        let Some(root) = self.root else {
            let root = self.push_leaf(0.0);
            self.root = Some(root);
            return self.rest(root, id, work);
        };
        let x = work.samples.features(id);
        self.hulls.approach(way_down::<M>(&self.nodes, root, x), x);
        let mut place = Place {
            node: root,
            birth: 0.0,
            parent: None,
        };
        while let Some(below) = self.visit(place, id, work) {
            place = below;
        }
    }

    /// Does what the update asks for at one node; the place below it if the walk goes on.
    #[inline]
    fn visit(
        &mut self,
        place: Place,
        id: SampleId,
        work: &mut Work<'_, '_, M, L>,
    ) -> Option<Place> {
        let node = place.node;
        if self.is_leaf(node) && self.draws_afresh(node, work) {
            self.nodes[node.index()].time = place.birth;
            self.rest(node, id, work);
            return None;
        }
        let x = work.samples.features(id);
        let span = Span {
            from: place.birth,
            until: self.nodes[node.index()].time,
        };
        if let Some((time, cut)) = self.hulls.first_separating(node, x, span, &mut work.chance) {
            self.insert_above(place, (time, cut), id, work);
            return None;
        }
        self.descend(node, id, work)
    }

    /// The sample joins the points of `node` and goes on to a child, or rests in a leaf.
    #[inline]
    fn descend(
        &mut self,
        node: NodeId,
        id: SampleId,
        work: &mut Work<'_, '_, M, L>,
    ) -> Option<Place> {
        let Node { time, points, kind } = &mut self.nodes[node.index()];
        let Kind::Inner { cut, children } = kind else {
            self.rest(node, id, work);
            return None;
        };
        let x = work.samples.features(id);
        *points += 1;
        let side = M::side(cut, x);
        let below = Place {
            node: children.at(side),
            birth: *time,
            parent: Some((node, side)),
        };
        self.hulls.extend(node, x);
        self.labels.pass(node, work.samples.target(id));
        Some(below)
    }

    fn rest(&mut self, leaf: NodeId, id: SampleId, work: &mut Work<'_, '_, M, L>) {
        self.settle(leaf, id, work.samples);
        self.expose(leaf, work);
    }

    fn is_leaf(&self, node: NodeId) -> bool {
        matches!(self.nodes[node.index()].kind, Kind::Leaf { .. })
    }

    /// Whether the leaf is drawn anew with the sample: because nothing of it was ever exposed, or
    /// because the redrawing update says so.
    fn draws_afresh(&self, leaf: NodeId, work: &Work<'_, '_, M, L>) -> bool {
        work.settings.update == Update::Redraw || !self.is_splittable(leaf, work)
    }

    /// Whether the points of a leaf may be cut at all: once true, true for every superset.
    pub(crate) fn is_splittable(&self, leaf: NodeId, work: &Work<'_, '_, M, L>) -> bool {
        let paused = work.settings.pause == Pause::WhileLabelsAgree && self.labels.agree(leaf);
        self.nodes[leaf.index()].points > work.settings.min_points && !paused
    }

    /// A cut that separates the sample from all of `place.node` takes its place; the sample gets
    /// a leaf of its own, and the old node, but for its birth, stays as it is.
    fn insert_above(
        &mut self,
        place: Place,
        (time, cut): (f64, M::Cut),
        id: SampleId,
        work: &mut Work<'_, '_, M, L>,
    ) {
        let (x, target) = (work.samples.features(id), work.samples.target(id));
        let node = place.node;
        let above = self.push_leaf_as_copy(node);
        self.hulls.extend(above, x);
        self.labels.pass(above, target);
        let fresh = self.push_leaf(time);
        self.settle(fresh, id, work.samples);
        let children = Children::on(M::side(&cut, x), fresh, node);
        let points = self.nodes[node.index()].points + 1;
        self.nodes[above.index()] = Node {
            time,
            points,
            kind: Kind::Inner { cut, children },
        };
        self.replace_child(place.parent, above);
        if self.is_leaf(node) {
            self.expose(node, work);
        }
    }

    /// A node with the hull and the label history of `node`.
    fn push_leaf_as_copy(&mut self, node: NodeId) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node::leaf(0.0));
        self.hulls.push_copy(node);
        self.labels.push();
        self.labels.inherit(node);
        id
    }

    fn replace_child(&mut self, parent: Option<(NodeId, Side)>, child: NodeId) {
        match parent {
            None => self.root = Some(child),
            Some((parent, side)) => {
                if let Kind::Inner { children, .. } = &mut self.nodes[parent.index()].kind {
                    children.set(side, child);
                }
            }
        }
    }
}
