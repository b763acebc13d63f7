//! The samples of a forest, stored once and shared by all its trees.

use std::num::NonZeroU32;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::{Arena, Batch, InputError, InvariantError, Schema, Task};

/// Identifies a stored sample: what trees hold instead of the point.
///
/// 32 bits, and an `Option<SampleId>` takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SampleId(NonZeroU32);

impl SampleId {
    /// The identifier of the sample stored at `index`.
    ///
    /// # Panics
    /// If `index` is beyond [`SampleStore::LIMIT`]; [`SampleStore::room`] keeps that from happening.
    #[inline]
    pub fn new(index: usize) -> Self {
        let id = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(id.expect("the store refuses samples beyond its limit"))
    }

    /// Where the sample is stored.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Feature rows and targets in order of arrival, row-major: `4·features` bytes, a target and nine
/// bytes a sample.
///
/// A sample that is forgotten stays where it is until the forest closes the gaps, so
/// identifiers follow the order of arrival at all times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleStore<T: Task> {
    width: usize,
    features: Arena<f32>,
    targets: Arena<T::Target>,
    /// For each sample, its number in the stream, from 0.
    arrivals: Arena<u64>,
    forgotten: Arena<bool>,
    forgotten_count: usize,
    /// No sample before this index is held.
    oldest: usize,
}

impl<T: Task> SampleStore<T> {
    /// The most samples it can hold: trees may use the upper bit of 32 for a mark of their own.
    pub const LIMIT: usize = (1 << 31) - 2;

