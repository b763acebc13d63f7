//! Identifiers of stored samples, and how they change when samples are dropped.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// Identifies a stored sample: what trees hold instead of the point.
///
/// 32 bits, and an `Option<SampleId>` takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SampleId(NonZeroU32);

impl SampleId {
    /// Returns the identifier of the sample stored at `index`.
    /// Panics if `index` is beyond [`SampleStore::LIMIT`](crate::SampleStore::LIMIT).
    #[inline]
    pub fn new(index: usize) -> Self {
        let id = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(id.expect("the store refuses samples beyond its limit"))
    }

    /// Returns the index at which the sample is stored.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Which samples some tree holds, of those that follow [`RetentionMask::first`].
#[derive(Clone, Debug)]
pub struct RetentionMask {
    pub(crate) first: SampleId,
    /// A few, as `learn_one` has them, need no allocation.
    pub(crate) marks: SmallVec<[bool; 16]>,
}

impl RetentionMask {
    /// Returns a mask that keeps no sample of the `count` from index `first` on.
    pub fn empty(first: usize, count: usize) -> Self {
        Self {
            first: SampleId::new(first),
            marks: smallvec![false; count],
        }
    }

    /// Returns the first sample that may be dropped; those before it stay.
    pub fn first(&self) -> SampleId {
        self.first
    }

    /// Keeps one sample. Panics if `id` is before [`RetentionMask::first`], or not stored.
    pub fn keep(&mut self, id: SampleId) {
        self.marks[id.index() - self.first.index()] = true;
    }

    /// Keeps them all.
    pub fn keep_all(&mut self) {
        self.marks.fill(true);
    }

    /// Returns whether all are kept.
    pub fn all(&self) -> bool {
        self.marks.iter().all(|&keep| keep)
    }

    /// Returns the new identifiers once the samples that are not kept are dropped and the rest moved up.
    pub fn remap(&self) -> IdRemap {
        let mut next = self.first.index();
        let mut new = SmallVec::with_capacity(self.marks.len());
        for &keep in &self.marks {
            new.push(keep.then(|| SampleId::new(next)));
            next += usize::from(keep);
        }
        IdRemap {
            first: self.first,
            new,
        }
    }
}

/// The new identifiers of samples after others were dropped.
#[derive(Clone, Debug)]
pub struct IdRemap {
    pub(crate) first: SampleId,
    pub(crate) new: SmallVec<[Option<SampleId>; 16]>,
}

impl IdRemap {
    /// Returns the first sample whose identifier may have changed.
    pub fn first(&self) -> SampleId {
        self.first
    }

    /// Returns the old and the new index of each sample that is kept, of those that may have changed, in order.
    pub fn kept(&self) -> impl Iterator<Item = (usize, usize)> {
        let new = (self.first.index()..).zip(&self.new);
        new.filter_map(|(old, new)| Some((old, new.as_ref()?.index())))
    }

    /// Returns the new identifier of a sample; `None` if it was dropped.
    pub fn get(&self, id: SampleId) -> Option<SampleId> {
        if id < self.first {
            Some(id)
        } else {
            self.new[id.index() - self.first.index()]
        }
    }

    /// Returns the new identifier of a sample that is held. Panics if the sample was dropped.
    pub fn apply(&self, id: SampleId) -> SampleId {
        self.get(id).expect("trees hold only samples that are kept")
    }
}
