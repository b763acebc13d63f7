//! Exact upkeep: every node is as in the batch tree of the samples that the tree holds.

use forest_core::SampleId;

use crate::Labels;
use crate::grow::{Growth, Place, Task};
use crate::statistics::{Outcome, Statistics};
use crate::upkeep::Upkeep;

/// What happens to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    Comes,
    Goes,
}

impl<T: Labels> Growth<'_, T> {
    /// Walks down the nodes that keep statistics, until a subtree is built anew, the others are few, or a leaf is reached.
    pub(crate) fn change_exactly(&mut self, root: Place, id: SampleId, change: Change) {
        let (mut place, x) = (root, self.store.features(id));
        while let Some(index) = self.tree.nodes.child(place.link).as_node() {
            let node = self.tree.nodes.get(index);
            let Some(cut) = node.as_cut() else { break };
            let number = node.watch;
            if self.tree.statistics.get(number).is_none() {
                return self.change_few(place, id, change);
            }
            self.update(place, number, id, change);
            let statistics = self.tree.statistics.get(number);
            if statistics.is_some_and(|statistics| !self.upkeep.counts_sides(statistics.count())) {
                self.tree.statistics.release(number);
                self.tree.nodes.get_mut(index).watch = Upkeep::NO_STATISTICS;
                return self.change_few(place, id, change);
            }
            if statistics.and_then(Statistics::best) != Some(cut) {
                return self.rebuild(place, id, change);
            }
            place = place.below(index, cut.side(x));
        }
        self.change_leaf(place, id, change);
    }

    /// Brings the statistics of a node up to date; drops them if there are other candidates now.
    fn update(&mut self, place: Place, number: u32, id: SampleId, change: Change) {
        let (x, code) = (self.store.features(id), self.code(id));
        let statistics = self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics");
        let outcome = match change {
            Change::Comes => statistics.add(place.key, x, code),
            Change::Goes => statistics.remove(x, code),
        };
        let is_kept = match outcome {
            Outcome::UpToDate => true,
            Outcome::Recount => self.recount(place, number, id, change),
            Outcome::Renew => self.renew(place, number, id, change),
        };
        if !is_kept {
            self.tree.statistics.release(number);
        }
    }

    fn recount(&mut self, place: Place, number: u32, id: SampleId, change: Change) -> bool {
        self.collect_changed(place, id, change);
        let samples = self.scratch.set.part(0, self.scratch.set.len());
        let column = &mut self.scratch.search.best;
        let statistics = self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics");
        statistics.recount(place.key, samples, self.store, column)
            || self.renew(place, number, id, change)
    }

    /// Makes the statistics of a node anew; returns false if its samples are a leaf.
    fn renew(&mut self, place: Place, number: u32, id: SampleId, change: Change) -> bool {
        self.collect_changed(place, id, change);
        let samples = self.scratch.set.part(0, self.scratch.set.len());
        if samples.are_pure() {
            return false;
        }
        let order = &mut self.scratch.search.order;
        let statistics = Statistics::new(place.key, samples, self.store, self.candidates, order);
        *self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics") = statistics;
        true
    }

    /// Collects the samples of a node, with the one that comes or without the one that goes.
    fn collect_changed(&mut self, place: Place, id: SampleId, change: Change) {
        self.collect(self.tree.nodes.child(place.link));
        let code = self.code(id);
        match change {
            Change::Comes => self.scratch.set.push(id, code),
            Change::Goes => self.scratch.set.remove(id),
        }
    }

    pub(crate) fn rebuild(&mut self, place: Place, id: SampleId, change: Change) {
        self.collect_changed(place, id, change);
        self.release();
        self.grow(place);
    }

    fn change_leaf(&mut self, place: Place, id: SampleId, change: Change) {
        match change {
            Change::Comes => self.add_to_leaf(place, id),
            Change::Goes => {
                let parent_stays =
                    !self.remove_from_leaf(place, id) || place.link == crate::nodes::Link::Root;
                debug_assert!(parent_stays, "a cut has samples on both sides");
            }
        }
    }

    /// Chooses the cuts on the way of a sample again; the subtree of the first that is another is built anew.
    fn change_few(&mut self, place: Place, id: SampleId, change: Change) {
        self.collect_changed(place, id, change);
        let (end, top) = (self.scratch.set.len(), place);
        let mut task = Task {
            place,
            start: 0,
            end,
        };
        let x = self.store.features(id);
        while let Some(index) = self.tree.nodes.child(task.place.link).as_node() {
            let Some(cut) = self.tree.nodes.get(index).as_cut() else {
                break;
            };
            let chosen = self.choose(task);
            if chosen != Some(cut) {
                self.note_nodes(self.tree.nodes.child(task.place.link));
                self.release();
                self.grow_with(task, chosen);
                return self.count_sides(top, end);
            }
            let Task { place, start, end } = task;
            let scratch = &mut *self.scratch;
            let middle = scratch
                .set
                .divide(start, &scratch.search.best, cut.threshold);
            let side = cut.side(x);
            let (start, end) = [(start, middle), (middle, end)][side];
            task = Task {
                place: place.below(index, side),
                start,
                end,
            };
        }
        self.change_leaf(task.place, id, change);
        self.count_sides(top, end);
    }

    /// Makes the statistics of a node that is no longer small.
    fn count_sides(&mut self, place: Place, count: usize) {
        let child = self.tree.nodes.child(place.link);
        let Some(index) = child.as_node().filter(|_| self.upkeep.counts_sides(count)) else {
            return;
        };
        let node = self.tree.nodes.get(index);
        if node.as_cut().is_none() || node.watch != Upkeep::NO_STATISTICS {
            return;
        }
        self.collect(child);
        let samples = self.scratch.set.part(0, self.scratch.set.len());
        let order = &mut self.scratch.search.order;
        let statistics = Statistics::new(place.key, samples, self.store, self.candidates, order);
        self.tree.nodes.get_mut(index).watch = self.tree.statistics.insert(statistics);
    }
}
