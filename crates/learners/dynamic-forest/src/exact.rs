//! Exact upkeep: every node is as in the batch tree of the samples that the tree holds.
//!
//! Subtrees are set aside while another candidate is the best, since near ties flip many times.

use crate::cuts::Cut;
use crate::grow::{Change, Growth, Place, Task};
use crate::nodes::{Below, Child, MixedLeaf, Node};
use crate::statistics::{Aside, Outcome, Statistics};
use crate::tree::Mode;
use crate::upkeep::Upkeep;

/// The effect of a change on a node that keeps statistics.
enum Verdict {
    /// This is the best cut of its samples.
    Cut(Cut),
    /// They are a leaf.
    Leaf,
    /// There are too few of them to keep statistics.
    Few,
}

impl<V: Mode> Growth<'_, V> {
    /// Walks down the nodes that keep statistics, until a subtree is rebuilt, the others are few, or a leaf is reached.
    pub(crate) fn change_exactly(&mut self, root: Place, change: Change) {
        let is_silent = self.is_silent(change.id());
        let (mut place, x) = (root, self.store.features(change.id()));
        while let Some(index) = self.tree.nodes.child(place.link).as_node() {
            let node = self.tree.nodes.get(index);
            let Some(cut) = node.as_cut() else { break };
            let number = node.watch;
            // A silent sample counts in the nodes on its way, and changes no cut.
            if is_silent {
                self.update_totals(index, change, cut.side(x));
                place = place.below(index, cut.side(x));
                continue;
            }
            if self.tree.statistics.get(number).is_none() {
                return self.change_few(place, change);
            }
            match self.update(place, number, change) {
                Verdict::Cut(best) if best == cut => {
                    self.update_totals(index, change, cut.side(x));
                    self.change_aside(place, index, number, change);
                }
                // Leaves of a subtree that is set aside would miss silent samples.
                Verdict::Cut(best) if !self.tree.silence.is_any() => {
                    return self.change_cut(place, index, cut, best, change);
                }
                Verdict::Cut(_) | Verdict::Leaf => return self.rebuild(place, change),
                Verdict::Few => {
                    self.drop_aside(number);
                    self.tree.statistics.release(number);
                    self.tree.nodes.get_mut(index).watch = Upkeep::NO_STATISTICS;
                    return self.change_few(place, change);
                }
            }
            place = place.below(index, cut.side(x));
        }
        self.change_leaf(place, change);
    }

    fn statistics_of(&mut self, number: u32) -> &mut Statistics<V::Task> {
        &mut self.tree.statistics.values[number as usize]
    }

    /// Brings the statistics of a node up to date.
    fn update(&mut self, place: Place, number: u32, change: Change) -> Verdict {
        let is_leaf = match self.note(place, number, change) {
            Outcome::UpToDate => false,
            Outcome::Recount => !self.recount(place, number, change),
            Outcome::Renew => !self.renew(place, number, change),
        };
        let (upkeep, choice) = (self.upkeep, self.choice);
        let statistics = self.statistics_of(number);
        match statistics.best(choice) {
            _ if !upkeep.counts_sides(statistics.count()) => Verdict::Few,
            Some(best) if !is_leaf => Verdict::Cut(best),
            _ => Verdict::Leaf,
        }
    }

    fn note(&mut self, place: Place, number: u32, change: Change) -> Outcome {
        let (x, sample) = (self.store.features(change.id()), self.coded(change.id()));
        let choice = self.choice;
        let statistics = self.statistics_of(number);
        match change {
            Change::Comes(_) => statistics.add(place.key, x, sample, choice),
            Change::Goes(_) => statistics.remove(x, sample),
        }
    }

    fn recount(&mut self, place: Place, number: u32, change: Change) -> bool {
        self.collect_changed(place, change);
        let task = self.whole_set(place);
        self.hear(task);
        let scratch = &mut *self.scratch;
        let samples = self
            .tree
            .silence
            .voices(&scratch.set, &scratch.voices, task);
        let statistics = &mut self.tree.statistics.values[number as usize];
        let (key, search) = (place.key, &mut scratch.search);
        statistics.recount(key, samples, self.store, self.choice, search)
            || self.renew(place, number, change)
    }

    /// Recomputes the statistics of a node; returns false if its samples all have the same code.
    fn renew(&mut self, place: Place, number: u32, change: Change) -> bool {
        self.collect_changed(place, change);
        let task = self.whole_set(place);
        self.hear(task);
        let statistics = self.statistics(task);
        let old = self.statistics_of(number);
        let aside = old.aside;
        *old = statistics;
        old.aside = aside;
        !self.voices(task).are_pure()
    }

    /// Collects the samples of a node, with the one that comes or without the one that goes.
    fn collect_changed(&mut self, place: Place, change: Change) {
        self.collect(self.tree.nodes.child(place.link));
        match change {
            Change::Comes(id) => self.scratch.set.push(id, self.tree.coded(self.store, id)),
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
            // A cut has samples on both sides, so that only the root can be left with nothing.
            Change::Goes(id) => drop(self.remove_from_leaf(place, id)),
        }
    }

    /// Chooses the cuts on the way of a sample again; the subtree of the first that differs is rebuilt.
    fn change_few(&mut self, place: Place, change: Change) {
        self.collect_changed(place, change);
        let all = self.whole_set(place);
        let (mut task, x) = (all, self.store.features(change.id()));
        while let Some(index) = self.tree.nodes.child(task.place.link).as_node() {
            let Some(cut) = self.tree.nodes.get(index).as_cut() else {
                break;
            };
            let chosen = self.choose(task);
            if chosen != Some(cut) {
                self.release_below([self.tree.nodes.child(task.place.link)]);
                self.grow_with(task, chosen);
                return self.keep_statistics(all);
            }
            let [right, left] = self.divide(task, index, cut);
            let side = cut.side(x);
            self.update_totals(index, change, side);
            task = [left, right][side];
        }
        self.change_leaf(task.place, change);
        self.keep_statistics(all);
    }

    /// Builds the statistics of a node that has become large.
    fn keep_statistics(&mut self, task: Task) {
        let child = self.tree.nodes.child(task.place.link);
        let is_large = self.upkeep.counts_sides(task.end);
        let Some(index) = child.as_node().filter(|_| is_large) else {
            return;
        };
        let node = self.tree.nodes.get(index);
        if node.as_cut().is_none() || node.watch != Upkeep::NO_STATISTICS {
            return;
        }
        self.collect(child);
        let voices = self.count_voices(task);
        if self.upkeep.counts_sides(voices) {
            let statistics = self.statistics(task);
            self.tree.nodes.get_mut(index).watch = self.tree.statistics.insert(statistics);
        }
    }

    /// Replaces a node's old best cut by the new one. The subtree below is set aside, and the one that was aside is restored if it
    /// belongs to this cut.
    fn change_cut(&mut self, place: Place, index: usize, old: Cut, best: Cut, change: Change) {
        self.collect_changed(place, change);
        let node = *self.tree.nodes.get(index);
        let aside = Aside {
            cut: old,
            children: node.children,
            changes: 0,
        };
        let before = self.statistics_of(node.watch).aside.replace(aside);
        self.tree.nodes.get_mut(index).set_cut(best);
        match before {
            Some(before) if before.cut == best => {
                self.tree.nodes.get_mut(index).children = before.children;
                self.change_subtree(place, index, best, change);
            }
            Some(before) => self.release_below(before.children),
            None => {}
        }
        self.change_aside(place, index, node.watch, change);
        self.fill(place, index, best);
    }

    /// Gives the leaves below a node the samples of the set, and builds what is missing.
    fn fill(&mut self, place: Place, index: usize, cut: Cut) {
        let mut tasks = Vec::new();
        self.fill_cut(self.whole_set(place), index, cut, &mut tasks);
        while let Some(task) = tasks.pop() {
            let child = self.tree.nodes.child(task.place.link);
            let samples = self.scratch.set.part(task.start, task.end);
            match child.get() {
                // In a tree that was built here no side of a cut is empty.
                _ if samples.len() == 0 => {
                    self.tree.nodes.set_child(task.place.link, Child::NOTHING);
                    self.release_below([child]);
                }
                Below::Nothing => self.grow_while(task, || true),
                Below::Pure(_) => {
                    let first = self.tree.links.join(samples.ids);
                    self.tree
                        .nodes
                        .set_child(task.place.link, Child::pure(first));
                }
                Below::Node(index) => {
                    let node = self.tree.nodes.get_mut(index);
                    if let Some(leaf) = node.as_mixed() {
                        let first = self.tree.links.join(samples.ids);
                        *node = Node::mixed(MixedLeaf { first, ..leaf });
                    } else if let Some(cut) = node.as_cut() {
                        self.fill_cut(task, index, cut, &mut tasks);
                    }
                }
            }
        }
    }

    fn fill_cut(&mut self, task: Task, index: usize, cut: Cut, tasks: &mut Vec<Task>) {
        self.read_best(task, cut);
        let parts = self.divide(task, index, cut);
        self.add_up_again(index, parts);
        tasks.extend(parts);
    }

    /// Applies a change to the subtree that a node keeps aside; after many changes it is discarded.
    fn change_aside(&mut self, place: Place, index: usize, number: u32, change: Change) {
        let statistics = self.statistics_of(number);
        let count = statistics.count() as u32;
        let Some(aside) = &mut statistics.aside else {
            return;
        };
        aside.changes = aside.changes.saturating_add(1);
        let Aside {
            cut,
            children,
            changes,
        } = *aside;
        if changes > count / Self::SHARE_KEPT {
            return self.drop_aside(number);
        }
        // During the change it is below the node.
        let current = std::mem::replace(&mut self.tree.nodes.get_mut(index).children, children);
        self.change_subtree(place, index, cut, change);
        let children = std::mem::replace(&mut self.tree.nodes.get_mut(index).children, current);
        self.statistics_of(number).aside = Some(Aside {
            cut,
            children,
            changes,
        });
    }

    /// A subtree is discarded once more than one in this many samples has arrived or left while it waited.
    const SHARE_KEPT: u32 = 8;

    fn drop_aside(&mut self, number: u32) {
        if let Some(aside) = self.statistics_of(number).aside.take() {
            self.release_below(aside.children);
        }
    }

    /// Applies a change to a subtree without samples: statistics that stay valid are updated; nodes without any are discarded.
    fn change_subtree(&mut self, place: Place, index: usize, cut: Cut, change: Change) {
        let x = self.store.features(change.id());
        let mut place = place.below(index, cut.side(x));
        loop {
            let child = self.tree.nodes.child(place.link);
            let Some((index, cut)) = self.stays(place, child, change) else {
                self.tree.nodes.set_child(place.link, Child::NOTHING);
                return self.release_below([child]);
            };
            place = place.below(index, cut.side(x));
        }
    }

    /// Returns a node and its cut, if its statistics show that the cut is still the best after the change.
    fn stays(&mut self, place: Place, child: Child, change: Change) -> Option<(usize, Cut)> {
        let index = child.as_node()?;
        let node = *self.tree.nodes.get(index);
        let cut = node.as_cut()?;
        self.tree.statistics.get(node.watch)?;
        self.drop_aside(node.watch);
        let is_noted = self.note(place, node.watch, change) == Outcome::UpToDate;
        let (choice, upkeep) = (self.choice, self.upkeep);
        let statistics = self.statistics_of(node.watch);
        let stays = is_noted && statistics.best(choice) == Some(cut);
        (stays && upkeep.counts_sides(statistics.count())).then_some((index, cut))
    }
}
