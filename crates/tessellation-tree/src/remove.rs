//! Taking a sample out, so that the tree has the law of one that never held it.

use forest_core::{SampleId, SampleStore};

use crate::node::{Child, LeafId, Subtree};
use crate::path::steps;
use crate::{
    CutDistribution, CutSettings, LabelContext, LabelModel, NodeId, TessellationSettings,
    TessellationTree,
};

type SettingsOf<D, L> =
    TessellationSettings<<D as CutDistribution>::Settings, <L as LabelModel>::Settings>;

fn labels<'a, C: CutSettings, L: LabelModel>(
    samples: &'a SampleStore<L::Task>,
    settings: &'a TessellationSettings<C, L::Settings>,
) -> LabelContext<'a, L> {
    LabelContext {
        settings: &settings.labels,
        samples,
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Takes the sample `id` out. Costs a walk, and a pass over the other points of its leaf or, if
    /// they may not be cut any more, over those of the node that becomes a leaf.
    pub(crate) fn remove(
        &mut self,
        id: SampleId,
        samples: &SampleStore<L::Task>,
        settings: &SettingsOf<D, L>,
        proof: L::Forgets,
    ) {
        let Some(leaf) = self.walk_down(samples.features(id)) else {
            return;
        };
        self.held -= 1;
        match leaf {
            Subtree::Leaf(leaf) => self.leave(leaf, id, samples, settings, proof),
            _ => self.splice(settings),
        }
        self.collapse(samples, settings);
        let level = self.scratch.path.len();
        self.walk_again(level, self.parent_at(level), samples);
        let below = match self.parent_at(level) {
            Some((node, side)) => self.nodes[node].child(side),
            None => return,
        };
        let path = steps(&self.nodes, &self.scratch.path);
        let context = labels(samples, settings);
        self.labels.path_left(path, below, id, context, proof);
    }

    /// A sample leaves its leaf of several. What is known of cuts between the others stays known,
    /// unless they may not be cut any more.
    fn leave(
        &mut self,
        id: LeafId,
        sample: SampleId,
        samples: &SampleStore<L::Task>,
        settings: &SettingsOf<D, L>,
        proof: L::Forgets,
    ) {
        let level = self.scratch.path.len();
        let (parent, birth) = (self.parent_at(level), self.birth_below(level));
        let leaf = &mut self.leaves[id];
        let mut first = Some(leaf.first);
        self.links.remove(sample, &mut first);
        leaf.points -= 1;
        self.scratch.counts.points_by_removals += u64::from(leaf.points);
        leaf.first = first.expect("a leaf of several samples keeps one");
        let others = self.links.list(leaf.first);
        let others = others.map(|id| samples.features(id));
        let boxes = &mut self.scratch.boxes;
        boxes.leave(id, samples.features(sample), others);
        if leaf.points == 1 {
            let last = Subtree::Sample(leaf.first);
            self.remove_leaf(id);
            return self.set_child(parent, last);
        }
        if leaf.center == sample {
            // The next exposure to a larger budget measures the leaf again.
            (leaf.center, leaf.radius) = (leaf.first, f32::INFINITY);
        }
        if leaf.mixed {
            let target = samples.target(leaf.first);
            let mut others = self.links.list(leaf.first);
            leaf.mixed = others.any(|id| samples.target(id) != target);
        }
        if !settings.may_cut(leaf.points, leaf.mixed) {
            leaf.exposed = birth;
        }
        let remaining = self.links.list(leaf.first);
        let context = labels(samples, settings);
        self.labels.leaf_left(id, sample, remaining, context, proof);
    }

    /// The last node of the path, beside the sample that leaves, separates nothing any more: its
    /// other child takes its place and its birth.
    fn splice(&mut self, settings: &SettingsOf<D, L>) {
        let Some(turn) = self.scratch.path.pop() else {
            self.root = None;
            return;
        };
        let level = self.scratch.path.len();
        let sibling = self.nodes[turn.node].child(turn.side.opposite());
        self.set_child(self.parent_at(level), sibling);
        self.remove_node(turn.node);
        let birth = self.birth_below(level);
        if let Subtree::Leaf(leaf) = sibling {
            let leaf = &mut self.leaves[leaf];
            if !settings.may_cut(leaf.points, leaf.mixed) {
                leaf.exposed = birth;
            }
        }
    }

    fn remove_node(&mut self, node: NodeId) {
        self.cuts.release(&self.nodes[node].cut);
        self.labels.node_removed(node);
        self.nodes.remove(node);
    }

    /// The highest node of the path whose points may not be cut any more becomes one leaf, exposed
    /// to nothing: whatever was known of it was learned from cuts that are not drawn for such points.
    fn collapse(&mut self, samples: &SampleStore<L::Task>, settings: &SettingsOf<D, L>) {
        if settings.may_cut(2, false) {
            return;
        }
        let mut top = None;
        while let Some(&turn) = self.scratch.path.last() {
            if self.may_be_cut(turn.node, samples, settings) {
                break;
            }
            top = Some(turn.node);
            self.scratch.path.pop();
        }
        let Some(top) = top else {
            return;
        };
        let mut ids = std::mem::take(&mut self.scratch.ids);
        ids.clear();
        self.dissolve(top, &mut ids);
        let level = self.scratch.path.len();
        let context = labels(samples, settings);
        let leaf = self.leaf_of(&ids, self.birth_below(level), context);
        let leaf = leaf.expect("an inner node has points");
        self.set_child(self.parent_at(level), leaf);
        self.scratch.ids = ids;
    }

    /// Whether the points of a node may be cut. Looks at no more of them than it takes to tell.
    fn may_be_cut(
        &mut self,
        node: NodeId,
        samples: &SampleStore<L::Task>,
        settings: &SettingsOf<D, L>,
    ) -> bool {
        let (mut points, mut mixed, mut target) = (0, false, None);
        let mut waiting = std::mem::take(&mut self.scratch.subtrees);
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
            self.scratch.counts.points_by_removals += 1;
            let of_one = samples.target(one);
            mixed |= *target.get_or_insert(of_one) != of_one;
            if settings.may_cut(points, mixed) {
                break;
            }
        }
        self.scratch.subtrees = waiting;
        settings.may_cut(points, mixed)
    }

    /// Removes all nodes and leaves below `node`, and it; its samples are appended to `ids`.
    fn dissolve(&mut self, node: NodeId, ids: &mut Vec<SampleId>) {
        let mut waiting = std::mem::take(&mut self.scratch.subtrees);
        waiting.clear();
        waiting.push(Subtree::Inner(node));
        while let Some(subtree) = waiting.pop() {
            match subtree {
                Subtree::Inner(node) => {
                    waiting.extend(self.nodes[node].children.map(Child::get));
                    self.remove_node(node);
                }
                Subtree::Leaf(leaf) => {
                    ids.extend(self.links.list(self.leaves[leaf].first));
                    self.remove_leaf(leaf);
                }
                Subtree::Sample(id) => ids.push(id),
            }
        }
        self.scratch.subtrees = waiting;
    }
}
