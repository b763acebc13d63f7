//! Samples that count in every node and take no part in choosing cuts, and trees of numbers that say what they would predict without one of them.

#[cfg(test)]
mod tests;

use forest_core::{Regression, SampleId, SampleStore};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::grow::{Growth, Place};
use crate::hash::hashed;
use crate::labels::{Coded, Labels};
use crate::nodes::{Below, Child};
use crate::tree::{Counts, ExtraTree, TargetOf, Variant};
use crate::votes;

/// Which samples are silent in a tree: its cuts are those of the tree of the other samples, its *voices*. So a silent sample can be
/// left out of any node afterwards: without it the tree has the same cuts.
///
/// Those whose numbers have a hash in a range of this length, from this one on; beyond the largest it continues at 0. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Silent {
    /// Whether there can be any.
    is_possible: bool,
    from: u64,
    length: u64,
}

impl Silent {
    /// Returns none, which can become some of fold `index` of `folds`; the next after the last is the first.
    pub(crate) fn of_fold(index: usize, folds: usize) -> Self {
        let from = (index % folds) as u64 * (u64::MAX / folds as u64);
        Self {
            is_possible: true,
            from,
            length: 0,
        }
    }

    /// Returns whether there are any.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self.length > 0
    }

    /// Makes a share of the samples silent. With a lower one, some of these are, and no others.
    pub(crate) fn with_share(self, share: f64) -> Self {
        let share = if self.is_possible { share } else { 0.0 };
        let length = (share * 2f64.powi(64)) as u64;
        Self { length, ..self }
    }
}

impl<V: Variant> ExtraTree<V> {
    /// Returns whether a stored sample is silent in this tree.
    #[inline]
    pub fn is_silent(&self, id: SampleId, store: &SampleStore<V::Task>) -> bool {
        let Silent { from, length, .. } = self.silence;
        length > 0 && hashed(0, store.arrival(id)).wrapping_sub(from) < length
    }
}

/// A tree of numbers that says what it would predict for a sample without it.
///
/// One fold of the samples, of [a few](HonestTree::FOLDS), is silent: it has no part in choosing cuts and counts in the leaves alone. So the mean of a leaf without the target of such a sample is
/// what the tree would predict for it if it had never been learned. Trees that follow one another have different folds.
pub type HonestTree = ExtraTree<Honest>;

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
    /// The number of folds: with few, few samples choose the cuts of a tree; with many, few trees can be read at a sample. That of a tree is silent once
    /// [`refine_to`](forest_core::Trees::refine_to) makes this share of the samples silent.
    pub const FOLDS: usize = 2;

    /// Calls `found` with the number, among `ids`, of each sample that is silent here, and with the prediction for it without its own target; in unspecified order. A sample that is
    /// alone in its leaf is left out.
    pub fn left_out(
        &self,
        ids: &[SampleId],
        store: &SampleStore<Regression>,
        mut found: impl FnMut(usize, f64),
    ) {
        let numbers = (0..ids.len()).filter(|&number| self.is_silent(ids[number], store));
        let numbers: SmallVec<[usize; 8]> = numbers.collect();
        let silent = numbers.iter().map(|&number| ids[number]);
        votes::leaves(self, silent, store, |index, leaf| {
            let number = numbers[index];
            if let Some(leaf) = self.nodes.mixed(leaf) {
                let (own, mut mean) = (self.coded(store, ids[number]), [0.0]);
                Regression::predict_leaf(&self.leaves, leaf.sums, Some(own), &self.unit, &mut mean);
                found(number, mean[0]);
            } else if let Below::Pure(first) = leaf.get()
                && self.links.next(first).is_some()
            {
                // All targets are the same.
                found(number, store.target(ids[number]));
            }
        });
    }
}

impl<V: Variant> Growth<'_, V> {
    #[inline]
    pub(crate) fn is_silent(&self, id: SampleId) -> bool {
        self.tree.is_silent(id, self.store)
    }

    /// Returns the voices of a leaf.
    pub(crate) fn voices_of(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        let all = self.tree.links.list(first);
        all.filter(|&id| !self.is_silent(id))
    }

    /// Makes other samples silent.
    ///
    /// Those that are so no longer leave, and come again as voices. If others become silent, the tree is built again: they have chosen its cuts.
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
        ids.iter().for_each(|&id| self.forget(id));
        self.tree.silence = silence;
        ids.iter().for_each(|&id| self.learn(id));
    }

    /// Follows samples whose targets have changed from these. No cut is chosen again but that of a leaf.
    pub(crate) fn retarget(&mut self, changes: &[(SampleId, TargetOf<V>)]) {
        let scale = self.tree.unit.codes_per_one;
        for &(id, target) in changes {
            V::Task::count_target(&mut self.tree.unit, self.store.target(id), 1);
            V::Task::count_target(&mut self.tree.unit, target, -1);
        }
        // An exact tree is that of its samples at all times, and inner nodes that count them do so.
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
            // Another target in the sums of its leaf, if it has any.
            if let Some(leaf) = self.tree.nodes.mixed(leaf) {
                let (id, before) = changes[number];
                let Coded { code, units } = self.coded(id);
                let before = V::Task::code(before, &self.tree.unit);
                for (code, step) in [(before, -1), (code, 1)] {
                    let sample = Coded { code, units };
                    V::Task::change_leaf(&mut self.tree.leaves, leaf.sums, sample, step);
                }
            }
        }
        leaves.retain(|&mut (_, leaf)| self.is_other(leaf));
        leaves.sort_unstable_by_key(|&(number, _)| number);
        for (number, _) in leaves {
            // Grown again, unless that has been done for another sample.
            let (place, leaf) = self.leaf_of(changes[number].0);
            if self.is_other(leaf) {
                self.collect(leaf);
                self.regrow(place);
            }
        }
    }

    /// Returns whether the targets of a leaf were all the same and are not any more, or have become so.
    fn is_other(&self, leaf: Child) -> bool {
        match (leaf.get(), self.tree.nodes.mixed(leaf)) {
            (_, Some(leaf)) => {
                let mut codes = self.voices_of(leaf.first).map(|id| self.code(id));
                let first = codes.next();
                let settled = leaf.is_settled && codes.any(|code| first != Some(code));
                settled || self.is_pure(leaf.first)
            }
            (Below::Pure(first), _) => !self.is_pure(first),
            _ => false,
        }
    }

    fn leaf_of(&self, id: SampleId) -> (Place, Child) {
        let (x, mut place) = (self.store.features(id), self.root);
        while let Some((index, cut)) = self.tree.nodes.cut_at(place.link) {
            place = place.below(index, cut.side(x));
        }
        (place, self.tree.nodes.child(place.link))
    }
}
