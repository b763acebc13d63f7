//! The shape of a tree that was loaded: whatever its numbers are, nothing panics, loops or allocates without bound afterwards.
//!
//! That its cuts and sums are those of its samples is what tests show, which compare trees with batch trees.

use forest_core::{InvariantError, SampleId, SampleStore};

use crate::labels::{CodeUnit, MixedLeaves, Totals};
use crate::nodes::{Below, Child, Content};
use crate::tree::{ExtraTree, Mode, UnitOf};
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

impl<V: Mode> ExtraTree<V> {
    /// Checks that nodes, samples and sums exist and are reached once each, and that features and classes, of which there are `classes`, exist.
    pub(crate) fn check_shape(
        &self,
        store: &SampleStore<V::Task>,
        classes: usize,
    ) -> Result<(), InvariantError> {
        let require = |holds, what: &str| InvariantError::require(holds, "tree", what);
        require(
            self.seed.is_some() || store.is_empty(),
            "it has samples but no seed",
        )?;
        let mut unit = UnitOf::<V>::default();
        for id in store.ids() {
            unit.add(store.target(id));
        }
        require(unit == self.unit, "its unit does not match its samples")?;
        let Some(mut found) = self.found(store) else {
            return require(
                false,
                "it has a broken node, list of samples, or statistics",
            );
        };
        let miscounted = found.nodes.len() != self.nodes.used;
        found.nodes.extend(self.nodes.free());
        found.nodes.sort_unstable();
        let each_once = found.nodes.into_iter().eq(0..self.nodes.array.len());
        require(
            each_once && !miscounted,
            "a node is orphaned, or in use twice",
        )?;
        require(
            self.mixed.is_shaped(&found.sums, classes),
            "sums of leaves are broken",
        )?;
        require(
            self.statistics.has(&found.statistics),
            "statistics are orphaned",
        )?;
        let samples = &mut found.samples;
        let is_in_place = |(id, leaf): &(_, _)| leaf_of(self, store.features(*id)) == *leaf;
        require(
            samples.iter().all(is_in_place),
            "a sample is not in its leaf",
        )?;
        samples.sort_unstable_by_key(|(id, _)| id.index());
        samples.dedup_by_key(|(id, _)| *id);
        let all = samples.len() == store.len() && self.links.slots() <= store.slots();
        require(all, "it does not hold every sample once")
    }

    /// Returns what can be reached, `None` if some of it does not exist or is there too often.
    fn found(&self, store: &SampleStore<V::Task>) -> Option<Found> {
        let exists = |feature: u32| ((feature as usize) < store.width()).then_some(());
        let is_slot = |id: SampleId| (id.index() < store.slots()).then_some(());
        let mut found = Found::default();
        let mut below = vec![(self.nodes.root, self.nodes.root == Child::NOTHING)];
        while let Some((child, is_aside)) = below.pop() {
            match child.get() {
                Below::Nothing => is_aside.then_some(())?,
                Below::Pure(first) if is_aside => is_slot(first)?,
                Below::Pure(first) => drop(self.list(first, child, store, &mut found)?),
                Below::Node(index) => {
                    let node = self.nodes.array.get(index)?;
                    found.nodes.push(index);
                    if found.nodes.len() > self.nodes.array.len() {
                        return None;
                    }
                    match node.content() {
                        Content::Free => return None,
                        Content::Mixed(leaf) if is_aside => {
                            store
                                .holds(leaf.first)
                                .then(|| found.sums.push(leaf.sums))?;
                        }
                        Content::Mixed(leaf) => {
                            let count = self.list(leaf.first, child, store, &mut found)?;
                            let holds = count > 1 && count == leaf.count as usize;
                            holds.then(|| found.sums.push(leaf.sums))?;
                        }
                        Content::Cut(cut) => {
                            exists(cut.feature)?;
                            found
                                .sums
                                .extend(node.totals.get().map(|counts| counts.sums));
                            below.extend(node.children.map(|child| (child, is_aside)));
                            let Some(statistics) = self.statistics.get(node.watch) else {
                                continue;
                            };
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
        let is_list = all_held && !ids.is_empty() && self.links.is_list(&ids);
        found.samples.extend(ids.iter().map(|&id| (id, leaf)));
        (is_list && found.samples.len() <= store.len()).then_some(ids.len())
    }
}
