//! Columns of the store that are not plain arrays: numbers in the stream, and weights.

use serde::{Deserialize, Serialize};

use crate::{Arena, IdRemap, SampleWeight};

/// For each sample its number in the stream, growing: 8 bytes each, nothing while none between them is missing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Arrivals {
    first: u64,
    length: usize,
    /// All numbers if one between them is missing, else none.
    listed: Arena<u64>,
}

impl Arrivals {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> u64 {
        let listed = self.listed.get(index).copied();
        listed.unwrap_or(self.first + index as u64)
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.length).map(|index| self.get(index))
    }

    /// Returns where this number is. `O(log n)`.
    pub(super) fn find(&self, number: u64) -> Option<usize> {
        if !self.listed.is_empty() {
            return self.listed.binary_search(&number).ok();
        }
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        (index < self.length).then_some(index)
    }

    /// Appends a number larger than all others.
    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        if self.length == 0 {
            self.first = number;
        }
        if self.listed.is_empty() && Some(number) != self.first.checked_add(self.length as u64) {
            self.listed = self.iter().collect();
        }
        if !self.listed.is_empty() {
            self.listed.push(number);
        }
        self.length += 1;
    }

    /// Keeps the numbers of the samples that are kept. `O(n)`.
    pub(super) fn retain(&mut self, remap: &IdRemap) {
        let before = std::mem::take(self);
        let kept = remap.kept().map(|(from, _)| from);
        for index in (0..remap.first().index()).chain(kept) {
            self.push(before.get(index));
        }
    }

    /// Keeps the first `length` numbers.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.listed.truncate(length);
        if length == 0 {
            *self = Self::default();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.listed.bytes()
    }

    /// Returns whether data that were decoded are numbers that grow.
    pub(super) fn are_sound(&self) -> bool {
        let last = self.first.checked_add(self.length as u64);
        let is_list = self.listed.len() == self.length && self.listed.is_sorted_by(|a, b| a < b);
        last.is_some() && (self.listed.is_empty() || is_list)
    }
}

impl PartialEq for Arrivals {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// For each sample up to the last whose weight is not 1, its weight: nothing as long as all weights are 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Weights(Arena<SampleWeight>);

impl Weights {
    #[inline]
    pub(super) fn get(&self, index: usize) -> SampleWeight {
        self.0.get(index).copied().unwrap_or(SampleWeight::ONE)
    }

    /// Adds the weight of sample `index`, which comes after all others.
    #[inline]
    pub(super) fn push(&mut self, index: usize, weight: SampleWeight) {
        if weight != SampleWeight::ONE {
            self.0.resize(index, SampleWeight::ONE);
            self.0.push(weight);
        }
    }

    /// Gives a sample the weight of a later one.
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        if to < self.0.len() {
            self.0[to] = self.get(from);
        }
    }

    /// Keeps the weights of the first `length` samples.
    pub(super) fn truncate(&mut self, length: usize) {
        let kept = &self.0[..length.min(self.0.len())];
        let others = kept.iter().rposition(|weight| *weight != SampleWeight::ONE);
        let length = others.map_or(0, |last| last + 1);
        if length < self.0.len() {
            self.0.truncate(length);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    pub(super) fn are_sound(&self, rows: usize) -> bool {
        self.0.len() <= rows && self.0.iter().all(|weight| weight.is_sound())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RetentionMask, SampleId};

    fn of(numbers: &[u64]) -> Arrivals {
        let mut arrivals = Arrivals::default();
        numbers.iter().for_each(|&number| arrivals.push(number));
        arrivals
    }

    fn remap(first: usize, marks: &[bool]) -> IdRemap {
        let mask = RetentionMask {
            first: SampleId::new(first),
            marks: marks.iter().copied().collect(),
        };
        mask.remap()
    }

    fn is(arrivals: &Arrivals, numbers: &[u64]) {
        assert!(arrivals.iter().eq(numbers.iter().copied()), "{arrivals:?}");
        for (index, &number) in numbers.iter().enumerate() {
            assert_eq!(arrivals.find(number), Some(index));
        }
        for missing in (0..20)
            .chain([u64::MAX])
            .filter(|number| !numbers.contains(number))
        {
            assert_eq!(arrivals.find(missing), None, "{missing}");
        }
        let follow = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
        assert_eq!(arrivals.bytes() == 0, follow, "{arrivals:?}");
        assert!(arrivals.are_sound(), "{arrivals:?}");
    }

    #[test]
    fn numbers_are_found_whether_or_not_some_are_missing() {
        for numbers in [
            &[] as &[u64],
            &[3],
            &[3, 4, 5],
            &[3, 5, 6],
            &[3, 4, 9],
            &[u64::MAX - 1],
        ] {
            is(&of(numbers), numbers);
        }
        for (first, marks, left) in [
            (0, &[false, false, true, true, true][..], &[4, 5, 6][..]),
            (3, &[true, false], &[2, 3, 4, 5]),
            (3, &[false, true], &[2, 3, 4, 6]),
            (0, &[true, false, true, false, false], &[2, 4]),
            (0, &[false; 5], &[]),
        ] {
            let mut arrivals = of(&[2, 3, 4, 5, 6]);
            arrivals.retain(&remap(first, marks));
            is(&arrivals, left);
        }
        let mut arrivals = of(&[2, 3, 7]);
        arrivals.truncate(1);
        arrivals.push(4);
        is(&arrivals, &[2, 4]);
        arrivals.truncate(0);
        arrivals.push(9);
        is(&arrivals, &[9]);
    }

    #[test]
    fn weights_move_with_their_samples_and_are_gone_with_them() {
        let mut weights = Weights::default();
        for (index, weight) in [1.0, 2.0, 1.0, 0.5, 1.0].into_iter().enumerate() {
            weights.push(index, SampleWeight::new(weight).expect("it is in range"));
        }
        let all = |weights: &Weights, length| {
            (0..length)
                .map(|at| weights.get(at).value())
                .collect::<Vec<_>>()
        };
        assert_eq!(all(&weights, 5), [1.0, 2.0, 1.0, 0.5, 1.0]);
        assert_eq!(weights.0.len(), 4);
        for (from, to) in remap(1, &[false, true, true, true]).kept() {
            weights.copy(from, to);
        }
        weights.truncate(4);
        assert_eq!(all(&weights, 4), [1.0, 1.0, 0.5, 1.0]);
        weights.truncate(2);
        assert_eq!(weights.0.len(), 0);
    }
}
