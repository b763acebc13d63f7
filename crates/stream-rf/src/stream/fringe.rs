//! Which leaves are active, and which wait: section 3.6.
//!
//! The queue is ordered by an *upper bound* of ŝ = p̂·ê, of equal leaves the one with the smaller number first: the order must not
//! depend on how the heap came about. While no point reaches a leaf, ê does not change and p̂ falls, at a rate of the leaf's own: the
//! order of the leaves changes with every point. But ŝ only falls, so what it was when last computed bounds it. When a point raises
//! the bound of a leaf, the leaf gets another entry, and the old one is stale. When a place is free, the first leaf has its ŝ computed
//! again and sinks if others have a larger bound, until the first one is up to date. That one has the largest ŝ, without a pass
//! over all leaves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use forest_core::{Arena, ForestContext, TreeRng};

use super::{ActiveLeaf, LeafState, StreamTree};
use crate::labels::Labels;
use crate::settings::is_full;

/// The bits of a number that is not negative: they are ordered as the number.
pub(super) type Bound = u64;

impl<T: Labels> StreamTree<T> {
    /// ŝ = p̂·ê of a leaf: the share of the stream's estimation points that reach it, times the
    /// error of its structure labels. The most that splitting it can improve.
    ///
    /// Divided by how often the leaf has been tried, this time included: after many failures the next
    /// attempt is likely to fail, too (Laplace's rule of succession), so that others have the place.
    pub(super) fn improvement_bound(&self, leaf: usize) -> Bound {
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

    /// Puts a leaf in the queue.
    pub(super) fn enter(&mut self, leaf: usize, bound: Bound) {
        self.leaves[leaf].state = LeafState::Waiting(bound);
        let (queue, leaves) = (&mut self.queue, &self.leaves);
        queue.push((bound, Reverse(leaf as u32)));
        // Few entries are stale, and dropping them costs O(1) amortised.
        if queue.len() > 8 + 5 * leaves.len() / 4 {
            queue.retain(|entry| leaves[entry.1.0 as usize].state == LeafState::Waiting(entry.0));
        }
    }

    /// A point has reached a leaf that waits with this bound. In a full tree the leaves wait for nothing, in any order.
    #[inline]
    pub(super) fn raise(&mut self, leaf: usize, bound: Bound, context: &ForestContext<'_, Self>) {
        if is_full(context.settings.max_nodes, self.nodes.nodes.len()) {
            return;
        }
        let now = self.improvement_bound(leaf);
        if now > bound {
            self.enter(leaf, now);
        }
    }

    /// Gives a place that a leaf has left, first, so that places stay consecutive, and places not taken yet to the leaves with the
    /// largest ŝ, whose statistics start now. In a full tree all leaves wait, for ever.
    pub(super) fn fill_fringe(
        &mut self,
        mut place: usize,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let (settings, width) = (context.settings, context.samples.width());
        if is_full(settings.max_nodes, self.nodes.nodes.len()) {
            if !self.fringe.is_empty() {
                for leaf in self.leaves.iter_mut() {
                    leaf.state = LeafState::Waiting(0);
                }
                (self.queue, self.fringe) = (BinaryHeap::new(), Arena::default());
            }
            return;
        }
        while place < self.fringe.len() || settings.fringe.has_room(place) {
            let Some(next) = self.next_waiting() else {
                return;
            };
            let leaf = &mut self.leaves[next];
            leaf.state = LeafState::Active(place as u32);
            let active = ActiveLeaf::new(leaf.depth, settings, width, rng);
            match self.fringe.get_mut(place) {
                Some(left) => *left = active,
                None => self.fringe.push(active),
            }
            place = self.fringe.len();
        }
    }

    /// Takes the leaf with the largest ŝ from the queue.
    fn next_waiting(&mut self) -> Option<usize> {
        loop {
            let (bound, leaf) = self.queue.pop()?;
            let index = leaf.0 as usize;
            if self.leaves[index].state != LeafState::Waiting(bound) {
                continue;
            }
            let now = self.improvement_bound(index);
            // ŝ only falls while a leaf waits; `>=` tolerates rounding.
            if now >= bound || self.queue.peek().is_none_or(|next| *next < (now, leaf)) {
                return Some(index);
            }
            self.leaves[index].state = LeafState::Waiting(now);
            self.queue.push((now, leaf));
        }
    }
}
