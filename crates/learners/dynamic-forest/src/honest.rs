//! Trees of numbers that say what they would predict for a sample that they had not learned.

use forest_core::{Regression, SampleId, SampleStore};
use smallvec::SmallVec;

use crate::grow::{Growth, Place};
use crate::labels::{CodeUnit, Coded, MixedLeaves};
use crate::nodes::{Below, Child};
use crate::silence::Silent;
use crate::tree::{ExtraTree, Mode, TargetOf, Variant};
use crate::upkeep::Upkeep;
use crate::votes;

/// A tree of numbers that says what it would predict for a sample without it.
///
/// One fold of the samples, of [a few](HonestTree::FOLDS), is silent: it has no part in choosing cuts and counts in the leaves alone. So the mean of a leaf without the target of such a sample is
/// what the tree would predict for it if it had never been learned. Trees that follow one another have different folds.
pub type HonestTree = ExtraTree<Honest>;

/// See [`HonestTree`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Honest;

/// With few folds, few samples choose the cuts of a tree; with many, few trees can be read at a sample.
const FOLDS: usize = 2;

impl Variant for Honest {
    type Task = Regression;
}

impl Mode for Honest {
    type Totals = ();

    fn silence(index: usize) -> Silent {
        Silent::of_fold(index, FOLDS)
    }
}

impl HonestTree {
    /// The number of folds. That of a tree is silent once [`refine_to`](forest_core::Trees::refine_to) makes this share of the samples silent.
    pub const FOLDS: usize = FOLDS;

    /// Calls `found` with the number, among `ids`, of each sample that is silent here, and with the prediction for it without its own target; in unspecified order. A sample that is
    /// alone in its leaf is left out.
    pub fn left_out(
        &self,
        ids: &[SampleId],
        store: &SampleStore<Regression>,
        mut found: impl FnMut(usize, f64),
    ) {
        let numbers = (0..ids.len()).filter(|&number| self.is_silent_in(store, ids[number]));
        let numbers: SmallVec<[usize; 8]> = numbers.collect();
        let silent = numbers.iter().map(|&number| ids[number]);
        votes::leaves(self, silent, store, |index, leaf| {
            let number = numbers[index];
            if let Some(leaf) = self.nodes.mixed(leaf) {
                let (own, mut mean) = (self.coded(store, ids[number]), [0.0]);
                self.mixed.vote(leaf.sums, Some(own), &self.unit, &mut mean);
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

impl<V: Mode> Growth<'_, V> {
    /// Follows samples whose targets have changed from these. No cut is chosen again but that of a leaf.
    pub(crate) fn retarget(&mut self, root: Place, changes: &[(SampleId, TargetOf<V>)]) {
        let scale = self.tree.unit.scale();
        for &(id, target) in changes {
            self.tree.unit.add(self.store.target(id));
            self.tree.unit.remove(target);
        }
        // An exact tree is that of its samples at all times, and inner nodes that count them do so.
        let is_exact = matches!(self.upkeep, Upkeep::Exact(_)) || V::READINGS > 1;
        if is_exact || self.tree.unit.scale() != scale {
            self.collect(self.tree.nodes.root);
            self.release();
            return self.grow(root);
        }
        let ids = changes.iter().map(|change| change.0);
        let mut leaves = SmallVec::<[(usize, Child); 8]>::new();
        votes::leaves(self.tree, ids, self.store, |number, leaf| {
            leaves.push((number, leaf));
        });
        for &(number, leaf) in &leaves {
            self.replace(leaf, changes[number].0, changes[number].1);
        }
        leaves.retain(|&mut (_, leaf)| self.is_other(leaf));
        leaves.sort_unstable_by_key(|&(number, _)| number);
        for (number, _) in leaves {
            self.divide_again(root, changes[number].0);
        }
    }

    /// Puts the target of a sample in place of another in the sums of its leaf, if it has any.
    fn replace(&mut self, leaf: Child, id: SampleId, before: TargetOf<V>) {
        if let Some(leaf) = self.tree.nodes.mixed(leaf) {
            let sample = self.coded(id);
            let (code, units) = (self.tree.unit.code(before), sample.units);
            self.tree.mixed.change(leaf.sums, Coded { code, units }, -1);
            self.tree.mixed.change(leaf.sums, sample, 1);
        }
    }

    /// Returns whether the targets of a leaf were all the same and are not any more, or have become so.
    fn is_other(&self, leaf: Child) -> bool {
        match (leaf.get(), self.tree.nodes.mixed(leaf)) {
            (_, Some(leaf)) => {
                let settled = leaf.is_settled && !self.are_voices_pure(leaf.first);
                settled || self.is_pure(leaf.first)
            }
            (Below::Pure(first), _) => !self.is_pure(first),
            _ => false,
        }
    }

    /// Grows the leaf of a sample again, unless that has been done.
    fn divide_again(&mut self, root: Place, id: SampleId) {
        let (place, leaf) = self.leaf_of(root, id);
        if self.is_other(leaf) {
            self.collect(leaf);
            self.release();
            self.grow(place);
        }
    }

    fn leaf_of(&self, root: Place, id: SampleId) -> (Place, Child) {
        let (x, mut place) = (self.store.features(id), root);
        loop {
            let child = self.tree.nodes.child(place.link);
            let index = child.as_node();
            let cut = index.and_then(|index| self.tree.nodes.get(index).as_cut());
            let Some((index, cut)) = index.zip(cut) else {
                return (place, child);
            };
            place = place.below(index, cut.side(x));
        }
    }
}

#[cfg(test)]
mod tests;
