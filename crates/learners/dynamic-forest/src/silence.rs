//! Samples that count in every node and take no part in choosing cuts.

use std::fmt::Debug;

use forest_core::{SampleId, SampleStore};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::grow::{Growth, Place, Task};
use crate::hash::hashed;
use crate::labels::sealed::Sums;
use crate::scratch::{Scratch, heard};
use crate::set::Samples;
use crate::tree::Parts;

/// Which samples are silent in a tree: its cuts are those of the tree of the other samples, its *voices*. So a silent sample can be
/// left out of any node afterwards: without it the tree has the same cuts.
pub(crate) trait Silence:
    Clone + Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Whether there can be any.
    const ANY: bool;

    /// Returns whether the sample of this number in the stream is silent.
    fn is_silent(self, arrival: u64) -> bool;

    /// Makes a share of the samples silent. With a lower one, some of these are, and no others.
    fn with_share(self, share: f64) -> Self;

    /// Returns whether samples are silent that are not at another share.
    fn is_more_than(self, other: Self) -> bool;
}

/// All samples choose cuts.
impl Silence for () {
    const ANY: bool = false;

    #[inline]
    fn is_silent(self, _: u64) -> bool {
        false
    }

    fn with_share(self, _: f64) -> Self {}

    fn is_more_than(self, (): Self) -> bool {
        false
    }
}

/// Samples are silent whose numbers have a hash in a range of this length, from this one on; beyond the largest it continues at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Silent {
    /// Whether there can be any.
    is_possible: bool,
    from: u64,
    length: u64,
}

impl Silent {
    /// Returns none, which can become some of fold `index` of `folds`; the next after the last is the first.
    pub(crate) fn of_fold(index: usize, folds: usize) -> Self {
        let from = (index % folds) as u64 * (u64::MAX / folds as u64);
        let is_possible = true;
        Self {
            is_possible,
            from,
            length: 0,
        }
    }
}

impl Silence for Silent {
    const ANY: bool = true;

    #[inline]
    fn is_silent(self, arrival: u64) -> bool {
        hashed(0, arrival).wrapping_sub(self.from) < self.length
    }

    fn with_share(self, share: f64) -> Self {
        let share = if self.is_possible { share } else { 0.0 };
        let length = (share * 2f64.powi(64)) as u64;
        Self { length, ..self }
    }

    fn is_more_than(self, other: Self) -> bool {
        self.length > other.length
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

    /// Makes the voices among some samples of the set those that [`Growth::voices`] returns.
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

    /// Returns the samples of a part of the set that choose cuts, as they were [heard](Self::hear).
    #[inline]
    pub(crate) fn voices(&self, start: usize, end: usize) -> Samples<'_, T::Code> {
        let Scratch { set, voices, .. } = &*self.scratch;
        heard::<T::Silence, _>(set, voices, start, end)
    }

    /// Returns the number of voices among the samples of a task.
    #[inline]
    pub(crate) fn count_voices(&mut self, Task { start, end, .. }: Task) -> usize {
        self.hear(start, end);
        self.voices(start, end).len()
    }

    /// Returns the voices of a leaf.
    pub(crate) fn voices_of(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        let samples = self.tree.links.list(first);
        samples.filter(|&id| !self.is_silent(id))
    }

    /// Makes other samples silent.
    ///
    /// Those that are so no longer leave, and come again as voices. If others become silent, the tree is built again: they have chosen its cuts.
    pub(crate) fn silence(&mut self, root: Place, silence: T::Silence) {
        if silence.is_more_than(self.tree.silence) {
            self.tree.silence = silence;
            let ids: Vec<_> = self.store.ids().collect();
            return self.grow_all(root, ids.into_iter(), || true);
        }
        let is_voice = |id: &SampleId| !silence.is_silent(self.store.arrival(*id));
        let silent = self.store.ids().filter(|&id| self.is_silent(id));
        let released: Vec<_> = silent.filter(is_voice).collect();
        released.iter().for_each(|&id| self.forget(root, id));
        self.tree.silence = silence;
        released.iter().for_each(|&id| self.learn(root, id));
    }
}
