//! The weights of stored samples.

use crate::{Arena, IdRemap, SampleWeight};

/// For each sample up to the last whose weight is not 1, its weight: nothing as long as all weights are 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weights {
    listed: Arena<SampleWeight>,
}

impl Weights {
    #[inline]
    pub(super) fn get(&self, index: usize) -> SampleWeight {
        self.listed.get(index).copied().unwrap_or(SampleWeight::ONE)
    }

    /// Notes the weight of the sample that is now the last, at `index`.
    #[inline]
    pub(super) fn push(&mut self, index: usize, weight: SampleWeight) {
        if weight != SampleWeight::ONE {
            self.listed.resize(index, SampleWeight::ONE);
            self.listed.push(weight);
        }
    }

    /// Keeps the weights of the samples that are kept.
    pub(super) fn retain(&mut self, names: &IdRemap) {
        let mut length = names.first().index();
        for (from, to) in names.kept() {
            if to < self.listed.len() {
                self.listed[to] = self.get(from);
            }
            length = to + 1;
        }
        self.truncate(length);
    }

    /// Keeps the weights of the first `length` samples.
    pub(super) fn truncate(&mut self, length: usize) {
        let listed = &self.listed[..length.min(self.listed.len())];
        let is_other = |weight: &SampleWeight| *weight != SampleWeight::ONE;
        let length = listed.iter().rposition(is_other).map_or(0, |last| last + 1);
        if length < self.listed.len() {
            self.listed.truncate(length);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = SampleWeight> {
        self.listed.iter().copied()
    }

    pub(super) fn bytes(&self) -> usize {
        self.listed.bytes()
    }
}
