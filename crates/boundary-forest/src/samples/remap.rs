//! New ids for samples once those that no tree holds are dropped.

use forest_core::SampleId;

/// Which of the newest samples some tree holds, and the ids that these get.
///
/// It lives on from batch to batch, so that no memory is allocated for a sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdRemap {
    first: usize,
    /// For each sample from `first` on its new id, `None` if it is dropped.
    new: Vec<Option<SampleId>>,
}

impl IdRemap {
    /// Starts anew with the samples `first..end`, none of which is retained yet.
    pub(crate) fn start(&mut self, first: usize, end: usize) {
        self.first = first;
        self.new.clear();
        self.new.resize(end - first, None);
    }

    /// The first sample that may get another id.
    pub(crate) fn first(&self) -> SampleId {
        SampleId::new(self.first)
    }

    /// Retains a sample, from `first` on.
    pub(crate) fn retain(&mut self, id: SampleId) {
        self.new[id.index() - self.first] = Some(id);
    }

    /// Whether every sample is retained.
    pub(crate) fn retains_all(&self) -> bool {
        self.new.iter().all(Option::is_some)
    }

    /// Numbers the retained samples without gaps.
    pub(crate) fn assign_ids(&mut self) {
        let retained = self.new.iter_mut().flatten();
        for (index, id) in (self.first..).zip(retained) {
            *id = SampleId::new(index);
        }
    }

    /// The new id of a sample; its own before `first`.
    pub(crate) fn id(&self, old: SampleId) -> SampleId {
        let new = old.index().checked_sub(self.first);
        new.and_then(|offset| self.new[offset]).unwrap_or(old)
    }

    /// Old and new index of every retained sample, in order.
    pub(crate) fn retained(&self) -> impl Iterator<Item = (usize, usize)> {
        let new = self.new.iter().enumerate();
        new.filter_map(|(offset, new)| Some((self.first + offset, new.as_ref()?.index())))
    }
}
