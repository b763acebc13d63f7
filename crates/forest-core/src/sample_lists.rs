//! The samples of leaves: two links per stored sample, four bytes each.

use serde::{Deserialize, Serialize};

use crate::{Arena, IdRemap, SampleId, prefetch};

/// The samples of the leaves of a tree: lists threaded through one array, in both directions.
///
/// The tree keeps the first sample of a list. A sample is in one list at most. Every method except `list` and `is_list`
/// panics for a sample beyond the room that [`SampleLists::fit`] has made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SampleLists(Arena<Link>);

/// The neighbours of a sample in its list; a sample that is alone in its leaf has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    previous: Option<SampleId>,
    next: Option<SampleId>,
}

impl SampleLists {
    /// Returns the number of samples that there is room for.
    pub fn slots(&self) -> usize {
        self.0.len()
    }

    /// Returns the bytes allocated.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Makes room for a sample, in no list.
    #[inline]
    pub fn fit(&mut self, id: SampleId) {
        if id.index() >= self.0.len() {
            self.0.resize(id.index() + 1, Link::default());
        }
    }

    /// Takes a sample out of a list that is about to be given up.
    #[inline]
    pub fn isolate(&mut self, id: SampleId) {
        self.0[id.index()] = Link::default();
    }

    /// Makes a list of these samples, one or more, whatever lists they were in; returns its first.
    #[inline]
    pub fn join(&mut self, ids: &[SampleId]) -> SampleId {
        for (at, &id) in ids.iter().enumerate() {
            self.0[id.index()] = Link {
                previous: at.checked_sub(1).map(|before| ids[before]),
                next: ids.get(at + 1).copied(),
            };
        }
        ids[0]
    }

    /// Takes a sample that is in no list to the front of the list that starts at `first`.
    #[inline]
    pub fn push(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        if let Some(old) = *first {
            self.0[old.index()].previous = Some(id);
        }
        self.0[id.index()] = Link {
            previous: None,
            next: first.replace(id),
        };
    }

    /// Takes a sample that is in no list to the second place of the list that starts at `first`, which stays its first.
    #[inline]
    pub fn insert_second(&mut self, id: SampleId, first: SampleId) {
        let next = self.0[first.index()].next.replace(id);
        if let Some(next) = next {
            self.0[next.index()].previous = Some(id);
        }
        self.0[id.index()] = Link {
            previous: Some(first),
            next,
        };
    }

    /// Takes a sample out of the list that starts at `first`.
    #[inline]
    pub fn remove(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        let Link { previous, next } = std::mem::take(&mut self.0[id.index()]);
        match previous {
            Some(previous) => self.0[previous.index()].next = next,
            None => *first = next,
        }
        if let Some(next) = next {
            self.0[next.index()].previous = previous;
        }
    }

    /// Asks for the memory of a sample's links ([`prefetch`](crate::prefetch)).
    #[inline]
    pub fn prefetch(&self, id: SampleId) {
        prefetch(&self.0[id.index()]);
    }

    /// Returns the sample after another in its list.
    #[inline]
    pub fn next(&self, id: SampleId) -> Option<SampleId> {
        self.0[id.index()].next
    }

    /// Returns the list that starts at `first`; a list that was altered ends after as many steps as there are samples.
    #[inline]
    pub fn list(&self, first: SampleId) -> impl Iterator<Item = SampleId> + Clone {
        let next = |id: &SampleId| self.0.get(id.index()).and_then(|link| link.next);
        std::iter::successors(Some(first), next).take(self.0.len())
    }

    /// Returns whether the list of these samples reads the same backwards.
    pub fn is_list(&self, ids: &[SampleId]) -> bool {
        let mut previous = None;
        for &id in ids {
            if self.0.get(id.index()).map(|link| link.previous) != Some(previous) {
                return false;
            }
            previous = Some(id);
        }
        true
    }

    /// Follows the new identifiers of the samples.
    pub fn remap(&mut self, remap: &IdRemap) {
        let mut kept = 0;
        for index in 0..self.0.len() {
            // Identifiers only get smaller, so no link is overwritten before it was read.
            if let Some(new) = remap.get(SampleId::new(index)) {
                let Link { previous, next } = self.0[index];
                self.0[new.index()] = Link {
                    previous: previous.map(|id| remap.apply(id)),
                    next: next.map(|id| remap.apply(id)),
                };
                kept = new.index() + 1;
            }
        }
        self.0.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(indices: &[usize]) -> Vec<SampleId> {
        indices.iter().copied().map(SampleId::new).collect()
    }

    #[test]
    fn samples_leave_a_list_wherever_they_stand() {
        for leaving in 0..4 {
            let mut lists = SampleLists::default();
            let mut first = None;
            for index in 0..4 {
                lists.fit(SampleId::new(index));
                lists.push(SampleId::new(index), &mut first);
            }
            lists.remove(SampleId::new(leaving), &mut first);
            let left: Vec<_> = (0..4).rev().filter(|&index| index != leaving).collect();
            assert!(lists.list(first.unwrap()).eq(ids(&left)));
            assert!(lists.is_list(&ids(&left)));
        }
    }

    #[test]
    fn a_list_that_was_joined_keeps_its_first_when_others_come() {
        let mut lists = SampleLists::default();
        lists.fit(SampleId::new(3));
        let first = lists.join(&ids(&[2, 0]));
        lists.insert_second(SampleId::new(1), first);
        lists.insert_second(SampleId::new(3), first);
        assert!(lists.list(first).eq(ids(&[2, 3, 1, 0])));
        assert!(lists.is_list(&ids(&[2, 3, 1, 0])) && !lists.is_list(&ids(&[2, 1, 3, 0])));
    }
}
