//! The samples of leaves: one link per stored sample, four bytes each.

use forest_core::{Arena, SampleId};
use serde::{Deserialize, Serialize};

/// Lists of samples threaded through one array: each sample of a leaf names the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Links(Arena<Option<SampleId>>);

impl Links {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Takes the next sample of the stream to the front of the list that starts at `first`.
    pub(crate) fn push(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        debug_assert_eq!(
            id.index(),
            self.0.len(),
            "samples come in the order of their names"
        );
        self.0.push(first.replace(id));
    }

    /// Moves a sample to the front of the list that starts at `first`.
    pub(crate) fn relink(&mut self, id: SampleId, first: &mut Option<SampleId>) {
        self.0[id.index()] = first.replace(id);
    }

    pub(crate) fn next(&self, id: SampleId) -> Option<SampleId> {
        self.0[id.index()]
    }

    /// The list that starts at `first`; a list that was tampered with ends after as many steps as
    /// there are samples.
    pub(crate) fn list(&self, first: Option<SampleId>) -> impl Iterator<Item = SampleId> {
        let next = |id: &SampleId| self.0.get(id.index()).copied().flatten();
        std::iter::successors(first, next).take(self.0.len())
    }
}
