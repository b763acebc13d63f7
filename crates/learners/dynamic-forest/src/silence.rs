//! Samples that count in every node and take no part in choosing cuts.

use std::fmt::Debug;

use forest_core::{SampleId, SampleStore};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::grow::{Growth, Task};
use crate::hash::hashed;
use crate::labels::sealed::Sums;
use crate::scratch::Scratch;
use crate::set::Samples;
use crate::tree::Parts;

/// Which samples are silent in a tree: its cuts are those of the tree of the other samples, its *voices*. So a silent sample can be
/// left out of any node afterwards: without it the tree has the same cuts.
pub(crate) trait Silence:
    Clone + Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Whether there can be any.
    const ANY: bool;

    /// Returns whether the sample of this number in the stream is silent.
    fn is_silent(self, arrival: u64) -> bool;
}

/// All samples choose cuts.
impl Silence for () {
    const ANY: bool = false;

    #[inline]
    fn is_silent(self, _: u64) -> bool {
        false
    }
}

/// A share of the samples, by a hash of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hashed {
    key: u64,
    /// Numbers with a lower hash are silent.
    below: u64,
}

impl Hashed {
    /// Trees of different keys have different silent samples.
    pub(crate) fn new(key: u64, share: f64) -> Self {
        Self { key, below: 0 }.with_share(share)
    }

    /// With a lower share, some of these are silent, and no others.
    pub(crate) fn with_share(self, share: f64) -> Self {
        let below = (share * 2f64.powi(64)) as u64;
        Self { below, ..self }
    }

    pub(crate) fn is_more_than(self, other: Self) -> bool {
        self.below > other.below
    }
}

impl Silence for Hashed {
    const ANY: bool = true;

    #[inline]
    fn is_silent(self, arrival: u64) -> bool {
        hashed(self.key, arrival) < self.below
    }
}

/// One of a few folds of the samples, into which a hash of their numbers divides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fold(u64);

impl Fold {
    /// With few folds, many trees do not know a sample; with many, few samples have no part in a tree's cuts.
    const FOLDS: u64 = 3;

    /// Returns the fold of a tree: that of each is as large as any other's.
    pub(crate) fn of_tree(index: usize) -> Self {
        Self(index as u64 % Self::FOLDS)
    }
}

impl Silence for Fold {
    const ANY: bool = true;

    #[inline]
    fn is_silent(self, arrival: u64) -> bool {
        hashed(0, arrival) % Self::FOLDS == self.0
    }
}

impl<T: Sums> Parts<T> {
    #[inline]
    pub(crate) fn is_silent(&self, store: &SampleStore<T::Task>, id: SampleId) -> bool {
        T::Silence::ANY && self.silence.is_silent(store.arrival(id))
    }
}

impl<T: Sums> Growth<'_, T> {
    #[inline]
    pub(crate) fn is_silent(&self, id: SampleId) -> bool {
        self.tree.is_silent(self.store, id)
    }

    /// Makes the voices among some samples of the set those that [`Scratch::voices`] returns.
    #[inline]
    pub(crate) fn hear(&mut self, start: usize, end: usize) {
        if !T::Silence::ANY {
            return;
        }
        let Scratch { set, voices, .. } = &mut *self.scratch;
        voices.clear();
        let Samples { ids, codes } = set.part(start, end);
        for (&id, &code) in ids.iter().zip(codes) {
            if !self.tree.silence.is_silent(self.store.arrival(id)) {
                voices.push(id, code);
            }
        }
    }

    /// Returns the number of voices among the samples of a task.
    #[inline]
    pub(crate) fn count_voices(&mut self, Task { start, end, .. }: Task) -> usize {
        self.hear(start, end);
        self.scratch.voices(start, end).len()
    }

    /// Returns the voices of a leaf.
    pub(crate) fn voices_of(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        let samples = self.tree.links.list(first);
        samples.filter(|&id| !self.is_silent(id))
    }

    /// Makes samples below another share silent.
    ///
    /// Those that are so no longer leave, and come again as voices. If others become silent, the tree is built again: they have chosen its cuts.
    pub(crate) fn silence(&mut self, root: crate::grow::Place, silence: T::Silence, is_more: bool) {
        if is_more {
            self.tree.silence = silence;
            let ids: Vec<_> = self.store.ids().collect();
            return self.grow_all(root, ids.into_iter(), || true);
        }
        let is_voice = |id: &SampleId| !silence.is_silent(self.store.arrival(*id));
        let released: Vec<_> = self
            .store
            .ids()
            .filter(|&id| self.is_silent(id))
            .filter(is_voice)
            .collect();
        released.iter().for_each(|&id| self.forget(root, id));
        self.tree.silence = silence;
        released.iter().for_each(|&id| self.learn(root, id));
    }
}