    /// An empty store for rows of `width` features.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            features: Arena::default(),
            targets: Arena::default(),
            arrivals: Arena::default(),
            forgotten: Arena::default(),
            forgotten_count: 0,
            oldest: 0,
        }
    }

    /// A store of these samples, the first of the stream that `schema` describes: for trees that
    /// are tested without a forest.
    ///
    /// # Errors
    /// [`InputError`] if anything is refused.
    pub fn with_samples(
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        schema: &Schema<T>,
    ) -> Result<Self, InputError> {
        let batch = Batch::check(features, targets, schema)?;
        let mut store = Self::new(schema.features());
        store.append(&batch, 0);
        Ok(store)
    }

    /// Number of features of a sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of samples held, without those forgotten.
    pub fn len(&self) -> usize {
        self.slots() - self.forgotten_count
    }

    /// Whether no sample is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of identifiers in use: samples held, and forgotten ones whose place is not reused yet.
    pub fn slots(&self) -> usize {
        self.targets.len()
    }

    /// How many more samples fit.
    pub fn room(&self) -> usize {
        Self::LIMIT - self.slots()
    }

    /// The samples held, in order of arrival.
    pub fn ids(&self) -> impl Iterator<Item = SampleId> {
        let held = |&index: &usize| !self.forgotten[index];
        let indices = (self.oldest..self.slots()).filter(held);
        indices.map(SampleId::new)
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

    /// The sample that arrived as number `arrival` of the stream, from 0, if it is held.
    ///
    /// `O(log n)`.
    pub fn find(&self, arrival: u64) -> Option<SampleId> {
        let index = self.arrivals.binary_search(&arrival).ok()?;
        (!self.forgotten[index]).then(|| SampleId::new(index))
    }

    /// Whether a sample is held.
    pub fn holds(&self, id: SampleId) -> bool {
        self.forgotten.get(id.index()) == Some(&false)
    }

    /// Bytes allocated for the samples.
    pub fn bytes(&self) -> usize {
        let rows = self.features.bytes() + self.targets.bytes();
        rows + self.arrivals.bytes() + self.forgotten.bytes()
    }

    /// Appends a batch whose first sample is number `arrival` of the stream; its rows get the
    /// identifiers that follow the ones given so far.
    pub(crate) fn append(&mut self, batch: &Batch<'_, T>, arrival: u64) {
        self.features.extend_from_slice(batch.rows().values());
        self.targets.extend_from_slice(batch.targets());
        for offset in 0..batch.len() as u64 {
            self.arrivals.push(arrival + offset);
            self.forgotten.push(false);
        }
    }

    /// Forgets a sample that is held. Its row stays readable until the store is compacted.
    pub fn forget(&mut self, id: SampleId) {
        let forgotten = std::mem::replace(&mut self.forgotten[id.index()], true);
        self.forgotten_count += usize::from(!forgotten);
        let next = |index: &usize| self.forgotten.get(*index) == Some(&true);
        self.oldest += (self.oldest..).take_while(next).count();
    }

    /// Closes the gaps of forgotten samples if they take as much room as the others do: the
    /// amortised cost is `O(1)` rows per forgotten sample.
    pub(crate) fn compact(&mut self) -> Option<IdRemap> {
        let due = self.forgotten_count >= Self::gaps_worth_closing(self.len());
        due.then(|| {
            let marks = self.forgotten.iter().map(|&forgotten| !forgotten).collect();
            self.retain(&RetentionMask {
                first: SampleId::new(0),
                marks,
            })
        })
    }

    /// How many samples have to be forgotten before gaps are closed, if so many are held. A few are
    /// never worth a pass over all trees.
    fn gaps_worth_closing(held: usize) -> usize {
        held.max(64)
    }

    /// After how many more samples gaps are due to be closed, if the latest `n` are held.
    pub(crate) fn rows_until_compaction(&self, n: usize) -> usize {
        let until_full = n.saturating_sub(self.len());
        until_full + Self::gaps_worth_closing(n).saturating_sub(self.forgotten_count)
    }

    /// Drops the samples that `kept` does not name and closes the gaps.
    pub(crate) fn retain(&mut self, kept: &RetentionMask) -> IdRemap {
        let first = kept.first.index();
        let mut next = first;
        let mut new = Vec::with_capacity(kept.marks.len());
        for (offset, &keep) in kept.marks.iter().enumerate() {
            new.push(keep.then(|| SampleId::new(next)));
            if keep {
                self.shift(first + offset, next);
                next += 1;
            }
        }
        self.truncate(next);
        IdRemap {
            first: kept.first,
            new,
        }
    }

    fn shift(&mut self, from: usize, to: usize) {
        let start = from * self.width;
        self.features
            .copy_within(start..start + self.width, to * self.width);
        self.targets[to] = self.targets[from];
        self.arrivals[to] = self.arrivals[from];
        self.forgotten[to] = self.forgotten[from];
    }

    fn truncate(&mut self, length: usize) {
        self.features.truncate(length * self.width);
        self.targets.truncate(length);
        self.arrivals.truncate(length);
        self.forgotten.truncate(length);
        self.forgotten_count = self
            .forgotten
            .iter()
            .filter(|&&forgotten| forgotten)
            .count();
        self.oldest = self
            .forgotten
            .iter()
            .take_while(|&&forgotten| forgotten)
            .count();
    }

    /// Checks that lengths agree and that `schema` lets every sample in and knows its target.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check(&self, schema: &Schema<T>) -> Result<(), InvariantError> {
        let fits = self.width == schema.features();
        InvariantError::unless(fits, || "sample store", || "its width is not the schema's")?;
        let rows = self.targets.len();
        let agree = self.features.len() == rows.saturating_mul(self.width)
            && (self.arrivals.len(), self.forgotten.len()) == (rows, rows);
        let finite = self.features.iter().all(|value| value.is_finite());
        let place = || "sample store";
        InvariantError::unless(
            agree,
            place,
            || "features, targets and arrivals differ in number",
        )?;
        InvariantError::unless(finite, place, || "a stored feature is not finite")?;
        let ordered = self.arrivals.is_sorted_by(|a, b| a < b);
        InvariantError::unless(ordered, place, || "samples are not in order of arrival")?;
        let forgotten = self
            .forgotten
            .iter()
            .filter(|&&forgotten| forgotten)
            .count();
        let oldest = self
            .forgotten
            .iter()
            .take_while(|&&forgotten| forgotten)
            .count();
        let counted = (forgotten, oldest) == (self.forgotten_count, self.oldest);
        InvariantError::unless(counted, place, || "forgotten samples are miscounted")?;
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
pub struct RetentionMask {
    first: SampleId,
    marks: Vec<bool>,
}

impl RetentionMask {
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

/// The new identifiers of kept samples after others were dropped.
#[derive(Clone, Debug)]
pub struct IdRemap {
    first: SampleId,
    new: Vec<Option<SampleId>>,
}

impl IdRemap {
    /// The first sample whose identifier may have changed.
    pub fn first(&self) -> SampleId {
        self.first
    }

    /// The new identifier of a sample; `None` if it was dropped.
    pub fn get(&self, id: SampleId) -> Option<SampleId> {
        if id < self.first {
            Some(id)
        } else {
            self.new[id.index() - self.first.index()]
        }
    }

    /// The new identifier of a kept sample.
    ///
    /// # Panics
    /// If the sample was dropped.
    pub fn apply(&self, id: SampleId) -> SampleId {
        self.get(id).expect("trees hold only samples that are kept")
    }
}
