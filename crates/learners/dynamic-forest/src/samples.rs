//! Samples that are looked at together, and working memory: lent by the thread, trees do not hold any of their own.

use std::cell::RefCell;

use forest_core::{Classification, Regression, SampleId, SampleStore};

use crate::grow::Task;
use crate::labels::{Coded, Labels};
use crate::nodes::Child;
use crate::search::{Group, Search};
use crate::settings::Rules;

/// Identifiers and codes of samples, beside each other, and how often each counts, where not all count once. Those that choose cuts, the
/// [voices](crate::silent::Silent), come before the silent ones: in the whole set, and in each part of it that a cut divides.
#[derive(Debug, Default)]
pub(crate) struct SampleSet<T: Labels> {
    /// Those that are pushed here get their codes [later](Self::read).
    pub(crate) ids: Vec<SampleId>,
    codes: Vec<T::Code>,
    is_weighted: bool,
    weights: Vec<u64>,
    /// The number of voices.
    pub(crate) voices: usize,
    right_ids: Vec<SampleId>,
    right_codes: Vec<T::Code>,
    right_weights: Vec<u64>,
}

/// Some of them; without weights each counts once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a, T: Labels> {
    pub(crate) ids: &'a [SampleId],
    pub(crate) codes: &'a [T::Code],
    pub(crate) weights: &'a [u64],
}

impl<'a, T: Labels> Samples<'a, T> {
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

    pub(crate) fn coded(self) -> impl Iterator<Item = Coded<T>> + 'a {
        self.codes.iter().enumerate().map(move |(index, &code)| {
            let units = self.units(index);
            Coded { code, units }
        })
    }
}

impl<T: Labels> SampleSet<T> {
    /// The rows and targets of this many samples, in cache lines of their own, fill a second-level cache.
    const MANY: usize = 1 << 14;

    /// Empties it for samples that count as their weights say, or once each.
    pub(crate) fn begin(&mut self, is_weighted: bool) {
        self.is_weighted = is_weighted;
        self.voices = 0;
        self.ids.clear();
        self.codes.clear();
        self.weights.clear();
    }

    pub(crate) fn push(&mut self, id: SampleId, sample: Coded<T>, is_silent: bool) {
        let last = self.ids.len();
        self.ids.push(id);
        self.codes.push(sample.code);
        if self.is_weighted {
            self.weights.push(sample.units);
        }
        if !is_silent {
            self.swap(self.voices, last);
            self.voices += 1;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.ids.swap(a, b);
        self.codes.swap(a, b);
        if self.is_weighted {
            self.weights.swap(a, b);
        }
    }

    /// Gives all samples their codes. Many are put in the order of the store first: whatever is read of them, here and below the node
    /// at hand, is then read from one end of memory to the other.
    #[inline]
    pub(crate) fn read(
        &mut self,
        coded: impl Fn(SampleId) -> Coded<T>,
        is_silent: Option<impl Fn(SampleId) -> bool>,
    ) {
        self.voices = self.ids.len();
        if let Some(is_silent) = is_silent {
            self.voices = 0;
            for at in 0..self.ids.len() {
                if !is_silent(self.ids[at]) {
                    self.ids.swap(self.voices, at);
                    self.voices += 1;
                }
            }
        }
        if self.ids.len() >= Self::MANY {
            let (voices, silent) = self.ids.split_at_mut(self.voices);
            voices.sort_unstable();
            silent.sort_unstable();
        }
        self.codes.clear();
        self.codes.extend(self.ids.iter().map(|&id| coded(id).code));
        self.weights.clear();
        if self.is_weighted {
            let weights = self.ids.iter().map(|&id| coded(id).units);
            self.weights.extend(weights);
        }
    }

    /// Takes a sample out.
    pub(crate) fn remove(&mut self, id: SampleId) {
        let place = self.ids.iter().position(|&other| other == id);
        let mut place = place.expect("the set has the sample");
        if place < self.voices {
            self.voices -= 1;
            self.swap(place, self.voices);
            place = self.voices;
        }
        self.ids.swap_remove(place);
        self.codes.swap_remove(place);
        if self.is_weighted {
            self.weights.swap_remove(place);
        }
    }

    /// Returns the samples of a task.
    #[inline]
    pub(crate) fn all(&self, task: Task) -> Samples<'_, T> {
        self.part(task.start, task.end)
    }

    /// Returns those that choose cuts.
    #[inline]
    pub(crate) fn voices(&self, task: Task) -> Samples<'_, T> {
        self.part(task.start, task.start + task.voices)
    }

    /// Returns what chooses the cut of their node.
    #[inline]
    pub(crate) fn group<'a>(
        &'a self,
        task: Task,
        store: &'a SampleStore<T>,
        rules: Rules,
    ) -> Group<'a, T> {
        let (key, samples) = (task.place.key, self.voices(task));
        Group {
            key,
            samples,
            store,
            rules,
        }
    }

    #[inline]
    pub(crate) fn part(&self, start: usize, end: usize) -> Samples<'_, T> {
        Samples {
            ids: &self.ids[start..end],
            codes: &self.codes[start..end],
            weights: self.weights.get(start..end).unwrap_or(&[]),
        }
    }

    /// Puts samples from `start` on with values up to the threshold first; returns where the others start.
    #[inline]
    pub(crate) fn divide(&mut self, start: usize, column: &[f32], threshold: f32) -> usize {
        let count = column.len();
        if self.is_weighted {
            self.divide_weights(start, column, threshold);
        }
        let room = self.right_ids.len().max(count);
        self.right_ids.resize(room, self.ids[start]);
        self.right_codes.resize(room, self.codes[start]);
        let (right_ids, right_codes) = (&mut self.right_ids[..], &mut self.right_codes[..]);
        let ids = &mut self.ids[start..start + count];
        let codes = &mut self.codes[start..start + count];
        let (mut left, mut right) = (0, 0);
        // Both places are written, and one of them counts: no branch to be guessed.
        for (at, &value) in column.iter().enumerate() {
            let (id, code) = (ids[at], codes[at]);
            (ids[left], codes[left]) = (id, code);
            (right_ids[right], right_codes[right]) = (id, code);
            let is_left = usize::from(value <= threshold);
            left += is_left;
            right += 1 - is_left;
        }
        ids[left..].copy_from_slice(&right_ids[..right]);
        codes[left..].copy_from_slice(&right_codes[..right]);
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
pub(crate) struct Scratch<T: Labels> {
    pub(crate) set: SampleSet<T>,
    pub(crate) search: Search<T>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose nodes and leaves are still to be noted.
    pub(crate) below: Vec<Child>,
    /// The nodes that were noted, and the first samples of the leaves.
    pub(crate) visited: Vec<usize>,
    pub(crate) leaves: Vec<SampleId>,
}

/// That of both tasks: static memory cannot be generic.
pub(crate) type Scratches = (Scratch<Classification>, Scratch<Regression>);

thread_local! {
    pub(crate) static SCRATCH: RefCell<Scratches> = RefCell::default();
}
