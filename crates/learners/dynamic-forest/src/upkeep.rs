//! Samples that are added and removed: changes of leaves, and lazy upkeep, where splits are chosen again at times.

use forest_core::{SampleId, SampleWeight};
use smallvec::SmallVec;

use crate::grow::Growth;
use crate::labels::{Change, Labels};
use crate::nodes::{Below, Child, MixedLeaf, Node};
use crate::samples::Place;
use crate::splits::is_same_point;
use crate::tree::Variant;

/// Nodes on the path of a sample whose split has to be reconsidered, from the root.
type Due = SmallVec<[(Place, usize); 8]>;

impl<V: Variant> Growth<'_, V> {
    /// Replaces the tree by the batch tree of these samples; `proceed` as in [`grow`](Self::grow).
    pub(crate) fn grow_all(&mut self, ids: &[SampleId], proceed: impl Fn() -> bool) {
        let mut weights = ids.iter().map(|&id| self.store.weight(id));
        let is_weighted = weights.any(|weight| weight != SampleWeight::ONE);
        let before = std::mem::take(self.tree);
        self.tree.seed = before.seed;
        self.tree.silence = before.silence;
        self.tree.is_weighted = is_weighted || before.is_weighted;
        self.scratch.set.begin(self.tree.is_weighted);
        for &id in ids {
            V::Task::count_target(&mut self.tree.unit, self.store.target(id), 1);
            self.tree.links.fit(id);
        }
        for &id in ids {
            let sample = self.coded(id);
            let is_silent = self.is_silent(id);
            self.scratch.set.push(id, sample, is_silent);
        }
        self.grow(self.root, proceed);
    }

    pub(crate) fn learn(&mut self, id: SampleId) {
        if !self.tree.is_weighted && self.store.weight(id) != SampleWeight::ONE {
            // Rebuilt once: from now on samples count by their weights.
            self.collect(self.tree.nodes.root);
            let ids = std::mem::take(&mut self.scratch.set.ids);
            self.tree.is_weighted = true;
            self.grow_all(&ids, || true);
        }
        self.tree.links.fit(id);
        self.change(id, 1);
    }

    pub(crate) fn forget(&mut self, id: SampleId) {
        self.change(id, -1);
    }

    fn change(&mut self, id: SampleId, step: i32) {
        let target = self.store.target(id);
        let changes_codes = V::Task::count_target(&mut self.tree.unit, target, step);
        let change = Change {
            id,
            sample: self.coded(id),
            is_silent: self.is_silent(id),
            step,
        };
        if changes_codes {
            self.rebuild(self.root, change);
        } else if self.rules.recheck > 0.0 {
            self.change_lazily(change);
        } else {
            self.change_exactly(change);
        }
    }

    fn change_lazily(&mut self, change: Change<V::Task>) {
        let mut due = Due::new();
        let (leaf, parent) = self.walk(change, &mut due);
        if self.change_leaf(leaf, change) {
            // An inner node has samples on both sides at all times.
            let parent = parent.filter(|parent| due.last().is_none_or(|last| last.1 != parent.1));
            due.extend(parent);
        }
        // A rebuilt subtree includes all nodes below it that are due.
        for &(place, index) in &due {
            self.collect(self.tree.nodes.child(place.link));
            let task = self.whole_set(place);
            let split = self.choose(task);
            if split.is_none() || split != self.tree.nodes.get(index).as_split() {
                self.release();
                self.grow_with(task, split);
                break;
            }
            self.tree.nodes.get_mut(index).watch = self.changes_until_recheck(task);
        }
        self.tree.nodes.keep_in_order();
    }

    /// Counts the change in every node on the path of a sample; returns the place of its leaf, and the node above it.
    #[inline]
    fn walk(&mut self, change: Change<V::Task>, due: &mut Due) -> (Place, Option<(Place, usize)>) {
        let x = self.store.features(change.id);
        let mut place = self.root;
        let mut child = self.tree.nodes.root;
        let mut parent = None;
        while let Some(index) = child.as_node() {
            let node = self.tree.nodes.get_mut(index);
            let Some(split) = node.as_split() else { break };
            if !change.is_silent {
                let mut changes = V::A_CHANGE;
                if let [counts] = node.totals.as_ref() {
                    // So that rare classes have as much influence as frequent ones.
                    let rarity = V::Task::rarity(&self.tree.leaves, counts.sums, change.sample);
                    changes = (rarity * f64::from(V::A_CHANGE)) as u32;
                }
                node.watch = node.watch.saturating_sub(changes.max(1));
                if node.watch == 0 {
                    due.push((place, index));
                }
            }
            parent = Some((place, index));
            let side = split.side(x);
            child = node.children[side];
            self.update_totals(index, change, side);
            place = place.below(index, side);
        }
        (place, parent)
    }

    /// Applies a change to a leaf; returns whether it is now empty. A leaf that needs a split is rebuilt.
    pub(crate) fn change_leaf(&mut self, place: Place, change: Change<V::Task>) -> bool {
        if change.step < 0 {
            return self.remove_from_leaf(place, change);
        }
        let Change { id, sample, .. } = change;
        let child = self.tree.nodes.child(place.link);
        match (child.get(), self.tree.nodes.mixed(child)) {
            (Below::Nothing, _) => self.tree.nodes.set_child(place.link, Child::pure(id)),
            (Below::Pure(first), _) if self.code(first) == sample.code => {
                self.tree.links.insert_second(id, first);
            }
            (Below::Node(index), Some(leaf)) if self.stays_mixed(leaf, change) => {
                V::Task::change_leaf(&mut self.tree.leaves, leaf.sums, sample, 1);
                self.tree.links.insert_second(id, leaf.first);
                self.tree.nodes.get_mut(index).watch = leaf.count + 1;
            }
            _ => self.rebuild(place, change),
        }
        false
    }

    /// Returns whether a mixed leaf stays a leaf when this sample is added.
    fn stays_mixed(&self, leaf: MixedLeaf, change: Change<V::Task>) -> bool {
        if change.is_silent {
            return true;
        }
        let Some(first) = self.active_samples(leaf.first).next() else {
            return true;
        };
        if leaf.is_settled {
            return self.code(first) == change.sample.code;
        }
        let count = self.count_of(leaf);
        if count < self.rules.min_split {
            return count + 1 < self.rules.min_split;
        }
        if self.rules.min_leaf > 1 {
            return !self.rules.retries(count + 1);
        }
        // With `min_leaf` = 1, a leaf that is large enough for a split has all samples at one point.
        is_same_point(self.store.features(first), self.store.features(change.id))
    }

    /// Returns the number of active samples of a leaf; with `min_leaf` = 1 counting stops at `min_split`.
    fn count_of(&self, leaf: MixedLeaf) -> usize {
        if !self.tree.silence.is_any() {
            return leaf.count as usize;
        }
        let active = self.active_samples(leaf.first);
        if self.rules.min_leaf == 1 {
            return active.take(self.rules.min_split).count();
        }
        active.count()
    }

    /// Removes a sample from the leaf at `place`; returns whether the leaf is now empty.
    fn remove_from_leaf(&mut self, place: Place, change: Change<V::Task>) -> bool {
        let child = self.tree.nodes.child(place.link);
        let leaf = self.tree.nodes.mixed(child);
        let mut first = self.tree.nodes.first(child);
        self.tree.links.remove(change.id, &mut first);
        let mut rest = first.map_or(Child::NOTHING, Child::pure);
        if let (Some(index), Some(leaf), Some(first)) = (child.as_node(), leaf, first) {
            if self.is_pure(first) {
                V::Task::release_leaf(&mut self.tree.leaves, leaf.sums);
                self.tree.nodes.release(index);
            } else {
                V::Task::change_leaf(&mut self.tree.leaves, leaf.sums, change.sample, -1);
                *self.tree.nodes.get_mut(index) = Node::mixed(MixedLeaf {
                    first,
                    count: leaf.count - 1,
                    ..leaf
                });
                rest = child;
            }
        }
        self.tree.nodes.set_child(place.link, rest);
        if self.rules.min_leaf > 1 && !change.is_silent {
            // Without the sample other thresholds are considered, which may leave enough on each side.
            let leaf = self.tree.nodes.mixed(rest);
            let count = leaf.map_or(0, |leaf| self.count_of(leaf));
            if count >= self.rules.min_split && self.rules.retries(count) {
                self.collect(rest);
                self.regrow(place);
            }
        }
        rest == Child::NOTHING
    }

    /// Returns whether all samples of a leaf have the same code.
    pub(crate) fn is_pure(&self, first: SampleId) -> bool {
        let code = self.code(first);
        self.tree.links.list(first).all(|id| self.code(id) == code)
    }
}
