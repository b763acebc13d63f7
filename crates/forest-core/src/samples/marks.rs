//! What is known of each sample beside its row: whether it is forgotten, and its weight.

use serde::{Deserialize, Serialize};

use crate::{Arena, IdRemap, SampleWeight};

/// Which samples are forgotten, and what those weigh whose weight is not 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Marks {
    pub(super) forgotten: Arena<bool>,
    /// For each sample up to the last whose weight is not 1, its weight: nothing as long as all weights are 1.
    pub(super) weights: Arena<SampleWeight>,
}

impl Marks {
    #[inline]
    pub(super) fn weight(&self, index: usize) -> SampleWeight {
        let listed = self.weights.get(index);
        listed.copied().unwrap_or(SampleWeight::ONE)
    }

    #[inline]
    pub(super) fn push(&mut self, weight: SampleWeight) {
        if weight != SampleWeight::ONE {
            self.weights.resize(self.forgotten.len(), SampleWeight::ONE);
            self.weights.push(weight);
        }
        self.forgotten.push(false);
    }

    /// Keeps the marks of the first `length` samples.
    pub(super) fn truncate(&mut self, length: usize) {
        self.forgotten.truncate(length);
        self.truncate_weights(length);
    }

    fn truncate_weights(&mut self, length: usize) {
        let listed = &self.weights[..length.min(self.weights.len())];
        let is_other = |weight: &SampleWeight| *weight != SampleWeight::ONE;
        let length = listed.iter().rposition(is_other).map_or(0, |last| last + 1);
        if length < self.weights.len() {
            self.weights.truncate(length);
        }
    }

    /// Drops all marks and keeps the memory of a few.
    pub(super) fn clear(&mut self) {
        self.forgotten.clear();
        self.truncate_weights(0);
    }

    /// Moves the marks of the samples that are kept, and drops the others.
    pub(super) fn retain(&mut self, names: &IdRemap) {
        let mut length = names.first().index();
        for (from, to) in names.kept() {
            self.forgotten[to] = self.forgotten[from];
            if to < self.weights.len() {
                self.weights[to] = self.weight(from);
            }
            length = to + 1;
        }
        self.truncate(length);
    }

    pub(super) fn bytes(&self) -> usize {
        self.forgotten.bytes() + self.weights.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RetentionMask, SampleId};

    fn weights(marks: &Marks) -> Vec<f64> {
        let all = 0..marks.forgotten.len();
        all.map(|index| marks.weight(index).value()).collect()
    }

    #[test]
    fn weights_move_with_their_samples_and_are_gone_with_them() {
        let mut all = Marks::default();
        for weight in [1.0, 2.0, 1.0, 0.5, 1.0] {
            all.push(SampleWeight::new(weight).expect("it is in range"));
        }
        assert_eq!(weights(&all), [1.0, 2.0, 1.0, 0.5, 1.0]);
        assert_eq!((all.forgotten.len(), all.weights.len()), (5, 4));
        let first = SampleId::new(1);
        let marks = smallvec::smallvec![false, true, true, true];
        all.retain(&RetentionMask { first, marks }.remap());
        assert_eq!(weights(&all), [1.0, 1.0, 0.5, 1.0]);
        all.truncate(2);
        assert_eq!((weights(&all), all.weights.len()), (vec![1.0, 1.0], 0));
    }
}
