//! Taking a sample out, so that the tree has the distribution of one that never held it.

use forest_core::SampleId;

use crate::CutDistribution;
use crate::change::work::{Work, bytes_of};
use crate::settings::Rules;
use crate::structure::Structure;
use crate::structure::node::{Child, Leaf, LeafId, NodeId, Subtree};
use crate::walks::path::{Descent, birth_below, parent_below};

/// What has become of the leaf that a sample was taken out of.
pub(crate) enum Rest {
    /// Two or more samples are left in it.
    Several(LeafId),
    /// One sample is left, which needs no record: that of the leaf was removed.
    One(LeafId),
    /// None is left, and this node, which separated the sample from others, was removed.
    Nothing(NodeId),
    /// None is left in the whole tree.
    Empty,
}

/// A node that has become a leaf because its points may not be cut any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collapse {
    /// The leaf, unless it is of one sample.
    pub(crate) leaf: Option<LeafId>,
    /// Its samples.
    pub(crate) ids: Vec<SampleId>,
    /// Nodes, and leaves with a record, that were removed, in this order.
    pub(crate) removed: Vec<Subtree>,
}

impl Collapse {
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.ids) + bytes_of(&self.removed)
    }
}

impl<D: CutDistribution> Structure<D> {
    /// Takes the sample `id` out of the leaf at the end of its way, which then ends above what is left. Costs a pass over the
    /// other points of the leaf.
    pub(crate) fn take_out(
        &mut self,
        id: SampleId,
        descent: &mut Descent,
        work: &Work<'_>,
    ) -> Rest {
        self.held -= 1;
        match descent.leaf {
            Subtree::Leaf(leaf) => self.leave(leaf, id, descent, work),
            Subtree::Sample(_) | Subtree::Inner(_) => self.splice(descent, &work.rules),
        }
    }

    /// Takes a sample out of its leaf of several. What is known of cuts between the others stays known,
    /// unless they may not be cut any more.
    fn leave(&mut self, id: LeafId, sample: SampleId, descent: &Descent, work: &Work<'_>) -> Rest {
        let samples = work.samples;
        let leaf = &mut self.leaves[id];
        let mut first = Some(leaf.first);
        self.links.remove(sample, &mut first);
        leaf.points -= 1;
        leaf.first = first.expect("a leaf of several samples keeps one");
        let others = self.links.list(leaf.first);
        let others = others.map(|id| samples.features(id));
        let boxes = &mut self.cache.boxes;
        boxes.leave(id, samples.features(sample), others);
        if leaf.points == 1 {
            let last = Subtree::Sample(leaf.first);
            self.remove_leaf(id);
            self.set_child(parent_below(&descent.turns), last);
            return Rest::One(id);
        }
        if leaf.center == sample {
            // The next exposure to a larger budget measures the leaf again.
            (leaf.center, leaf.radius) = (leaf.first, f32::INFINITY);
        }
        if leaf.mixed {
            let mut others = self.links.list(leaf.first);
            leaf.mixed = others.any(|id| samples.differ(&[id, leaf.first]));
        }
        unexpose_if_kept_whole(leaf, birth_below(&descent.turns), &work.rules);
        Rest::Several(id)
    }

    /// Returns the last node of the path, beside the sample that leaves, separates nothing any more: its
    /// other child takes its place and its birth.
    fn splice(&mut self, descent: &mut Descent, rules: &Rules) -> Rest {
        let Some(turn) = descent.turns.pop() else {
            self.root = None;
            return Rest::Empty;
        };
        let sibling = self.nodes[turn.node].child(turn.side.opposite());
        self.set_child(parent_below(&descent.turns), sibling);
        self.remove_node(turn.node);
        if let Subtree::Leaf(leaf) = sibling {
            let leaf = &mut self.leaves[leaf];
            unexpose_if_kept_whole(leaf, birth_below(&descent.turns), rules);
        }
        Rest::Nothing(turn.node)
    }

    fn remove_node(&mut self, node: NodeId) {
        self.cuts.release(&self.nodes[node].cut);
        self.nodes.remove(node);
    }

    /// Makes one leaf of the highest node of the path whose points may not be cut any more, exposed
    /// to nothing: whatever was known of it was learned from cuts that are not drawn for such points.
    /// Costs a pass over its points.
    pub(crate) fn collapse(
        &mut self,
        descent: &mut Descent,
        work: &mut Work<'_>,
    ) -> Option<Collapse> {
        // Rules that let any two points be cut never turn a node into a leaf.
        if work.rules.may_cut(2, false) {
            return None;
        }
        let mut top = None;
        while let Some(&turn) = descent.turns.last() {
            if self.may_be_cut(turn.node, work) {
                break;
            }
            top = Some(turn.node);
            descent.turns.pop();
        }
        let top = top?;
        let mut collapse = std::mem::take(&mut work.memory.collapse);
        self.dissolve(top, &mut collapse, &mut work.memory.subtrees);
        let birth = birth_below(&descent.turns);
        let leaf = self.leaf_of(&collapse.ids, birth, work.samples);
        let leaf = leaf.expect("an inner node has points");
        self.set_child(parent_below(&descent.turns), leaf);
        collapse.leaf = leaf.record();
        Some(collapse)
    }

    /// Returns whether the points of a node may be cut. Looks at no more of them than it takes to decide.
    fn may_be_cut(&mut self, node: NodeId, work: &mut Work<'_>) -> bool {
        let (samples, rules) = (work.samples, &work.rules);
        let (mut points, mut mixed, mut first) = (0, false, None);
        let waiting = &mut work.memory.subtrees;
        waiting.clear();
        waiting.push(Subtree::Inner(node));
        while let Some(subtree) = waiting.pop() {
            let one = match subtree {
                Subtree::Inner(node) => {
                    waiting.extend(self.nodes[node].children.map(Child::get));
                    continue;
                }
                Subtree::Leaf(leaf) => {
                    points += self.leaves[leaf].points;
                    mixed |= self.leaves[leaf].mixed;
                    self.leaves[leaf].first
                }
                Subtree::Sample(id) => {
                    points += 1;
                    id
                }
            };
            mixed = mixed || first.is_some_and(|first| samples.differ(&[first, one]));
            first = first.or(Some(one));
            if rules.may_cut(points, mixed) {
                break;
            }
        }
        rules.may_cut(points, mixed)
    }

    /// Removes all nodes and leaves below `node`, and it.
    fn dissolve(&mut self, node: NodeId, collapse: &mut Collapse, waiting: &mut Vec<Subtree>) {
        collapse.ids.clear();
        collapse.removed.clear();
        waiting.clear();
        waiting.push(Subtree::Inner(node));
        while let Some(subtree) = waiting.pop() {
            match subtree {
                Subtree::Inner(node) => {
                    waiting.extend(self.nodes[node].children.map(Child::get));
                    self.remove_node(node);
                    collapse.removed.push(subtree);
                }
                Subtree::Leaf(leaf) => {
                    let ids = self.links.list(self.leaves[leaf].first);
                    collapse.ids.extend(ids);
                    self.remove_leaf(leaf);
                    collapse.removed.push(subtree);
                }
                Subtree::Sample(id) => collapse.ids.push(id),
            }
        }
    }
}

/// A leaf whose points may not be cut any more was exposed to nothing: to its birth.
fn unexpose_if_kept_whole(leaf: &mut Leaf, birth: f64, rules: &Rules) {
    if !rules.may_cut(leaf.points, leaf.mixed) {
        leaf.exposed = birth;
    }
}
