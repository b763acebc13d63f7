//! The inactive leaves, by an upper bound of what splitting them can improve (section 3.6).

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use super::leaf::{Leaf, LeafState};
use crate::nodes::LeafId;

/// The leaves that wait for a place in the fringe: a heap by an *upper bound* of ŝ = p̂·ê.
///
/// While no point reaches a leaf, ê does not change and p̂ falls, at a rate of the leaf's own: the
/// order of the leaves changes with every point. But ŝ only falls, so what it was when last
/// computed bounds it. A bound is raised when a point reaches its leaf, `O(log n)`; when a place is
/// free, the first leaf has its ŝ computed again and sinks if others have a larger bound, until the
/// first one is up to date. That one has the largest ŝ, without a pass over all leaves.
///
/// Of equal leaves the one with the smaller number goes first. Each leaf's state holds its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Queue(Arena<Entry>);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) leaf: LeafId,
    pub(super) bound: f64,
}

impl Entry {
    fn is_before(&self, other: &Self) -> bool {
        let order = other.bound.total_cmp(&self.bound);
        // Ties by number: the order of a heap must not depend on how it came about.
        order.then(self.leaf.cmp(&other.leaf)).is_lt()
    }
}

impl Queue {
    /// Creates the queue of a new tree.
    pub(super) fn with_root() -> Self {
        let (leaf, bound) = (LeafId::FIRST, 0.0);
        Self(vec![Entry { leaf, bound }].into())
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Adds a leaf that does not wait yet.
    pub(super) fn push(&mut self, entry: Entry, leaves: &mut [Leaf]) {
        self.0.push(entry);
        self.rise(self.0.len() - 1, leaves);
    }

    /// Raises the bound at a place to the leaf's present ŝ.
    #[inline]
    pub(super) fn raise(&mut self, place: u32, bound: f64, leaves: &mut [Leaf]) {
        let entry = &mut self.0[place as usize];
        if bound > entry.bound {
            entry.bound = bound;
            self.rise(place as usize, leaves);
        }
    }

    /// Lowers the bound of the first leaf. Returns whether it is still the first.
    pub(super) fn lower_first(&mut self, bound: f64, leaves: &mut [Leaf]) -> bool {
        self.0[0].bound = bound;
        self.sink(0, leaves) == 0
    }

    pub(super) fn remove_first(&mut self, leaves: &mut [Leaf]) {
        let last = self.0.len() - 1;
        self.0.swap(0, last);
        self.0.truncate(last);
        if last > 0 {
            self.sink(0, leaves);
        }
    }

    fn rise(&mut self, mut at: usize, leaves: &mut [Leaf]) {
        while at > 0 && self.0[at].is_before(&self.0[(at - 1) / 2]) {
            self.0.swap(at, (at - 1) / 2);
            self.note_place(at, leaves);
            at = (at - 1) / 2;
        }
        self.note_place(at, leaves);
    }

    /// Moves an entry down; returns where it stays.
    fn sink(&mut self, mut at: usize, leaves: &mut [Leaf]) -> usize {
        while let Some(child) = self.first_child(at)
            && self.0[child].is_before(&self.0[at])
        {
            self.0.swap(at, child);
            self.note_place(at, leaves);
            at = child;
        }
        self.note_place(at, leaves);
        at
    }

    /// Returns the child that goes first, if there is one.
    fn first_child(&self, at: usize) -> Option<usize> {
        let children = 2 * at + 1..self.0.len().min(2 * at + 3);
        children.reduce(|left, right| {
            let is_right = self.0[right].is_before(&self.0[left]);
            if is_right { right } else { left }
        })
    }

    /// Sets the place of the leaf at a place.
    fn note_place(&self, place: usize, leaves: &mut [Leaf]) {
        leaves[self.0[place].leaf.index()].state = LeafState::Waiting(place as u32);
    }

    /// Checks the order, and that each leaf's state is its place.
    pub(super) fn check(&self, leaves: &[Leaf]) -> Result<(), InvariantError> {
        for (place, entry) in self.0.iter().enumerate() {
            let state = leaves.get(entry.leaf.index()).map(|leaf| leaf.state);
            let known = state == Some(LeafState::Waiting(place as u32));
            let ordered = place == 0 || !entry.is_before(&self.0[(place - 1) / 2]);
            let what = format_args!("place {place} is another leaf's");
            InvariantError::require(known && ordered, "queue", what)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
