//! The shape of a tree that was loaded: whatever its numbers are, nothing panics, loops or allocates without bound afterwards.
//!
//! That its cuts and sums are those of its samples is what tests show, which compare trees with batch trees.

use forest_core::{InvariantError, SampleId, SampleStore};

use crate::labels::Labels;
use crate::nodes::{Below, Child};
use crate::numbers::Unit;
use crate::tree::{ExtraTree, Variant};
use crate::votes::leaf_of;

/// What is found below the root, and what is kept aside.
#[derive(Default)]
struct Found {
    nodes: Vec<usize>,
    /// Numbers of sums and of statistics.
    sums: Vec<u32>,
    statistics: Vec<u32>,
    /// Samples, each with its leaf.
    samples: Vec<(SampleId, Child)>,
}

impl<V: Variant> ExtraTree<V> {
    /// Checks that nodes, samples and sums exist and are reached once each, and that features and classes, of which there are `classes`, exist.
    pub(crate) fn check_shape(
        &self,
        store: &SampleStore<V::Task>,
        classes: usize,
    ) -> Result<(), InvariantError> {
        let mut unit = Unit::default();
        for id in store.ids() {
            V::Task::count_target(&mut unit, store.target(id), 1);
        }
        let is_drawn = (self.seed.is_some() || store.is_empty()) && unit == self.unit;
        let what = "its seed or unit does not match its samples";
        InvariantError::require(is_drawn, "tree", what)?;
        let found = self.found(store);
        let are_sound = found.is_some_and(|found| self.is_all(found, store, classes));
        let what = "a node, a sample or a sum does not exist, or is not reached once";
        InvariantError::require(are_sound, "tree", what)
    }

    /// Returns whether what was found is all that there is, once each, and samples are in their leaves.
    fn is_all(&self, mut found: Found, store: &SampleStore<V::Task>, classes: usize) -> bool {
        found.samples.sort_unstable_by_key(|(id, _)| id.index());
        found.samples.dedup_by_key(|(id, _)| *id);
        let mut samples = found.samples.iter();
        self.nodes.are(&found.nodes)
            && V::Task::are_leaves(&self.leaves, &found.sums, classes)
            && self.statistics.has(&found.statistics)
            && samples.len() == store.len()
            && self.links.slots() <= store.slots()
            && samples.all(|&(id, leaf)| leaf_of(self, store.features(id)) == leaf)
    }

    /// Returns what can be reached, `None` if some of it does not exist or is there too often.
    fn found(&self, store: &SampleStore<V::Task>) -> Option<Found> {
        let exists = |feature: u32| ((feature as usize) < store.width()).then_some(());
        let mut found = Found::default();
        let mut below = vec![(self.nodes.root, self.nodes.root == Child::NOTHING)];
        while let Some((child, is_aside)) = below.pop() {
            let mut leaf = None;
            match child.get() {
                Below::Nothing => is_aside.then_some(())?,
                Below::Pure(first) => leaf = Some((first, None)),
                Below::Node(index) => {
                    let node = self.nodes.array.get(index)?;
                    found.nodes.push(index);
                    (found.nodes.len() <= self.nodes.array.len()).then_some(())?;
                    if let Some(mixed) = node.as_mixed() {
                        found.sums.push(mixed.sums);
                        leaf = Some((mixed.first, Some(mixed.count as usize)));
                    } else {
                        exists(node.as_cut()?.feature)?;
                        let totals = node.totals.as_ref().iter();
                        found.sums.extend(totals.map(|counts| counts.sums));
                        below.extend(node.children.map(|child| (child, is_aside)));
                        if let Some(statistics) = self.statistics.get(node.watch) {
                            found.statistics.push(node.watch);
                            statistics.is_shaped(store.width()).then_some(())?;
                            if let Some(aside) = statistics.aside {
                                exists(aside.cut.feature)?;
                                below.extend(aside.children.map(|child| (child, true)));
                            }
                        }
                    }
                }
            }
            let Some((first, mixed)) = leaf else { continue };
            // Leaves that are kept aside may name any sample.
            (first.index() < store.slots()).then_some(())?;
            if !is_aside {
                let count = self.list(first, child, store, &mut found)?;
                mixed
                    .is_none_or(|mixed| count > 1 && count == mixed)
                    .then_some(())?;
            }
        }
        Some(found)
    }

    /// Notes the samples of a leaf; returns their number.
    fn list(
        &self,
        first: SampleId,
        leaf: Child,
        store: &SampleStore<V::Task>,
        found: &mut Found,
    ) -> Option<usize> {
        let ids: Vec<_> = self.links.list(first).collect();
        let all_held = ids.iter().all(|&id| store.holds(id));
        found.samples.extend(ids.iter().map(|&id| (id, leaf)));
        let is_list = all_held && !ids.is_empty() && self.links.is_list(&ids);
        (is_list && found.samples.len() <= store.len()).then_some(ids.len())
    }
}
