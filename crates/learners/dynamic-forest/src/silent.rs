//! Trees of numbers that predict for a silent sample without it; changes of which samples are silent, and of targets.

#[cfg(test)]
mod tests;

use forest_core::{Regression, SampleId, SampleStore};
use smallvec::SmallVec;

use crate::grow::Growth;
use crate::labels::{Coded, Labels};
use crate::nodes::{Below, Child};
use crate::samples::Place;
use crate::tree::{Counts, DynamicTree, Silent, TargetOf, Variant};
use crate::votes;

/// A tree of numbers that can predict for a sample as if it had never learned it.
///
/// One of a [few folds](HonestTree::FOLDS) of the samples is silent: these choose no splits and count in the leaves
/// alone. So the mean of a leaf without the target of such a sample is the prediction of the tree without it.
pub type HonestTree = DynamicTree<Honest>;

/// See [`HonestTree`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Honest;

impl Variant for Honest {
    type Task = Regression;
    type Totals = [Counts; 0];

    fn silence(index: usize) -> Silent {
        Silent::of_fold(index, HonestTree::FOLDS)
    }
}

impl HonestTree {
    /// The number of folds; consecutive trees silence different ones, after
    /// [`refine_to`](forest_core::Trees::refine_to) (1 / `FOLDS`). With few folds, few samples choose the splits; with
    /// many, a sample is silent in few trees.
    pub const FOLDS: usize = 2;

    /// Calls `found` with the index in `ids` of each sample that is silent here, and the prediction for it without its
    /// own target; in unspecified order. Samples that are alone in their leaf are skipped.
    pub fn left_out(
        &self,
        ids: &[SampleId],
        store: &SampleStore<Regression>,
        mut found: impl FnMut(usize, f64),
    ) {
        let mut silent = SmallVec::<[(usize, SampleId); 8]>::new();
        for (index, &id) in ids.iter().enumerate() {
            if self.is_silent(id, store) {
                silent.push((index, id));
            }
        }
        let silent_ids = silent.iter().map(|&(_, id)| id);
        votes::leaves(self, silent_ids, store, |place, leaf| {
            let (index, id) = silent[place];
            if let Some(leaf) = self.nodes.mixed(leaf) {
                let own = Some(self.coded(store, id));
                let mut mean = [0.0];
                Regression::predict_leaf(&self.leaves, leaf.sums, own, &self.unit, &mut mean);
                found(index, mean[0]);
            } else if let Below::Pure(first) = leaf.get()
                && self.links.next(first).is_some()
            {
                // All targets are the same.
                found(index, store.target(id));
            }
        });
    }
}

impl<V: Variant> Growth<'_, V> {
    #[inline]
    pub(crate) fn is_silent(&self, id: SampleId) -> bool {
        self.tree.is_silent(id, self.store)
    }

    /// Returns the active samples of the leaf with this first sample.
    pub(crate) fn active_samples(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        let all = self.tree.links.list(first);
        all.filter(|&id| !self.is_silent(id))
    }

    /// Changes which samples are silent. If there are more, the tree is rebuilt, since they have taken part in the
    /// choice of its splits. If there are fewer, those that become active are forgotten and learned again.
    pub(crate) fn silence(&mut self, silence: Silent) {
        let mut ids: Vec<_> = self.store.ids().collect();
        let before = self.tree.silence;
        if silence.length > before.length {
            self.tree.silence = silence;
            return self.grow_all(&ids, || true);
        }
        ids.retain(|&id| self.is_silent(id));
        self.tree.silence = silence;
        ids.retain(|&id| !self.is_silent(id));
        self.tree.silence = before;
        for &id in &ids {
            self.forget(id);
        }
        self.tree.silence = silence;
        for &id in &ids {
            self.learn(id);
        }
    }

    /// Updates the tree after targets have changed from these to those in the store. A lazy tree keeps its splits.
    pub(crate) fn retarget(&mut self, changes: &[(SampleId, TargetOf<V>)]) {
        let scale = self.tree.unit.codes_per_one;
        for &(id, target) in changes {
            V::Task::count_target(&mut self.tree.unit, self.store.target(id), 1);
            V::Task::count_target(&mut self.tree.unit, target, -1);
        }
        // An exact tree is always that of its samples, and totals of inner nodes count targets.
        let is_exact = self.rules.recheck == 0.0 || V::READINGS > 1;
        if is_exact || self.tree.unit.codes_per_one != scale {
            self.collect(self.tree.nodes.root);
            return self.regrow(self.root);
        }
        let ids = changes.iter().map(|change| change.0);
        let mut leaves = SmallVec::<[(usize, Child); 8]>::new();
        votes::leaves(self.tree, ids, self.store, |number, leaf| {
            leaves.push((number, leaf));
        });
        for &(number, leaf) in &leaves {
            if let Some(leaf) = self.tree.nodes.mixed(leaf) {
                let (id, target) = changes[number];
                let now = self.coded(id);
                let code = V::Task::code(target, &self.tree.unit);
                let before = Coded { code, ..now };
                V::Task::change_leaf(&mut self.tree.leaves, leaf.sums, before, -1);
                V::Task::change_leaf(&mut self.tree.leaves, leaf.sums, now, 1);
            }
        }
        leaves.retain(|&mut (_, leaf)| self.is_outdated(leaf));
        leaves.sort_unstable_by_key(|&(number, _)| number);
        for (number, _) in leaves {
            // It may have been rebuilt for another sample.
            let (place, leaf) = self.leaf_of(changes[number].0);
            if self.is_outdated(leaf) {
                self.collect(leaf);
                self.regrow(place);
            }
        }
    }

    /// Returns whether the targets of a leaf were all equal and are not any more, or have become equal.
    fn is_outdated(&self, leaf: Child) -> bool {
        match (leaf.get(), self.tree.nodes.mixed(leaf)) {
            (_, Some(leaf)) => {
                let mut codes = self.active_samples(leaf.first).map(|id| self.code(id));
                let first = codes.next();
                let settled = leaf.is_settled && codes.any(|code| first != Some(code));
                settled || self.is_pure(leaf.first)
            }
            (Below::Pure(first), _) => !self.is_pure(first),
            _ => false,
        }
    }

    fn leaf_of(&self, id: SampleId) -> (Place, Child) {
        let x = self.store.features(id);
        let mut place = self.root;
        while let Some((index, split)) = self.tree.nodes.split_of(place.link) {
            place = place.below(index, split.side(x));
        }
        (place, self.tree.nodes.child(place.link))
    }
}
