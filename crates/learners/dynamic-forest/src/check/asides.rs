//! Invariants of subtrees that are set aside.

use forest_core::{InvariantError, SampleStore};

use super::{Visited, require};
use crate::DynamicSettings;
use crate::grow::{Growth, Place};
use crate::labels::Totals;
use crate::labels::sealed::MixedLeaves;
use crate::labels::sealed::Sums;
use crate::nodes::{Below, Child, Content};
use crate::statistics::Aside;
use crate::tree::{Parts, Tree};

impl<T: Sums> Parts<T> {
    /// Marks the nodes of a subtree that is kept aside.
    pub(super) fn check_aside_nodes(
        &self,
        aside: Aside,
        store: &SampleStore<T::Task>,
        visited: &mut Visited,
    ) -> Result<(), InvariantError> {
        let mut below = aside.children.to_vec();
        while let Some(child) = below.pop() {
            let Below::Node(index) = child.get() else {
                continue;
            };
            require(
                Visited::first_time(&mut visited.nodes, index),
                index,
                "it is aside, but also in use or missing",
            )?;
            let node = self.nodes.get(index);
            match node.content() {
                Content::Free => require(false, index, "it is both aside and free")?,
                Content::Mixed(leaf) => visited.mixed.push(leaf.sums),
                Content::Cut(cut) => {
                    let possible = (cut.feature as usize) < store.width();
                    require(possible, index, "an impossible cut aside")?;
                    below.extend(node.children);
                    visited.mixed.extend(node.totals.sums());
                    visited.mark_statistics(self, node, index)?;
                    let nested = self.statistics.get(node.watch).and_then(|node| node.aside);
                    below.extend(nested.iter().flat_map(|nested| nested.children));
                }
            }
        }
        Ok(())
    }
}

impl<T: Sums> Tree<T> {
    /// Checks that what is kept aside is what would be built there of the samples of its node, as far as it is there.
    pub(super) fn check_asides(
        &self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
    ) -> Result<(), InvariantError> {
        let mut copy = self.clone();
        // From the leaves up: what is built in a node of the copy leaves its ancestors their samples.
        for (place, index, aside) in self.asides().into_iter().rev() {
            copy.change(store, settings, |growth, _| {
                growth.put_aside_back(place, index, aside);
            });
            for side in [0, 1] {
                let built = copy.parts.nodes.get(index).children[side];
                let is_kept =
                    self.parts
                        .is_kept_of(aside.children[side], &copy.parts, built, store);
                require(
                    is_kept,
                    index,
                    "the subtree aside differs from the one that would be built",
                )?;
            }
            let counted = aside.changes <= u32::MAX / 2;
            require(
                counted,
                index,
                "the count of changes of the subtree aside is wrong",
            )?;
        }
        Ok(())
    }

    /// Returns what nodes keep aside, every node before those below it.
    fn asides(&self) -> Vec<(Place, usize, Aside)> {
        let (mut found, mut below) = (Vec::new(), vec![(self.root(), self.parts.nodes.root)]);
        while let Some((place, child)) = below.pop() {
            let Some((index, node)) = child.as_node().zip(self.parts.inner(child)) else {
                continue;
            };
            for side in [0, 1] {
                below.push((place.below(index, side), node.children[side]));
            }
            let statistics = self.parts.statistics.get(node.watch);
            let aside = statistics.and_then(|statistics| statistics.aside);
            found.extend(aside.map(|aside| (place, index, aside)));
        }
        found
    }
}

impl<T: Sums> Growth<'_, T> {
    /// Rebuilds the subtree below a node with the cut that is aside.
    fn put_aside_back(&mut self, place: Place, index: usize, aside: Aside) {
        self.collect(self.tree.nodes.child(place.link));
        self.tree.nodes.get_mut(index).children = [Child::NOTHING; 2];
        self.fill(place, index, aside.cut);
    }
}

impl<T: Sums> Parts<T> {
    /// Returns whether a subtree that is set aside agrees with one that has been built, as far as it exists.
    fn is_kept_of(
        &self,
        aside: Child,
        built: &Self,
        of: Child,
        store: &SampleStore<T::Task>,
    ) -> bool {
        let mut below = vec![(aside, of)];
        while let Some((aside, of)) = below.pop() {
            let are_same = match (self.inner(aside), built.inner(of)) {
                (Some(a), Some(b)) => {
                    below.extend(a.children.into_iter().zip(b.children));
                    self.is_same_node(a, built, b)
                }
                (None, None) => self.is_kept_leaf_of(aside, built, of, store),
                (None, Some(_)) => aside == Child::NOTHING,
                (Some(_), None) => false,
            };
            if !are_same {
                return false;
            }
        }
        true
    }

    fn is_kept_leaf_of(
        &self,
        aside: Child,
        built: &Self,
        of: Child,
        store: &SampleStore<T::Task>,
    ) -> bool {
        match (aside.get(), of.get()) {
            (Below::Nothing, _) | (Below::Pure(_), Below::Pure(_)) => true,
            (Below::Node(index), Below::Node(_)) => {
                let Content::Mixed(leaf) = self.nodes.get(index).content() else {
                    return false;
                };
                let samples = built.samples(of);
                let codes: Vec<_> = samples
                    .iter()
                    .map(|&id| T::code(&self.unit, store, id))
                    .collect();
                self.mixed.check(leaf.sums, &codes).is_ok() && leaf.count as usize == codes.len()
            }
            _ => false,
        }
    }
}
