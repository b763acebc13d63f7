//! Samples that arrive at leaves and leave them.

use forest_core::SampleId;

use crate::cuts::is_same_point;
use crate::grow::{Change, Growth, Place};
use crate::labels::MixedLeaves;
use crate::nodes::{Below, Child, MixedLeaf, Node};
use crate::tree::Mode;

impl<V: Mode> Growth<'_, V> {
    /// Adds a sample to the leaf at `place`, which becomes what the batch tree has there.
    pub(crate) fn add_to_leaf(&mut self, place: Place, id: SampleId) {
        let child = self.tree.nodes.child(place.link);
        match child.get() {
            Below::Nothing => self.tree.nodes.set_child(place.link, Child::pure(id)),
            Below::Pure(first) if self.code(first) == self.code(id) => {
                self.tree.links.insert_second(id, first);
            }
            Below::Node(index) if self.stays_mixed(index, id) => self.add_to_mixed(index, id),
            _ => self.rebuild(place, Change::Comes(id)),
        }
    }

    /// Returns whether a mixed leaf is one with this sample, too: as one of too few, or at the same point as the others. As many as can be
    /// cut are at one point, unless cuts must leave more than one sample on each side.
    fn stays_mixed(&self, index: usize, id: SampleId) -> bool {
        let leaf = self.mixed_leaf(index);
        if self.is_silent(id) {
            return true;
        }
        let Some(first) = self.voices_of(leaf.first).next() else {
            return true;
        };
        if leaf.is_settled {
            return self.code(first) == self.code(id);
        }
        let count = self.count_of(leaf);
        if count < self.fewest_to_cut {
            return count + 1 < self.fewest_to_cut;
        }
        match self.choice.side {
            1 => is_same_point(self.store.features(first), self.store.features(id)),
            _ => !self.is_due(count + 1),
        }
    }

    /// Returns the number of samples of a leaf that choose cuts; no more are counted than matter.
    fn count_of(&self, leaf: MixedLeaf) -> usize {
        if !self.tree.silence.is_any() {
            return leaf.count as usize;
        }
        let enough = match self.choice.side {
            1 => self.fewest_to_cut,
            _ => usize::MAX,
        };
        self.voices_of(leaf.first).take(enough).count()
    }

    /// Returns whether a leaf of this many samples, for which no cut left enough on each side before, is reconsidered.
    fn is_due(&self, count: usize) -> bool {
        count.is_multiple_of(self.upkeep.leaf_step(count))
    }

    fn mixed_leaf(&self, index: usize) -> MixedLeaf {
        let leaf = self.tree.nodes.get(index).as_mixed();
        leaf.expect("a walk ends at a leaf")
    }

    fn add_to_mixed(&mut self, index: usize, id: SampleId) {
        let leaf = self.mixed_leaf(index);
        self.tree.mixed.change(leaf.sums, self.coded(id), 1);
        self.tree.links.insert_second(id, leaf.first);
        self.tree.nodes.get_mut(index).watch = leaf.count + 1;
    }

    /// Takes a sample out of the leaf at `place`; returns whether that leaves nothing.
    pub(crate) fn remove_from_leaf(&mut self, place: Place, id: SampleId) -> bool {
        let child = match self.tree.nodes.child(place.link).get() {
            Below::Nothing => Child::NOTHING,
            Below::Pure(first) => {
                let mut first = Some(first);
                self.tree.links.remove(id, &mut first);
                first.map_or(Child::NOTHING, Child::pure)
            }
            Below::Node(index) => self.remove_from_mixed(index, id),
        };
        self.tree.nodes.set_child(place.link, child);
        if !self.is_silent(id) {
            self.look_again(place, child);
        }
        child == Child::NOTHING
    }

    /// Without a sample other thresholds are considered, which may leave enough on each side.
    fn look_again(&mut self, place: Place, child: Child) {
        let Some(index) = child.as_node().filter(|_| self.choice.side > 1) else {
            return;
        };
        let count = self.count_of(self.mixed_leaf(index));
        if count >= self.fewest_to_cut && self.is_due(count) {
            self.collect(child);
            self.release();
            self.grow(place);
        }
    }

    fn remove_from_mixed(&mut self, index: usize, id: SampleId) -> Child {
        let leaf = self.mixed_leaf(index);
        let mut first = Some(leaf.first);
        self.tree.links.remove(id, &mut first);
        let first = first.expect("samples that differ are two at least");
        if self.is_pure(first) {
            self.tree.mixed.release(leaf.sums);
            self.tree.nodes.release(index);
            return Child::pure(first);
        }
        self.tree.mixed.change(leaf.sums, self.coded(id), -1);
        let leaf = MixedLeaf {
            first,
            count: leaf.count - 1,
            ..leaf
        };
        *self.tree.nodes.get_mut(index) = Node::mixed(leaf);
        Child::node(index)
    }

    /// Returns whether all samples of a list have the same code; ends at the first that differs.
    pub(crate) fn is_pure(&self, first: SampleId) -> bool {
        let code = self.code(first);
        self.tree.links.list(first).all(|id| self.code(id) == code)
    }
}
