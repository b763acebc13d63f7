//! The inactive leaves, by an upper bound of what splitting them can improve (section 3.6).

use forest_core::{Arena, InvariantError};
use serde::{Deserialize, Serialize};

use crate::nodes::LeafId;

/// The leaves that wait for a place in the fringe: a heap by an *upper bound* of ŝ = p̂·ê.
///
/// While no point reaches a leaf, ê stands still and p̂ decays, at a rate of the leaf's own: the
/// order of the leaves changes with every point. But ŝ only falls, so what it was when last
/// computed bounds it. A bound is raised when a point reaches its leaf, `O(log n)`; when a place is
/// free, the leaf on top has its ŝ computed anew and sinks if it has lost its lead, until the one
/// on top is up to date. That one has the largest ŝ: no pass over all leaves, ever.
///
/// Of equal leaves the one with the smaller number goes first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Queue {
    heap: Arena<Entry>,
    /// Where each leaf of the tree stands in the heap, if it waits.
    places: Arena<Option<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    bound: f64,
    leaf: LeafId,
}

impl Entry {
    fn is_before(&self, other: &Self) -> bool {
        let order = self.bound.total_cmp(&other.bound).reverse();
        order.then(self.leaf.cmp(&other.leaf)).is_lt()
    }
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Adds a leaf that does not wait yet.
    pub(crate) fn push(&mut self, leaf: LeafId, improvement_bound: f64) {
        if self.places.len() <= leaf.index() {
            self.places.resize(leaf.index() + 1, None);
        }
        let entry = Entry {
            bound: improvement_bound,
            leaf,
        };
        self.heap.push(entry);
        self.rise(self.heap.len() - 1);
    }

    /// Raises the bound of a waiting leaf to its present ŝ.
    pub(crate) fn raise(&mut self, leaf: LeafId, improvement_bound: f64) {
        let place = self.places[leaf.index()].expect("only a leaf that waits is raised");
        let entry = &mut self.heap[place as usize];
        if improvement_bound > entry.bound {
            entry.bound = improvement_bound;
            self.rise(place as usize);
        }
    }

    /// Takes the leaf with the largest ŝ.
    pub(crate) fn pop(&mut self, improvement_bound: impl Fn(LeafId) -> f64) -> Option<LeafId> {
        loop {
            let top = *self.heap.first()?;
            let now = improvement_bound(top.leaf);
            // Rounding may lift what cannot rise.
            if now >= top.bound {
                return Some(self.take_top());
            }
            self.heap[0].bound = now;
            self.sink(0);
            if self.heap[0].leaf == top.leaf {
                return Some(self.take_top());
            }
        }
    }

    fn take_top(&mut self) -> LeafId {
        let top = self.heap[0].leaf;
        let last = self.heap.len() - 1;
        self.heap.swap(0, last);
        self.heap.truncate(last);
        self.places[top.index()] = None;
        if last > 0 {
            self.sink(0);
        }
        top
    }

    /// Moves an entry up to its place.
    fn rise(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.heap[at].is_before(&self.heap[parent]) {
                break;
            }
            self.heap.swap(at, parent);
            self.mark(at);
            at = parent;
        }
        self.mark(at);
    }

    /// Moves an entry down to its place.
    fn sink(&mut self, mut at: usize) {
        while let Some(child) = self.first_child(at) {
            if !self.heap[child].is_before(&self.heap[at]) {
                break;
            }
            self.heap.swap(at, child);
            self.mark(at);
            at = child;
        }
        self.mark(at);
    }

    /// The child that goes first, if there is one.
    fn first_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        let entry = self.heap.get(left)?;
        let right_first = self
            .heap
            .get(right)
            .is_some_and(|right| right.is_before(entry));
        Some(if right_first { right } else { left })
    }

    fn mark(&mut self, at: usize) {
        self.places[self.heap[at].leaf.index()] = Some(at as u32);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heap.bytes() + self.places.bytes()
    }

    /// Checks order, places, and that no bound is below the leaf's present ŝ.
    ///
    /// # Errors
    /// What does not hold.
    pub(crate) fn check(
        &self,
        leaves: usize,
        improvement_bound: impl Fn(LeafId) -> f64,
    ) -> Result<(), InvariantError> {
        let placed = self.places.iter().flatten().count();
        let known = self.places.len() <= leaves && placed == self.heap.len();
        InvariantError::unless(known, || "queue", || "leaves without a place, or none")?;
        for (at, entry) in self.heap.iter().enumerate() {
            let place = self.places.get(entry.leaf.index()).copied().flatten();
            let ordered = at == 0 || !entry.is_before(&self.heap[(at - 1) / 2]);
            let what = || format!("leaf {} is out of place", entry.leaf.0);
            let right = place == Some(at as u32) && ordered;
            InvariantError::unless(right, || "queue", what)?;
            let bounded = improvement_bound(entry.leaf) <= entry.bound * (1.0 + 1e-9);
            let what = || format!("leaf {} has a ŝ above its bound", entry.leaf.0);
            InvariantError::unless(bounded, || "queue", what)?;
        }
        Ok(())
    }
}
