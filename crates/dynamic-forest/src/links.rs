//! The samples of leaves: two links per stored sample, eight bytes each.

use forest_core::{Arena, IdRemap, SampleId};
use serde::{Deserialize, Serialize};

/// Lists of samples threaded through one array, in both directions so that a sample can be taken out of a list wherever
/// it stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Links(Arena<Link>);

/// The neighbours of a sample in its list; a sample that is alone in its leaf, or in none, has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Link {
    previous: Option<SampleId>,
    next: Option<SampleId>,
}

impl Links {
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Makes room for a sample, in no list.
    #[inline]
    pub(crate) fn fit(&mut self, id: SampleId) {
        if id.index() >= self.0.len() {
            self.0.resize(id.index() + 1, Link::default());
        }
        self.0[id.index()] = Link::default();
    }

    /// Makes a list of these samples, whatever lists they were in; returns its first.
    #[inline]
    pub(crate) fn join(&mut self, ids: &[SampleId]) -> SampleId {
        for (at, &id) in ids.iter().enumerate() {
            self.0[id.index()] = Link {
                previous: at.checked_sub(1).map(|before| ids[before]),
                next: ids.get(at + 1).copied(),
            };
        }
        ids[0]
    }

    /// Takes a sample that is in no list to the second place of the list that starts at `first`: a list keeps its
    /// name.
    #[inline]
    pub(crate) fn insert(&mut self, id: SampleId, first: SampleId) {
        let next = self.0[first.index()].next.replace(id);
        if let Some(next) = next {
            self.0[next.index()].previous = Some(id);
        }
        self.0[id.index()] = Link {
            previous: Some(first),
            next,
        };
    }

    /// Takes a sample out of the list that starts at `first`; returns where it starts then.
    pub(crate) fn remove(&mut self, id: SampleId, first: SampleId) -> Option<SampleId> {
        let Link { previous, next } = std::mem::take(&mut self.0[id.index()]);
        if let Some(next) = next {
            self.0[next.index()].previous = previous;
        }
        let Some(previous) = previous else {
            return next;
        };
        self.0[previous.index()].next = next;
        Some(first)
    }

    /// The sample after another in its list.
    #[inline]
    pub(crate) fn next(&self, id: SampleId) -> Option<SampleId> {
        self.0[id.index()].next
    }

    /// The list that starts at `first`; a list that was altered ends after as many steps as there are samples.
    #[inline]
    pub(crate) fn list(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        let next = |id: &SampleId| self.0.get(id.index()).and_then(|link| link.next);
        std::iter::successors(Some(first), next).take(self.0.len())
    }

    /// Whether the list of these samples reads the same backwards.
    pub(crate) fn is_list(&self, ids: &[SampleId]) -> bool {
        let previous = |id: SampleId| self.0.get(id.index()).map(|link| link.previous);
        let expected = std::iter::once(None).chain(ids.iter().copied().map(Some));
        let mut pairs = ids.iter().zip(expected);
        pairs.all(|(&id, expected)| previous(id) == Some(expected))
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

    #[test]
    fn samples_leave_a_list_wherever_they_stand() {
        let ids = [0, 1, 2, 3].map(SampleId::new);
        for leaving in ids {
            let mut links = Links::default();
            ids.iter().for_each(|&id| links.fit(id));
            let first = links.join(&ids[..2]);
            links.insert(ids[2], first);
            links.insert(ids[3], first);
            let first = links.remove(leaving, first).unwrap();
            let expected: Vec<_> = [ids[0], ids[3], ids[2], ids[1]]
                .into_iter()
                .filter(|&id| id != leaving)
                .collect();
            assert!(links.list(first).eq(expected.iter().copied()));
            assert!(links.is_list(&expected));
        }
    }
}
