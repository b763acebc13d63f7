//! Which leaves are active: section 3.6.

use forest_core::{Arena, ForestContext, TreeRng};

use super::StreamTree;
use super::active::ActiveLeaf;
use super::leaf::LeafState;
use super::queue::Entry;
use crate::features::FeatureSpace;
use crate::labels::Labels;
use crate::nodes::LeafId;
use crate::settings::is_full;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// ŝ = p̂·ê of a leaf: the share of the stream's estimation points that reach it, times the
    /// error of its structure labels. The most that splitting it can improve.
    ///
    /// Divided by how often the leaf has been tried, this time included: after many failures the next
    /// attempt is likely to fail, too (Laplace's rule of succession), so that others have the place.
    pub(super) fn improvement_bound(&self, leaf: LeafId) -> f64 {
        let known = &self.leaves[leaf.index()];
        if known.estimation_points == 0 {
            return 0.0;
        }
        let error = T::error(self.structure_labels.row(leaf.index()));
        known.share(self.estimation_points) * error / (1.0 + f64::from(known.failed))
    }

    /// Puts a leaf in the queue.
    pub(super) fn wait(&mut self, leaf: LeafId) {
        let bound = self.improvement_bound(leaf);
        self.queue.push(Entry { leaf, bound }, &mut self.leaves);
    }

    /// A point has reached a leaf at this place of the queue. In a full tree the leaves wait for nothing, in any order.
    #[inline]
    pub(super) fn raise(&mut self, leaf: LeafId, place: u32, context: &ForestContext<'_, Self>) {
        if self.is_full(context) {
            return;
        }
        let bound = self.improvement_bound(leaf);
        self.queue.raise(place, bound, &mut self.leaves);
    }

    /// A leaf whose candidate splits do not become valid waits again; its place is left to the
    /// leaf with the largest ŝ, which may be the same. Then its dimensions are drawn again.
    pub(super) fn give_up(&mut self, leaf: LeafId) {
        let failed = &mut self.leaves[leaf.index()].failed;
        // A byte is enough: a leaf that failed 255 times has hardly any priority left.
        *failed = failed.saturating_add(1);
        self.wait(leaf);
    }

    /// Gives the place that a leaf has left, and places not taken yet, to the leaves with the largest
    /// ŝ.
    pub(super) fn refill_fringe(
        &mut self,
        place: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        if self.is_full(context) {
            return self.empty_fringe();
        }
        // First the place that was left, so that places stay consecutive.
        self.activate_next(place as usize, context, rng);
        self.fill_fringe(context, rng);
    }

    /// Gives the places not taken yet to the leaves with the largest ŝ. A full tree gives none.
    pub(super) fn fill_fringe(&mut self, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let limit = context.settings.fringe;
        while !self.is_full(context)
            && limit.has_room(self.fringe.len())
            && self.activate_next(self.fringe.len(), context, rng)
        {}
    }

    /// Returns whether a split does not fit.
    pub(super) fn is_full(&self, context: &ForestContext<'_, Self>) -> bool {
        is_full(context.settings.max_nodes, self.nodes.len())
    }

    /// All leaves wait, for ever.
    fn empty_fringe(&mut self) {
        for leaf in (0..self.leaves.len()).map(LeafId::new) {
            if let LeafState::Active(_) = self.leaves[leaf.index()].state {
                self.wait(leaf);
            }
        }
        self.fringe = Arena::default();
    }

    /// Gives the leaf with the largest ŝ a place, the next free one or one that was left; its statistics
    /// start now. Returns whether there was a leaf.
    fn activate_next(
        &mut self,
        place: usize,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) -> bool {
        let Some(next) = self.next_waiting() else {
            return false;
        };
        let leaf = &mut self.leaves[next.index()];
        leaf.state = LeafState::Active(place as u32);
        let width = context.samples.width();
        let active = ActiveLeaf::new(leaf.depth, context.settings, width, rng);
        match self.fringe.get_mut(place) {
            Some(left) => *left = active,
            None => self.fringe.push(active),
        }
        true
    }

    /// Takes the leaf with the largest ŝ from the queue.
    fn next_waiting(&mut self) -> Option<LeafId> {
        loop {
            let first = *self.queue.entries().first()?;
            let now = self.improvement_bound(first.leaf);
            // ŝ only falls while a leaf waits; `>=` tolerates rounding.
            if now >= first.bound || self.queue.lower_first(now, &mut self.leaves) {
                self.queue.remove_first(&mut self.leaves);
                return Some(first.leaf);
            }
        }
    }
}
