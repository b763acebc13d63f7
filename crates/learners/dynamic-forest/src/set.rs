//! Samples that are looked at together.

use forest_core::SampleId;

use crate::labels::sealed::Code;
use crate::scratch::fit;

/// Identifiers and codes of samples, beside each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleSet<C> {
    ids: Vec<SampleId>,
    codes: Vec<C>,
    right_ids: Vec<SampleId>,
    right_codes: Vec<C>,
}

/// Some of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a, C> {
    pub(crate) ids: &'a [SampleId],
    pub(crate) codes: &'a [C],
}

impl<C: Code> Samples<'_, C> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether all have the same target.
    #[inline]
    pub(crate) fn are_pure(&self) -> bool {
        self.codes.iter().all(|code| code.is_same(self.codes[0]))
    }
}

impl<C: Code> SampleSet<C> {
    /// The rows and targets of this many samples, in cache lines of their own, fill a second-level cache.
    const MANY: usize = 1 << 14;

    pub(crate) fn fit(&mut self, samples: usize) {
        fit(&mut self.ids, samples);
        fit(&mut self.codes, samples);
        fit(&mut self.right_ids, samples);
        fit(&mut self.right_codes, samples);
    }

    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.codes.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, id: SampleId, code: C) {
        self.ids.push(id);
        self.codes.push(code);
    }

    /// Adds a sample whose code is [read](Self::read_codes) later.
    #[inline]
    pub(crate) fn push_id(&mut self, id: SampleId) {
        self.ids.push(id);
    }

    /// Gives all samples their codes. Many are put in the order of the store first: whatever is read of them, here and below the node
    /// at hand, is then read from one end of memory to the other.
    #[inline]
    pub(crate) fn read_codes(&mut self, code: impl Fn(SampleId) -> C) {
        if self.ids.len() >= Self::MANY {
            self.ids.sort_unstable();
        }
        self.codes.clear();
        self.codes.extend(self.ids.iter().map(|&id| code(id)));
    }

    /// Takes a sample out.
    pub(crate) fn remove(&mut self, id: SampleId) {
        let place = self.ids.iter().position(|&other| other == id);
        let place = place.expect("the set has the sample");
        self.ids.swap_remove(place);
        self.codes.swap_remove(place);
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(crate) fn part(&self, start: usize, end: usize) -> Samples<'_, C> {
        Samples {
            ids: &self.ids[start..end],
            codes: &self.codes[start..end],
        }
    }

    /// Puts the samples from `start` on whose value is at most the threshold before the others; returns where the
    /// others start.
    #[inline]
    pub(crate) fn divide(&mut self, start: usize, column: &[f32], threshold: f32) -> usize {
        let count = column.len();
        self.right_ids
            .resize(self.right_ids.len().max(count), self.ids[start]);
        self.right_codes
            .resize(self.right_codes.len().max(count), self.codes[start]);
        let ids = &mut self.ids[start..start + count];
        let codes = &mut self.codes[start..start + count];
        let (mut left, mut right) = (0, 0);
        // Both places are written, and one of them counts: no branch to be guessed.
        for (at, &value) in column.iter().enumerate() {
            let (id, code) = (ids[at], codes[at]);
            (ids[left], codes[left]) = (id, code);
            (self.right_ids[right], self.right_codes[right]) = (id, code);
            let is_left = usize::from(value <= threshold);
            left += is_left;
            right += 1 - is_left;
        }
        ids[left..].copy_from_slice(&self.right_ids[..right]);
        codes[left..].copy_from_slice(&self.right_codes[..right]);
        start + left
    }
}
