//! Upkeep: how closely a tree follows its batch tree, and the lazy way: a cut is reconsidered when a share of its samples has changed.

use forest_core::SampleId;
use smallvec::SmallVec;

use crate::DynamicSettings;
use crate::grow::{Change, Growth, Place};
use crate::labels::{MixedLeaves, Totals};
use crate::tree::Mode;

/// See [`DynamicSettings::recheck`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Upkeep {
    /// Every node is as in the batch tree. Nodes of more samples than this keep statistics of their candidates; the cuts of
    /// others are chosen again whenever a sample comes or goes.
    Exact(usize),
    /// A cut is chosen again once this share of its samples has come or gone.
    Lazy(f64),
}

impl Upkeep {
    /// Up to this size choosing the cut again is cheaper than keeping statistics, as measured.
    const FEW: usize = 32;

    /// The statistics of a node that has none.
    pub(crate) const NO_STATISTICS: u32 = u32::MAX;

    pub(crate) fn new(settings: &DynamicSettings) -> Self {
        if settings.recheck > 0.0 {
            Self::Lazy(settings.recheck)
        } else {
            Self::Exact(Self::FEW.max(settings.fewest_to_cut()))
        }
    }

    /// Returns whether a node of `count` samples keeps statistics.
    #[inline]
    pub(crate) fn counts_sides(self, count: usize) -> bool {
        matches!(self, Self::Exact(few) if count > few)
    }

    /// A leaf that has enough samples for a cut, and no cut that leaves enough on each side, is reconsidered when their number is a
    /// multiple of this.
    #[inline]
    pub(crate) fn leaf_step(self, count: usize) -> usize {
        match self {
            Self::Exact(_) => 1,
            Self::Lazy(share) => ((share * count as f64 / 16.0) as usize).max(1),
        }
    }

    /// Returns what a node without statistics watches, whose cut has just been chosen.
    #[inline]
    pub(crate) fn changes_until_recheck(self, count: usize) -> u32 {
        match self {
            Self::Exact(_) => Self::NO_STATISTICS,
            Self::Lazy(share) => (share * count as f64).ceil().max(1.0) as u32,
        }
    }
}

/// Nodes on the path of a sample whose cut has to be reconsidered, from the root.
type Due = SmallVec<[(Place, usize); 8]>;

impl<V: Mode> Growth<'_, V> {
    pub(crate) fn learn_lazily(&mut self, root: Place, id: SampleId) {
        let mut due = Due::new();
        let (leaf, _) = self.walk(root, Change::Comes(id), &mut due);
        self.add_to_leaf(leaf, id);
        self.recheck(&due);
    }

    /// An inner node has samples on both sides at all times.
    pub(crate) fn forget_lazily(&mut self, root: Place, id: SampleId) {
        let mut due = Due::new();
        let (leaf, parent) = self.walk(root, Change::Goes(id), &mut due);
        if self.remove_from_leaf(leaf, id) {
            let parent = parent.filter(|parent| due.last().is_none_or(|last| last.1 != parent.1));
            due.extend(parent);
        }
        self.recheck(&due);
    }

    /// Returns the leaf that a sample falls into, and the node above it. Every node on the path counts the arrival or departure.
    #[inline]
    fn walk(
        &mut self,
        root: Place,
        change: Change,
        due: &mut Due,
    ) -> (Place, Option<(Place, usize)>) {
        let x = self.store.features(change.id());
        let is_silent = self.is_silent(change.id());
        let sample = self.coded(change.id());
        let (mut place, mut child, mut parent) = (root, self.tree.nodes.root, None);
        while let Some(index) = child.as_node() {
            let node = self.tree.nodes.get_mut(index);
            let Some(cut) = node.as_cut() else { break };
            if !is_silent {
                // A class that is rare in the node counts as much as one that is not, where nodes count their classes.
                let rarity = |sums| self.tree.mixed.rarity(sums, sample) * f64::from(V::A_CHANGE);
                let counts = node.totals.get();
                let changes = counts.map_or(V::A_CHANGE, |counts| rarity(counts.sums) as u32);
                node.watch = node.watch.saturating_sub(changes.max(1));
                if node.watch == 0 {
                    due.push((place, index));
                }
            }
            parent = Some((place, index));
            let side = cut.side(x);
            child = node.children[side];
            self.update_totals(index, change, side);
            place = place.below(index, side);
        }
        (place, parent)
    }

    /// Chooses the cuts of these nodes again, until a subtree is rebuilt, which includes everything below it.
    fn recheck(&mut self, due: &Due) {
        for &(place, index) in due {
            self.collect(self.tree.nodes.child(place.link));
            let task = self.whole_set(place);
            let cut = self.choose(task);
            let watch = self.changes_until_recheck(task);
            let node = self.tree.nodes.get_mut(index);
            if cut.is_none() || cut != node.as_cut() {
                self.release();
                self.grow_with(task, cut);
                break;
            }
            node.watch = watch;
        }
        self.tree.nodes.keep_in_order();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cut after ε·n changes, rounded up, and at least one; a leaf without one after a sixteenth of that, rounded down.
    #[test]
    fn a_lazy_tree_looks_again_after_its_share_of_changes() {
        let of = |recheck| {
            Upkeep::new(&DynamicSettings {
                recheck,
                ..DynamicSettings::default()
            })
        };
        for (recheck, count, changes, step) in [
            (0.5, 320, 160, 10),
            (0.25, 320, 80, 5),
            (0.25, 10, 3, 1),
            (1.0, 7, 7, 1),
            (1e-9, 5, 1, 1),
            (0.0, 320, Upkeep::NO_STATISTICS, 1),
        ] {
            let found = of(recheck).changes_until_recheck(count);
            assert_eq!(
                (found, of(recheck).leaf_step(count)),
                (changes, step),
                "{recheck} of {count}"
            );
        }
    }
}
