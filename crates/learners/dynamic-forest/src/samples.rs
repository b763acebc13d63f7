//! Samples that are looked at together, and working memory: lent by the thread, trees do not hold any of their own.

use std::cell::RefCell;

use forest_core::{Classification, Regression, SampleId};

use crate::grow::Task;
use crate::labels::{Coded, Sums};
use crate::nodes::Child;
use crate::search::Search;

/// Identifiers and codes of samples, beside each other; and how often each counts, where not all count once.
#[derive(Debug, Default)]
pub(crate) struct SampleSet<C> {
    /// Those that are pushed here get their codes [later](Self::read_codes).
    pub(crate) ids: Vec<SampleId>,
    codes: Vec<C>,
    is_weighted: bool,
    weights: Vec<u64>,
    right_ids: Vec<SampleId>,
    right_codes: Vec<C>,
    right_weights: Vec<u64>,
}

/// Some of them; without weights each counts once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a, C> {
    pub(crate) ids: &'a [SampleId],
    pub(crate) codes: &'a [C],
    pub(crate) weights: &'a [u64],
}

impl<'a, C: Copy + PartialEq> Samples<'a, C> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether all have the same target.
    #[inline]
    pub(crate) fn are_pure(&self) -> bool {
        self.codes.iter().all(|code| *code == self.codes[0])
    }

    /// Returns how often a sample counts.
    #[inline]
    pub(crate) fn units(&self, index: usize) -> u64 {
        self.weights.get(index).copied().unwrap_or(1)
    }

    pub(crate) fn coded(self) -> impl Iterator<Item = Coded<C>> + 'a {
        let codes = self.codes.iter().enumerate();
        codes.map(move |(index, &code)| Coded {
            code,
            units: self.units(index),
        })
    }
}

impl<C: Copy + PartialEq> SampleSet<C> {
    /// The rows and targets of this many samples, in cache lines of their own, fill a second-level cache.
    const MANY: usize = 1 << 14;

    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.codes.clear();
        self.weights.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, id: SampleId, sample: Coded<C>) {
        self.ids.push(id);
        self.codes.push(sample.code);
        if self.is_weighted {
            self.weights.push(sample.units);
        }
    }

    /// Gives all samples their codes. Many are put in the order of the store first: whatever is read of them, here and below the node
    /// at hand, is then read from one end of memory to the other.
    #[inline]
    pub(crate) fn read_codes(&mut self, coded: impl Fn(SampleId) -> Coded<C>) {
        if self.ids.len() >= Self::MANY {
            self.ids.sort_unstable();
        }
        self.codes.clear();
        self.codes.extend(self.ids.iter().map(|&id| coded(id).code));
        if self.is_weighted {
            self.weights.clear();
            self.weights
                .extend(self.ids.iter().map(|&id| coded(id).units));
        }
    }

    /// Takes a sample out.
    pub(crate) fn remove(&mut self, id: SampleId) {
        let place = self.ids.iter().position(|&other| other == id);
        let place = place.expect("the set has the sample");
        self.ids.swap_remove(place);
        self.codes.swap_remove(place);
        if self.is_weighted {
            self.weights.swap_remove(place);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(crate) fn part(&self, start: usize, end: usize) -> Samples<'_, C> {
        let (ids, codes) = (&self.ids[start..end], &self.codes[start..end]);
        let weights = self.weights.get(start..end).unwrap_or(&[]);
        Samples {
            ids,
            codes,
            weights,
        }
    }

    /// Puts the samples from `start` on whose value is at most the threshold before the others; returns where the
    /// others start.
    #[inline]
    pub(crate) fn divide(&mut self, start: usize, column: &[f32], threshold: f32) -> usize {
        let count = column.len();
        if self.is_weighted {
            self.divide_weights(start, column, threshold);
        }
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

    fn divide_weights(&mut self, start: usize, column: &[f32], threshold: f32) {
        self.right_weights.clear();
        let mut left = start;
        for (at, &value) in (start..).zip(column) {
            if value <= threshold {
                self.weights[left] = self.weights[at];
                left += 1;
            } else {
                self.right_weights.push(self.weights[at]);
            }
        }
        self.weights[left..start + column.len()].copy_from_slice(&self.right_weights);
    }
}

/// Working memory of a change of a tree; empty in between, except for its capacity.
#[derive(Debug, Default)]
pub(crate) struct Scratch<T: Sums> {
    pub(crate) set: SampleSet<T::Code>,
    /// The samples of a part of the set that choose cuts, if others are silent.
    pub(crate) voices: SampleSet<T::Code>,
    pub(crate) search: Search<T>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose samples are still to be collected.
    pub(crate) below: Vec<Child>,
    /// The nodes of the subtree whose samples were collected.
    pub(crate) visited: Vec<usize>,
    /// The first samples of its leaves.
    pub(crate) leaves: Vec<SampleId>,
}

impl<T: Sums> Scratch<T> {
    /// Prepares it for samples that count as their weights say, or once each.
    pub(crate) fn begin(&mut self, is_weighted: bool) {
        for set in [&mut self.set, &mut self.voices] {
            set.clear();
            set.is_weighted = is_weighted;
        }
    }
}

/// That of both tasks: static memory cannot be generic.
pub(crate) type Scratches = (Scratch<Classification>, Scratch<Regression>);

thread_local! {
    pub(crate) static SCRATCH: RefCell<Scratches> = RefCell::default();
}
