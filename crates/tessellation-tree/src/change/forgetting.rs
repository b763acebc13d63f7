//! A sample is taken out: of its leaf, of nodes that have too few points without it, and of the labels on its path.

use forest_core::SampleId;

use super::Change;
use crate::change::remove::{Collapse, Rest};
use crate::structure::node::Subtree;
use crate::walks::descent::parent_below;
use crate::walks::path::steps;
use crate::{CutDistribution, ForgetLabels, LabelModel};

impl<D: CutDistribution, L: ForgetLabels> Change<'_, D, L> {
    /// Takes the sample `id` out. Costs a walk, and a pass over the other points of its leaf or, if
    /// they may not be cut any more, over those of the node that becomes a leaf.
    pub(crate) fn remove(&mut self, id: SampleId) {
        let Some(root) = self.structure.root else {
            return;
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let mut descent = self.structure.descend(root, points.features(id), turns);
        let rest = self.structure.take_out(id, &mut descent, &self.work);
        self.taken_out(id, rest);
        if let Some(collapse) = self.structure.collapse(&mut descent, &mut self.work) {
            self.collapsed(collapse);
        }
        // Routes of later samples of a batch may lead through nodes that were removed.
        self.structure.walk_again(&descent.turns, points);
        if let Some(below) = self.structure.child_of(parent_below(&descent.turns)) {
            let path = steps(&self.structure.nodes, &descent.turns);
            let labels = &mut self.labels;
            labels.path_left(path, below.get(), id, self.context);
        }
        self.work.memory.turns = descent.turns;
    }

    fn taken_out(&mut self, id: SampleId, rest: Rest) {
        match rest {
            Rest::Several(leaf) => {
                let remaining = self.structure.samples_of(leaf);
                self.labels.leaf_left(leaf, id, remaining, self.context);
            }
            Rest::One(leaf) => self.labels.leaf_removed(leaf),
            Rest::Nothing(node) => self.labels.node_removed(node),
            Rest::Empty => {}
        }
    }
}

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    fn collapsed(&mut self, collapse: Collapse) {
        for &removed in &collapse.removed {
            match removed {
                Subtree::Inner(node) => self.labels.node_removed(node),
                Subtree::Leaf(leaf) => self.labels.leaf_removed(leaf),
                Subtree::Sample(_) => {}
            }
        }
        if let Some(leaf) = collapse.leaf {
            let ids = collapse.ids.iter().copied();
            self.labels.leaf_made(leaf, ids, self.context);
        }
        self.work.memory.collapse = collapse;
    }
}
