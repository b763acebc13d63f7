//! Which leaves are active, and which wait: section 3.6.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use forest_core::{Arena, ForestContext, TreeRng};
use serde::{Deserialize, Serialize};

use super::{ActiveLeaf, LeafState, StreamTree};
use crate::labels::Labels;
use crate::settings::is_full;

/// The leaves that wait for a place in the fringe: a heap by an *upper bound* of ŝ = p̂·ê. Of equal leaves the one with the smaller
/// number goes first: the order must not depend on how the heap came about.
///
/// While no point reaches a leaf, ê does not change and p̂ falls, at a rate of the leaf's own: the
/// order of the leaves changes with every point. But ŝ only falls, so what it was when last
/// computed bounds it. When a point raises the bound of a leaf, the leaf gets another entry, and the old one is *stale*: its leaf
/// does not wait with this bound. When a place is free, the first leaf has its ŝ computed again and sinks if others have a larger
/// bound, until the first one is up to date. That one has the largest ŝ, without a pass over all leaves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Queue(BinaryHeap<(Bound, Reverse<u32>)>);

/// The bits of a number that is not negative: they are ordered as the number.
pub(super) type Bound = u64;

impl Queue {
    /// Creates the queue of a new tree.
    pub(super) fn of_root() -> Self {
        Self([(0, Reverse(0))].into())
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(Bound, Reverse<u32>)>()
    }

    /// Returns whether all entries are of these leaves: after decoding.
    pub(super) fn is_of(&self, leaves: usize) -> bool {
        self.0.iter().all(|(_, leaf)| (leaf.0 as usize) < leaves)
    }
}

impl<T: Labels> StreamTree<T> {
    /// ŝ = p̂·ê of a leaf: the share of the stream's estimation points that reach it, times the
    /// error of its structure labels. The most that splitting it can improve.
    ///
    /// Divided by how often the leaf has been tried, this time included: after many failures the next
    /// attempt is likely to fail, too (Laplace's rule of succession), so that others have the place.
    fn improvement_bound(&self, leaf: usize) -> Bound {
        let known = &self.leaves[leaf];
        if known.estimation_points == 0 {
            return 0;
        }
        let lifetime = self.estimation_points as f64 - known.created;
        let share = known.estimation_points as f64 / lifetime;
        let error = T::error(self.structure_labels.row(leaf));
        let bound = share * error / (1.0 + f64::from(known.failed));
        // Rounding may leave the squares of equal numbers below 0.
        bound.max(0.0).to_bits()
    }

    /// Puts a leaf in the queue, with its present ŝ.
    pub(super) fn wait(&mut self, leaf: usize) {
        self.enter(leaf, self.improvement_bound(leaf));
    }

    fn enter(&mut self, leaf: usize, bound: Bound) {
        self.leaves[leaf].state = LeafState::Waiting(bound);
        let (queue, leaves) = (&mut self.queue.0, &self.leaves);
        queue.push((bound, Reverse(leaf as u32)));
        // Few entries are stale, and dropping them costs O(1) amortised.
        if queue.len() > 8 + 5 * leaves.len() / 4 {
            queue.retain(|(bound, leaf)| {
                leaves[leaf.0 as usize].state == LeafState::Waiting(*bound)
            });
        }
    }

    /// A point has reached a leaf that waits with this bound. In a full tree the leaves wait for nothing, in any order.
    #[inline]
    pub(super) fn raise(&mut self, leaf: usize, bound: Bound, context: &ForestContext<'_, Self>) {
        if self.is_full(context) {
            return;
        }
        let now = self.improvement_bound(leaf);
        if now > bound {
            self.enter(leaf, now);
        }
    }

    /// A leaf whose candidate splits do not become valid waits again; its place is left to the
    /// leaf with the largest ŝ, which may be the same. Then its dimensions are drawn again.
    pub(super) fn give_up(&mut self, leaf: usize) {
        let failed = &mut self.leaves[leaf].failed;
        // A byte is enough: a leaf that failed 255 times has hardly any priority left.
        *failed = failed.saturating_add(1);
        self.wait(leaf);
    }

    /// Gives the place that a leaf has left, and places not taken yet, to the leaves with the largest
    /// ŝ. In a full tree all leaves wait, for ever.
    pub(super) fn refill_fringe(
        &mut self,
        place: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        if self.is_full(context) {
            for leaf in self.leaves.iter_mut() {
                leaf.state = LeafState::Waiting(0);
            }
            self.queue.0 = BinaryHeap::new();
            self.fringe = Arena::default();
            return;
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
    fn is_full(&self, context: &ForestContext<'_, Self>) -> bool {
        is_full(context.settings.max_nodes, self.nodes.len())
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
        let leaf = &mut self.leaves[next];
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
    fn next_waiting(&mut self) -> Option<usize> {
        loop {
            let (bound, leaf) = self.queue.0.pop()?;
            let index = leaf.0 as usize;
            if self.leaves[index].state != LeafState::Waiting(bound) {
                continue;
            }
            let now = self.improvement_bound(index);
            // ŝ only falls while a leaf waits; `>=` tolerates rounding.
            if now >= bound || self.queue.0.peek().is_none_or(|next| *next < (now, leaf)) {
                return Some(index);
            }
            self.leaves[index].state = LeafState::Waiting(now);
            self.queue.0.push((now, leaf));
        }
    }
}
