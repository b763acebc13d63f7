//! The samples of a forest, stored once and shared by all its trees.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::{Arena, Batch, InvariantError, Schema, Task};

/// Names a stored sample: what trees hold instead of the point.
///
/// 32 bits, and an `Option<SampleId>` takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SampleId(NonZeroU32);

impl SampleId {
    /// The name of the sample stored at `index`.
    ///
    /// # Panics
    /// If `index` is beyond [`SampleStore::LIMIT`]; [`SampleStore::room`] keeps that from happening.
    pub fn new(index: usize) -> Self {
        let name = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(name.expect("the store refuses samples beyond 32-bit names"))
    }

    /// Where the sample is stored.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Feature rows and targets in order of arrival, row-major, `4·features` bytes and a target each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleStore<T: Task> {
    width: usize,
    features: Arena<f32>,
    targets: Arena<T::Target>,
}

impl<T: Task> SampleStore<T> {
    /// The most samples that 32-bit names can tell apart.
    pub const LIMIT: usize = u32::MAX as usize - 1;

    /// An empty store for rows of `width` features.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            features: Arena::default(),
            targets: Arena::default(),
        }
    }

    /// Number of features of a sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of samples stored.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How many more samples fit.
    pub fn room(&self) -> usize {
        Self::LIMIT - self.len()
    }

    /// The features of a sample.
    #[inline]
    pub fn features(&self, id: SampleId) -> &[f32] {
        &self.features[id.index() * self.width..][..self.width]
    }

    /// The target of a sample.
    #[inline]
    pub fn target(&self, id: SampleId) -> T::Target {
        self.targets[id.index()]
    }

    /// Bytes allocated for the samples.
    pub fn bytes(&self) -> usize {
        self.features.bytes() + self.targets.bytes()
    }

    /// Appends a batch; its rows get the names that follow the ones given so far.
    pub fn append(&mut self, batch: &Batch<'_, T>) {
        self.features.extend_from_slice(batch.rows().values());
        self.targets.extend_from_slice(batch.targets());
    }

    /// Drops the samples that `kept` does not name and closes the gaps.
    pub fn retain(&mut self, kept: &Kept) -> Renumbering {
        let first = kept.first.index();
        let mut next = first;
        let mut new = Vec::with_capacity(kept.marks.len());
        for (offset, &keep) in kept.marks.iter().enumerate() {
            new.push(SampleId::new(next));
            if keep {
                self.shift(first + offset, next);
                next += 1;
            }
        }
        self.features.truncate(next * self.width);
        self.targets.truncate(next);
        Renumbering {
            first: kept.first,
            new,
        }
    }

    fn shift(&mut self, from: usize, to: usize) {
        let start = from * self.width;
        self.features
            .copy_within(start..start + self.width, to * self.width);
        self.targets[to] = self.targets[from];
    }

    /// Checks that lengths agree and that `schema` lets every sample in and knows its target.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check(&self, schema: &Schema<T>) -> Result<(), InvariantError> {
        let fits = self.width == schema.features();
        InvariantError::unless(fits, || "sample store", || "its width is not the schema's")?;
        let agree = self.features.len() == self.targets.len().saturating_mul(self.width);
        let finite = self.features.iter().all(|value| value.is_finite());
        let place = || "sample store";
        InvariantError::unless(agree, place, || "features and targets differ in number")?;
        InvariantError::unless(finite, place, || "a stored feature is not finite")?;
        self.check_targets(schema.outputs())
    }

    fn check_targets(&self, outputs: T::Outputs) -> Result<(), InvariantError> {
        for (row, &target) in self.targets.iter().enumerate() {
            let refused = |error| InvariantError::new("sample store", error);
            T::check(&outputs, target, row).map_err(refused)?;
            let known = T::admit(outputs, target) == outputs;
            let what = || format!("the target of sample {row} is not known to the schema");
            InvariantError::unless(known, || "sample store", what)?;
        }
        Ok(())
    }
}

/// Which samples of the batch just learned some tree keeps.
#[derive(Clone, Debug)]
pub struct Kept {
    first: SampleId,
    marks: Vec<bool>,
}

impl Kept {
    pub(crate) fn none_of(first: usize, count: usize) -> Self {
        let marks = vec![false; count];
        Self {
            first: SampleId::new(first),
            marks,
        }
    }

    /// The first sample of the batch; those before it are none of this matter.
    pub fn first(&self) -> SampleId {
        self.first
    }

    /// Keeps one sample of the batch.
    ///
    /// # Panics
    /// If `id` is not of the batch.
    pub fn keep(&mut self, id: SampleId) {
        self.marks[id.index() - self.first.index()] = true;
    }

    /// Keeps the whole batch.
    pub fn keep_all(&mut self) {
        self.marks.fill(true);
    }

    pub(crate) fn all(&self) -> bool {
        self.marks.iter().all(|&keep| keep)
    }
}

/// The new names of kept samples after others of their batch were dropped.
#[derive(Clone, Debug)]
pub struct Renumbering {
    first: SampleId,
    new: Vec<SampleId>,
}

impl Renumbering {
    /// The first sample whose name may have changed.
    pub fn first(&self) -> SampleId {
        self.first
    }

    /// The new name of a kept sample.
    pub fn apply(&self, id: SampleId) -> SampleId {
        if id < self.first {
            id
        } else {
            self.new[id.index() - self.first.index()]
        }
    }
}
