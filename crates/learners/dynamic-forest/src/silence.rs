//! Samples that count in every node and take no part in choosing cuts.

use forest_core::{SampleId, SampleStore};
use serde::{Deserialize, Serialize};

use crate::grow::{Growth, Place, Task};
use crate::hash::hashed;
use crate::samples::{SampleSet, Samples, Scratch};
use crate::tree::{CodeOf, ExtraTree, Mode};

/// Which samples are silent in a tree: its cuts are those of the tree of the other samples, its *voices*. So a silent sample can be
/// left out of any node afterwards: without it the tree has the same cuts.
///
/// Those whose numbers have a hash in a range of this length, from this one on; beyond the largest it continues at 0. None by default.
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
        Self {
            is_possible: true,
            from,
            length: 0,
        }
    }

    /// Returns whether there are any.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self.length > 0
    }

    /// Makes a share of the samples silent. With a lower one, some of these are, and no others.
    pub(crate) fn with_share(self, share: f64) -> Self {
        let share = if self.is_possible { share } else { 0.0 };
        let length = (share * 2f64.powi(64)) as u64;
        Self { length, ..self }
    }

    /// Returns the samples of a part of the set that choose cuts, as they were [heard](Growth::hear).
    #[inline]
    pub(crate) fn voices<'a, C: Copy + PartialEq>(
        self,
        set: &'a SampleSet<C>,
        voices: &'a SampleSet<C>,
        task: Task,
    ) -> Samples<'a, C> {
        if self.is_any() {
            voices.part(0, voices.len())
        } else {
            set.part(task.start, task.end)
        }
    }
}

impl<V: Mode> ExtraTree<V> {
    #[inline]
    pub(crate) fn is_silent_in(&self, store: &SampleStore<V::Task>, id: SampleId) -> bool {
        let Silent { from, length, .. } = self.silence;
        length > 0 && hashed(0, store.arrival(id)).wrapping_sub(from) < length
    }
}

impl<V: Mode> Growth<'_, V> {
    #[inline]
    pub(crate) fn is_silent(&self, id: SampleId) -> bool {
        self.tree.is_silent_in(self.store, id)
    }

    /// Makes the voices among some samples of the set those that [`Growth::voices`] returns.
    #[inline]
    pub(crate) fn hear(&mut self, task: Task) {
        if !self.tree.silence.is_any() {
            return;
        }
        let Scratch { set, voices, .. } = &mut *self.scratch;
        voices.clear();
        let samples = set.part(task.start, task.end);
        for (&id, sample) in samples.ids.iter().zip(samples.coded()) {
            if !self.tree.is_silent_in(self.store, id) {
                voices.push(id, sample);
            }
        }
    }

    /// Returns the samples of a task that choose cuts, as they were [heard](Self::hear).
    #[inline]
    pub(crate) fn voices(&self, task: Task) -> Samples<'_, CodeOf<V>> {
        self.tree
            .silence
            .voices(&self.scratch.set, &self.scratch.voices, task)
    }

    /// Returns the number of voices among the samples of a task.
    #[inline]
    pub(crate) fn count_voices(&mut self, task: Task) -> usize {
        self.hear(task);
        self.voices(task).len()
    }

    /// Returns the voices of a leaf.
    pub(crate) fn voices_of(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        self.tree
            .links
            .list(first)
            .filter(|&id| !self.is_silent(id))
    }

    /// Makes other samples silent.
    ///
    /// Those that are so no longer leave, and come again as voices. If others become silent, the tree is built again: they have chosen its cuts.
    pub(crate) fn silence(&mut self, root: Place, silence: Silent) {
        let ids: Vec<_> = self.store.ids().collect();
        let before = std::mem::replace(&mut self.tree.silence, silence);
        if silence.length > before.length {
            return self.grow_all(root, ids.into_iter(), || true);
        }
        let voices: Vec<_> = ids.into_iter().filter(|&id| !self.is_silent(id)).collect();
        self.tree.silence = before;
        let released: Vec<_> = voices
            .into_iter()
            .filter(|&id| self.is_silent(id))
            .collect();
        released.iter().for_each(|&id| self.forget(root, id));
        self.tree.silence = silence;
        released.iter().for_each(|&id| self.learn(root, id));
    }
}
