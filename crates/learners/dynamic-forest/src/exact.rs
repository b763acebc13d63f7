//! Exact upkeep: every node is that of the batch tree of the samples that the tree holds.
//!
//! Subtrees are kept aside while another candidate is the best, since near ties change their order many times.

use crate::grow::Growth;
use crate::labels::Change;
use crate::nodes::Child;
use crate::samples::{Place, Scratch, Task};
use crate::settings::Rules;
use crate::splits::Split;
use crate::statistics::{Aside, Outcome, Statistics};
use crate::tree::Variant;

/// A subtree that is kept aside is discarded once more than one in this many samples has arrived or left.
const SHARE_KEPT: u32 = 8;

impl<V: Variant> Growth<'_, V> {
    /// Updates the nodes with statistics on the path of a sample, down to a subtree without them or rebuilt.
    pub(crate) fn change_exactly(&mut self, change: Change<V::Task>) {
        let x = self.store.features(change.id);
        let mut place = self.root;
        while let Some((index, split)) = self.tree.nodes.split_of(place.link) {
            let number = self.tree.nodes.get(index).watch;
            // A silent sample counts in totals and changes no split.
            if !change.is_silent {
                if self.tree.statistics.get(number).is_none() {
                    return self.change_few(place, change);
                }
                let best = self.update(place, number, change);
                let count = self.statistics_of(number).count();
                if !self.rules.keeps_statistics(count) {
                    self.drop_aside(number);
                    self.tree.statistics.release(number);
                    self.tree.nodes.get_mut(index).watch = Rules::NO_STATISTICS;
                    return self.change_few(place, change);
                }
                if best != Some(split) {
                    // A subtree that is kept aside would miss the silent samples.
                    return match best.filter(|_| !self.tree.silence.is_any()) {
                        Some(best) => self.change_split(place, index, best, change),
                        None => self.rebuild(place, change),
                    };
                }
                self.change_aside(place, index, change);
            }
            self.update_totals(index, change, split.side(x));
            place = place.below(index, split.side(x));
        }
        self.change_leaf(place, change);
    }

    fn statistics_of(&mut self, number: u32) -> &mut Statistics<V::Task> {
        &mut self.tree.statistics.values[number as usize]
    }

    /// Updates the statistics of a node; returns the best split of its samples, `None` if they are a leaf.
    fn update(&mut self, place: Place, number: u32, change: Change<V::Task>) -> Option<Split> {
        let rules = self.rules;
        let outcome = self.note(place, number, change);
        if outcome != Outcome::UpToDate {
            self.collect_changed(place, change);
            let task = self.whole_set(place);
            let Scratch { set, search, .. } = &mut *self.scratch;
            let group = set.group(task, self.store, rules);
            let statistics = &mut self.tree.statistics.values[number as usize];
            if outcome == Outcome::Renew || !statistics.recount(group, search) {
                let aside = statistics.aside;
                *statistics = Statistics::new(group, search);
                statistics.aside = aside;
                if group.samples.are_pure() {
                    return None;
                }
            }
        }
        self.statistics_of(number).best(rules)
    }

    fn note(&mut self, place: Place, number: u32, change: Change<V::Task>) -> Outcome {
        let x = self.store.features(change.id);
        let rules = self.rules;
        self.statistics_of(number)
            .change(place.key, x, change, rules)
    }

    /// Chooses the splits on the path of a sample again; the subtree of the first that differs is rebuilt.
    fn change_few(&mut self, place: Place, change: Change<V::Task>) {
        self.collect_changed(place, change);
        let x = self.store.features(change.id);
        let all = self.whole_set(place);
        let mut task = all;
        while let Some((index, split)) = self.tree.nodes.split_of(task.place.link) {
            let chosen = self.choose(task);
            if chosen != Some(split) {
                self.release_below([Child::node(index)]);
                self.grow_with(task, chosen);
                return self.keep_statistics(all);
            }
            let [right, left] = self.divide(task, index, split);
            let side = split.side(x);
            self.update_totals(index, change, side);
            task = [left, right][side];
        }
        self.change_leaf(task.place, change);
        self.keep_statistics(all);
    }

    /// Builds the statistics of a node that has become large enough for them.
    fn keep_statistics(&mut self, Task { place, active, .. }: Task) {
        if self.rules.keeps_statistics(active)
            && let Some((index, _)) = self.tree.nodes.split_of(place.link)
            && self.tree.nodes.get(index).watch == Rules::NO_STATISTICS
        {
            self.collect(Child::node(index));
            let statistics = self.statistics(self.whole_set(place));
            self.tree.nodes.get_mut(index).watch = self.tree.statistics.insert(statistics);
        }
    }

    /// Replaces the split of a node by a better one. The subtree is put aside; one that was aside may be restored.
    fn change_split(&mut self, place: Place, index: usize, best: Split, change: Change<V::Task>) {
        self.collect_changed(place, change);
        let node = self.tree.nodes.get_mut(index);
        let aside = Aside {
            split: std::mem::replace(&mut node.split, best),
            children: std::mem::replace(&mut node.children, [Child::NOTHING; 2]),
            changes: 0,
        };
        let number = node.watch;
        match self.statistics_of(number).aside.replace(aside) {
            Some(before) if before.split == best => {
                self.tree.nodes.get_mut(index).children = before.children;
                self.change_subtree(place, index, best, change);
            }
            Some(before) => self.release_below(before.children),
            None => {}
        }
        self.change_aside(place, index, change);
        self.grow(place, || true);
    }

    /// Applies a change to the subtree that a node keeps aside, or discards it after many changes.
    fn change_aside(&mut self, place: Place, index: usize, change: Change<V::Task>) {
        let number = self.tree.nodes.get(index).watch;
        let statistics = self.statistics_of(number);
        let count = statistics.count() as u32;
        let Some(mut aside) = statistics.aside.take() else {
            return;
        };
        aside.changes = aside.changes.saturating_add(1);
        if aside.changes > count / SHARE_KEPT {
            return self.release_below(aside.children);
        }
        // It takes the place of the subtree below the node during the change.
        let node = self.tree.nodes.get_mut(index);
        std::mem::swap(&mut node.children, &mut aside.children);
        self.change_subtree(place, index, aside.split, change);
        let node = self.tree.nodes.get_mut(index);
        std::mem::swap(&mut node.children, &mut aside.children);
        self.statistics_of(number).aside = Some(aside);
    }

    fn drop_aside(&mut self, number: u32) {
        if let Some(aside) = self.statistics_of(number).aside.take() {
            self.release_below(aside.children);
        }
    }

    /// Applies a change to a subtree that is kept aside: updates statistics as long as they show that the splits on the
    /// path are still the best, and discards the subtree below the last of these nodes.
    fn change_subtree(
        &mut self,
        place: Place,
        index: usize,
        split: Split,
        change: Change<V::Task>,
    ) {
        let x = self.store.features(change.id);
        let mut place = place.below(index, split.side(x));
        while let Some((index, split)) = self.tree.nodes.split_of(place.link) {
            let rules = self.rules;
            let number = self.tree.nodes.get(index).watch;
            if self.tree.statistics.get(number).is_none() {
                break;
            }
            self.drop_aside(number);
            let outcome = self.note(place, number, change);
            let statistics = self.statistics_of(number);
            let is_large = rules.keeps_statistics(statistics.count());
            if outcome != Outcome::UpToDate || !is_large || statistics.best(rules) != Some(split) {
                break;
            }
            place = place.below(index, split.side(x));
        }
        let child = self.tree.nodes.child(place.link);
        self.tree.nodes.set_child(place.link, Child::NOTHING);
        self.release_below([child]);
    }
}
