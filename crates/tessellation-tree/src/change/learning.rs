//! A sample is learned: descent, first separation, a place above it or in its leaf, labels, exposure.

use forest_core::SampleId;

use super::Change;
use crate::change::insert::Insertion;
use crate::structure::node::{Subtree, Turn};
use crate::walks::path::steps;
use crate::{CutDistribution, Joined, LabelModel};

impl<D: CutDistribution, L: LabelModel> Change<'_, D, L> {
    /// Inserts the sample `id`, which the tree does not hold.
    pub(crate) fn insert(&mut self, id: SampleId) {
        self.structure.hold(id);
        let Some(root) = self.structure.root else {
            return self.structure.set_child(None, Subtree::Sample(id));
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let mut descent = self.structure.descend_to_learn(root, id, points, turns);
        let insertion = self.structure.insert(id, &mut descent, &mut self.work);
        // Those above the change: the sample joins their points.
        let passed = insertion.level;
        self.inserted(id, &insertion, &descent.turns[..passed]);
        if let Some(leaf) = insertion.to_expose {
            self.expose(leaf, &descent.turns);
        }
        self.structure.walk_again(&descent.turns[..passed], points);
        self.work.memory.turns = descent.turns;
    }

    /// Informs the label model.
    fn inserted(&mut self, id: SampleId, insertion: &Insertion, passed: &[Turn]) {
        if let (Some(first), Joined::Leaf(leaf)) = (insertion.made_of, insertion.end) {
            // `joined` is for the second sample, as it is for a leaf that was there before.
            let first = std::iter::once(first);
            self.labels.leaf_made(leaf, first, self.context);
        }
        let path = steps(&self.structure.nodes, passed);
        self.labels.joined(path, insertion.end, id, self.context);
    }

    /// What a full tree learns of a sample: it counts in the statistics on its path.
    pub(crate) fn count(&mut self, id: SampleId) {
        let Some(root) = self.structure.root else {
            unreachable!("a full tree has nodes");
        };
        let points = self.work.samples.points();
        let turns = std::mem::take(&mut self.work.memory.turns);
        let descent = self.structure.descend_to_learn(root, id, points, turns);
        let Subtree::Leaf(leaf) = descent.leaf else {
            unreachable!("each leaf of a full tree has a record");
        };
        let points = &mut self.structure.leaves[leaf].points;
        *points = points.saturating_add(1);
        let path = steps(&self.structure.nodes, &descent.turns);
        let end = Joined::Leaf(leaf);
        self.labels.joined(path, end, id, self.context);
        self.work.memory.turns = descent.turns;
    }
}
