//! Exact upkeep: every node is as in the batch tree of the samples that the tree holds.

use forest_core::SampleId;

use crate::grow::{Growth, Place, Task};
use crate::labels::sealed::Sums;
use crate::nodes::{Cut, Link};
use crate::scratch::{Scratch, heard};
use crate::silence::Silence;
use crate::statistics::Outcome;
use crate::upkeep::Upkeep;

/// What happens to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    Comes(SampleId),
    Goes(SampleId),
}

impl Change {
    pub(crate) fn id(self) -> SampleId {
        match self {
            Self::Comes(id) | Self::Goes(id) => id,
        }
    }
}

/// The effect of a change on a node that keeps statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// This is the best cut of its samples.
    Cut(Cut),
    /// They are a leaf.
    Leaf,
    /// There are too few of them to keep statistics.
    Few,
}

impl<T: Sums> Growth<'_, T> {
    /// Walks down the nodes that keep statistics, until a subtree is rebuilt, the others are few, or a leaf is reached.
    pub(crate) fn change_exactly(&mut self, root: Place, change: Change) {
        if self.is_silent(change.id()) {
            return self.change_silently(root, change);
        }
        let (mut place, x) = (root, self.store.features(change.id()));
        while let Some(index) = self.tree.nodes.child(place.link).as_node() {
            let node = self.tree.nodes.get(index);
            let Some(cut) = node.as_cut() else { break };
            let number = node.watch;
            if self.tree.statistics.get(number).is_none() {
                return self.change_few(place, change);
            }
            match self.update(place, number, change) {
                Verdict::Cut(best) if best == cut => {
                    self.update_totals(index, change, cut.side(x));
                    self.change_aside(place, index, number, change);
                }
                // Leaves of a subtree that is set aside would miss silent samples.
                Verdict::Cut(_) if T::Silence::ANY => return self.rebuild(place, change),
                Verdict::Cut(best) => return self.change_cut(place, index, (cut, best), change),
                Verdict::Leaf => return self.rebuild(place, change),
                Verdict::Few => {
                    self.forget_statistics(index, number);
                    return self.change_few(place, change);
                }
            }
            place = place.below(index, cut.side(x));
        }
        self.change_leaf(place, change);
    }

    /// A silent sample counts in the nodes on its way, and changes no cut.
    fn change_silently(&mut self, mut place: Place, change: Change) {
        let x = self.store.features(change.id());
        while let Some(index) = self.tree.nodes.child(place.link).as_node() {
            let Some(cut) = self.tree.nodes.get(index).as_cut() else {
                break;
            };
            self.update_totals(index, change, cut.side(x));
            place = place.below(index, cut.side(x));
        }
        self.change_leaf(place, change);
    }

    /// Brings the statistics of a node up to date.
    fn update(&mut self, place: Place, number: u32, change: Change) -> Verdict {
        let is_leaf = match self.note(place, number, change) {
            Outcome::UpToDate => false,
            Outcome::Recount => !self.recount(place, number, change),
            Outcome::Renew => !self.renew(place, number, change),
        };
        let statistics = self
            .tree
            .statistics
            .get(number)
            .expect("a node with statistics");
        match statistics.best(self.choice) {
            _ if !self.upkeep.counts_sides(statistics.count()) => Verdict::Few,
            Some(best) if !is_leaf => Verdict::Cut(best),
            _ => Verdict::Leaf,
        }
    }

    pub(crate) fn note(&mut self, place: Place, number: u32, change: Change) -> Outcome {
        let (x, code) = (self.store.features(change.id()), self.code(change.id()));
        let statistics = self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics");
        match change {
            Change::Comes(_) => statistics.add(place.key, x, code, self.choice),
            Change::Goes(_) => statistics.remove(x, code),
        }
    }

    fn recount(&mut self, place: Place, number: u32, change: Change) -> bool {
        self.collect_changed(place, change);
        let count = self.scratch.set.len();
        self.hear(0, count);
        let Scratch {
            set,
            voices,
            search,
            ..
        } = &mut *self.scratch;
        let samples = heard::<T::Silence, _>(set, voices, 0, count);
        let column = &mut search.best;
        let statistics = self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics");
        let is_done = statistics.recount(place.key, samples, self.store, self.choice, column);
        is_done || self.renew(place, number, change)
    }

    /// Recomputes the statistics of a node; returns false if its samples all have the same code.
    fn renew(&mut self, place: Place, number: u32, change: Change) -> bool {
        self.collect_changed(place, change);
        let count = self.scratch.set.len();
        self.hear(0, count);
        let statistics = self.statistics(place, 0, count);
        let old = self
            .tree
            .statistics
            .get_mut(number)
            .expect("a node with statistics");
        let aside = old.aside;
        *old = statistics;
        old.aside = aside;
        !self.voices(0, count).are_pure()
    }

    /// Collects the samples of a node, with the one that comes or without the one that goes.
    pub(crate) fn collect_changed(&mut self, place: Place, change: Change) {
        self.collect(self.tree.nodes.child(place.link));
        let code = self.code(change.id());
        match change {
            Change::Comes(id) => self.scratch.set.push(id, code),
            Change::Goes(id) => self.scratch.set.remove(id),
        }
    }

    pub(crate) fn rebuild(&mut self, place: Place, change: Change) {
        self.collect_changed(place, change);
        self.release();
        self.grow(place);
    }

    fn change_leaf(&mut self, place: Place, change: Change) {
        match change {
            Change::Comes(id) => self.add_to_leaf(place, id),
            Change::Goes(id) => {
                let parent_stays = !self.remove_from_leaf(place, id) || place.link == Link::Root;
                debug_assert!(parent_stays, "a cut has samples on both sides");
            }
        }
    }

    /// Chooses the cuts on the way of a sample again; the subtree of the first that differs is rebuilt.
    fn change_few(&mut self, place: Place, change: Change) {
        self.collect_changed(place, change);
        let (end, top) = (self.scratch.set.len(), place);
        let mut task = Task {
            place,
            start: 0,
            end,
        };
        let x = self.store.features(change.id());
        while let Some(index) = self.tree.nodes.child(task.place.link).as_node() {
            let Some(cut) = self.tree.nodes.get(index).as_cut() else {
                break;
            };
            let chosen = self.choose(task);
            if chosen != Some(cut) {
                self.release_below([self.tree.nodes.child(task.place.link)]);
                self.grow_with(task, chosen);
                return self.keep_statistics(top, end);
            }
            let [right, left] = self.divide(task, index, cut);
            let side = cut.side(x);
            self.update_totals(index, change, side);
            task = if side == 0 { left } else { right };
        }
        self.change_leaf(task.place, change);
        self.keep_statistics(top, end);
    }

    /// Builds the statistics of a node that has become large.
    fn keep_statistics(&mut self, place: Place, count: usize) {
        let child = self.tree.nodes.child(place.link);
        let Some(index) = child.as_node().filter(|_| self.upkeep.counts_sides(count)) else {
            return;
        };
        let node = self.tree.nodes.get(index);
        if node.as_cut().is_none() || node.watch != Upkeep::NO_STATISTICS {
            return;
        }
        self.collect(child);
        let (start, end) = (0, count);
        if self
            .upkeep
            .counts_sides(self.count_voices(Task { place, start, end }))
        {
            let statistics = self.statistics(place, 0, count);
            self.tree.nodes.get_mut(index).watch = self.tree.statistics.insert(statistics);
        }
    }

    fn forget_statistics(&mut self, index: usize, number: u32) {
        self.drop_aside(number);
        self.tree.statistics.release(number);
        self.tree.nodes.get_mut(index).watch = Upkeep::NO_STATISTICS;
    }
}
