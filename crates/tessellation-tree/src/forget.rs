//! Removes a sample, so that the tree has the distribution of one that never held it ("Removal" in `docs/theory.md`).

use forest_core::SampleId;

use crate::structure::Structure;
use crate::structure::node::{
    Child, Leaf, LeafId, NodeId, Step, Subtree, birth_below, parent_below,
};
use crate::structure::work::Work;
use crate::{CutDistribution, TessellationSettings};

/// What remains of the leaf that a sample was taken out of.
pub(crate) enum Rest {
    /// Two or more samples are left in it.
    Several(LeafId),
    /// This leaf or node was removed: the leaf keeps one sample, or the node separates nothing any more.
    Removed(Subtree),
    /// None is left in the whole tree.
    Empty,
}

impl<D: CutDistribution> Structure<D> {
    /// Takes the sample `id` out of the leaf at the end of its path, in a pass over the other points of the leaf.
    pub(crate) fn take_out(
        &mut self,
        id: SampleId,
        steps: &mut Vec<Step>,
        leaf: Subtree,
        work: &Work<'_>,
    ) -> Rest {
        self.held -= 1;
        if let Subtree::Leaf(leaf) = leaf {
            return self.leave(leaf, id, steps, work);
        }
        // The sample is alone: its parent separates nothing any more, and the sibling takes the parent's place and
        // birth.
        let Some(step) = steps.pop() else {
            self.root = None;
            return Rest::Empty;
        };
        let sibling = step.sibling();
        self.set_child(parent_below(steps), sibling);
        self.remove_node(step.node());
        if let Subtree::Leaf(leaf) = sibling {
            let leaf = &mut self.leaves[leaf.index()];
            unexpose_unless_splittable(leaf, birth_below(steps), work.settings);
        }
        Rest::Removed(Subtree::Inner(step.node()))
    }

    /// Takes a sample out of its leaf of several; what is known of the others stays, if they may still be cut.
    fn leave(&mut self, id: LeafId, sample: SampleId, steps: &[Step], work: &Work<'_>) -> Rest {
        let leaf = &mut self.leaves[id.index()];
        let mut first = Some(leaf.first);
        self.links.remove(sample, &mut first);
        leaf.points -= 1;
        leaf.first = first.expect("a leaf of several samples keeps one");
        if leaf.points == 1 {
            let last = Subtree::Sample(leaf.first);
            self.remove_leaf(id);
            self.set_child(parent_below(steps), last);
            return Rest::Removed(Subtree::Leaf(id));
        }
        let mut others = self.links.list(leaf.first);
        let points = others.clone().map(|id| work.points.features(id));
        let x = work.points.features(sample);
        self.scratch.boxes.leave(id, x, points);
        if leaf.center == sample {
            // The next exposure to a larger budget measures the leaf again.
            leaf.center = leaf.first;
            leaf.radius = f32::INFINITY;
        }
        leaf.mixed = leaf.mixed && others.any(|id| work.differ(&[id, leaf.first]));
        unexpose_unless_splittable(leaf, birth_below(steps), work.settings);
        Rest::Several(id)
    }

    fn remove_node(&mut self, node: NodeId) {
        self.cuts.release(&self.nodes[node.index()].cut);
        self.nodes.remove(node.index());
    }

    /// Makes one leaf, exposed to nothing, of the highest node of the path whose points may not be cut any more: a pass
    /// over them. Returns the leaf; `Scratch::removed` lists what was removed, and `Scratch::ids` the leaf's samples.
    pub(crate) fn collapse(&mut self, steps: &mut Vec<Step>, work: &Work<'_>) -> Option<Subtree> {
        // Rules that let any two points be cut never turn a node into a leaf.
        if work.settings.splittable(2, false) {
            return None;
        }
        let mut top = None;
        while let Some(&step) = steps.last() {
            if self.is_splittable(step.node(), work) {
                break;
            }
            top = Some(step.node());
            steps.pop();
        }
        self.dissolve(top?);
        let ids = std::mem::take(&mut self.scratch.ids);
        let leaf = self.leaf_of(&ids, birth_below(steps), work);
        self.scratch.ids = ids;
        self.set_child(parent_below(steps), leaf);
        Some(leaf)
    }

    /// Returns whether the points of a node may be cut. Examines no more of them than it takes to decide.
    fn is_splittable(&mut self, node: NodeId, work: &Work<'_>) -> bool {
        let mut points = 0;
        let mut mixed = false;
        let mut first = None;
        let waiting = &mut self.scratch.waiting;
        waiting.clear();
        waiting.push(Subtree::Inner(node));
        while let Some(subtree) = waiting.pop() {
            let one = match subtree {
                Subtree::Inner(node) => {
                    waiting.extend(self.nodes[node.index()].children.map(Child::get));
                    continue;
                }
                Subtree::Leaf(leaf) => {
                    let leaf = &self.leaves[leaf.index()];
                    points += leaf.points;
                    mixed |= leaf.mixed;
                    leaf.first
                }
                Subtree::Sample(id) => {
                    points += 1;
                    id
                }
            };
            mixed = mixed || work.differ(&[*first.get_or_insert(one), one]);
            if work.settings.splittable(points, mixed) {
                return true;
            }
        }
        false
    }

    /// Removes `node` and all nodes and leaves below it, and notes them and their samples.
    fn dissolve(&mut self, node: NodeId) {
        let mut waiting = std::mem::take(&mut self.scratch.waiting);
        self.scratch.ids.clear();
        self.scratch.removed.clear();
        waiting.clear();
        waiting.push(Subtree::Inner(node));
        while let Some(subtree) = waiting.pop() {
            match subtree {
                Subtree::Inner(node) => {
                    waiting.extend(self.node(node).children.map(Child::get));
                    self.remove_node(node);
                }
                Subtree::Leaf(leaf) => {
                    let first = self.leaf(leaf).first;
                    self.scratch.ids.extend(self.links.list(first));
                    self.remove_leaf(leaf);
                }
                Subtree::Sample(id) => {
                    self.scratch.ids.push(id);
                    continue;
                }
            }
            self.scratch.removed.push(subtree);
        }
        self.scratch.waiting = waiting;
    }
}

/// Resets a leaf whose points may not be cut any more: it was exposed to nothing, so to its birth.
fn unexpose_unless_splittable(leaf: &mut Leaf, birth: f64, settings: &TessellationSettings) {
    if !settings.splittable(leaf.points, leaf.mixed) {
        leaf.exposed = birth;
    }
}
