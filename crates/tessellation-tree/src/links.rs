//! The samples of leaves: two links per stored sample, eight bytes each.

use forest_core::{Arena, IdRemap, SampleId};
use serde::{Deserialize, Serialize};

/// Lists of samples threaded through one array, in both directions so that a sample can be taken
/// out of a list wherever it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Links(Arena<Link>);

/// The neighbours of a sample in its list; a sample that is alone in its leaf has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    previous: Option<SampleId>,
    next: Option<SampleId>,
}

impl Links {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Makes room for a sample that has just arrived, in no list.
    pub(crate) fn add(&mut self, id: SampleId) {
        if id.index() >= self.0.len() {
            self.0.resize(id.index() + 1, Link::default());
        }
    }

    /// Takes a sample out of a list that is about to be given up.
    pub(crate) fn isolate(&mut self, id: SampleId) {
        self.0[id.index()] = Link::default();
    }

    /// Takes a sample that is in no list to the front of the list that starts at `first`.
    #[inline]
    pub(crate) fn push(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        if let Some(old) = *first {
            self.0[old.index()].previous = Some(id);
        }
        self.0[id.index()] = Link {
            previous: None,
            next: first.replace(id),
        };
    }

    /// Takes a sample out of the list that starts at `first`.
    pub(crate) fn remove(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        let Link { previous, next } = std::mem::take(&mut self.0[id.index()]);
        match previous {
            Some(previous) => self.0[previous.index()].next = next,
            None => *first = next,
        }
        if let Some(next) = next {
            self.0[next.index()].previous = previous;
        }
    }

    #[inline]
    pub(crate) fn next(&self, id: SampleId) -> Option<SampleId> {
        self.0[id.index()].next
    }

    /// The list that starts at `first`; a list that was altered ends after as many steps as there
    /// are samples.
    pub(crate) fn list(&self, first: SampleId) -> impl Iterator<Item = SampleId> + Clone {
        let next = |id: &SampleId| self.0.get(id.index()).and_then(|link| link.next);
        std::iter::successors(Some(first), next).take(self.0.len())
    }

    /// Whether the list of these samples reads the same backwards.
    pub(crate) fn is_list(&self, ids: &[SampleId]) -> bool {
        let previous = |id: SampleId| self.0.get(id.index()).and_then(|link| link.previous);
        let expected = std::iter::once(None).chain(ids.iter().copied().map(Some));
        let mut pairs = ids.iter().zip(expected);
        pairs.all(|(&id, expected)| previous(id) == expected)
    }

    /// Follows the new identifiers of the samples.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        let mut kept = 0;
        for index in 0..self.0.len() {
            // Identifiers only get smaller, so no link is overwritten before it was read.
            if let Some(new) = names.get(SampleId::new(index)) {
                let Link { previous, next } = self.0[index];
                self.0[new.index()] = Link {
                    previous: previous.map(|id| names.apply(id)),
                    next: next.map(|id| names.apply(id)),
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
            let (mut links, mut first) = (Links::default(), None);
            for index in 0..4 {
                links.add(SampleId::new(index));
                links.push(SampleId::new(index), &mut first);
            }
            links.remove(SampleId::new(leaving), &mut first);
            let left: Vec<_> = (0..4).rev().filter(|&index| index != leaving).collect();
            assert!(links.list(first.unwrap()).eq(ids(&left)));
            assert!(links.is_list(&ids(&left)));
        }
    }
}
