//! Checks the shape of a tree that was loaded, so that nothing panics, loops or allocates without bound afterwards. It
//! is not checked that splits and sums are those of the samples: tests compare trees with batch trees.

use forest_core::{InvariantError, SampleId, SampleStore};

use crate::labels::Labels;
use crate::nodes::{Child, MixedLeaf};
use crate::tree::{DynamicTree, Variant};
use crate::unit::Unit;

/// The parts of a tree that are found below its root and in the subtrees that are kept aside.
#[derive(Default)]
struct Found {
    nodes: Vec<usize>,
    /// The numbers of sums and of statistics.
    sums: Vec<u32>,
    statistics: Vec<u32>,
    /// The samples, each with its leaf.
    samples: Vec<(SampleId, Child)>,
}

impl<V: Variant> DynamicTree<V> {
    /// Checks that nodes, samples and sums exist and are reached once each, and that features and classes exist.
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
        let is_sound = found.is_some_and(|found| self.is_complete(found, store, classes));
        let what = "a node, a sample or a sum does not exist, or is not reached once";
        InvariantError::require(is_sound, "tree", what)
    }

    /// Returns whether all parts of the tree were found, once each, and samples are in their leaves.
    fn is_complete(&self, mut found: Found, store: &SampleStore<V::Task>, classes: usize) -> bool {
        found.samples.sort_unstable_by_key(|(id, _)| id.index());
        found.samples.dedup_by_key(|(id, _)| *id);
        let mut samples = found.samples.iter();
        self.nodes.are(&found.nodes)
            && V::Task::are_leaves(&self.leaves, &found.sums, classes)
            && self.statistics.has(&found.statistics)
            && samples.len() == store.len()
            && self.links.slots() <= store.slots()
            && samples.all(|&(id, leaf)| self.leaf_of(store.features(id)) == leaf)
    }

    /// Returns the parts that can be reached; `None` if one of them does not exist, or if there are too many.
    fn found(&self, store: &SampleStore<V::Task>) -> Option<Found> {
        let exists = |feature: u32| ((feature as usize) < store.width()).then_some(());
        let mut found = Found::default();
        let mut below = vec![(self.nodes.root, self.nodes.root == Child::NOTHING)];
        while let Some((child, is_aside)) = below.pop() {
            let mut mixed = None;
            if let Some(index) = child.as_node() {
                let node = self.nodes.array.get(index)?;
                found.nodes.push(index);
                (found.nodes.len() <= self.nodes.array.len()).then_some(())?;
                mixed = node.as_mixed();
                if let Some(leaf) = mixed {
                    found.sums.push(leaf.sums);
                } else {
                    exists(node.as_split()?.feature)?;
                    let totals = node.totals.as_ref().iter();
                    found.sums.extend(totals.map(|counts| counts.sums));
                    below.extend(node.children.map(|child| (child, is_aside)));
                    if let Some(statistics) = self.statistics.get(node.watch) {
                        found.statistics.push(node.watch);
                        statistics.is_shaped(store.width()).then_some(())?;
                        if let Some(aside) = statistics.aside {
                            exists(aside.split.feature)?;
                            below.extend(aside.children.map(|child| (child, true)));
                        }
                    }
                    continue;
                }
            }
            let Some(first) = self.nodes.first(child) else {
                is_aside.then_some(())?;
                continue;
            };
            // Leaves that are kept aside may name any sample.
            (first.index() < store.slots()).then_some(())?;
            if !is_aside {
                let count = self.list(first, child, store, &mut found)?;
                let is_counted = |leaf: MixedLeaf| count > 1 && count == leaf.count as usize;
                mixed.is_none_or(is_counted).then_some(())?;
            }
        }
        Some(found)
    }

    /// Adds the samples of a leaf; returns their number, `None` if they are not a list of stored samples.
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
