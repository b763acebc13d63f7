//! The samples of a forest, stored once and shared by all its trees.

mod columns;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::{
    Arena, Batch, FeatureValues, IdRemap, InputError, InvariantError, RetentionMask, SampleId,
    SampleWeight, Schema, Task, prefetch,
};
use columns::{Arrivals, Weights};

/// Feature rows and targets in order of arrival, row-major: `4·features` bytes, a target and a byte a sample; eight
/// bytes more if samples between them are missing, and eight more up to the last whose weight is not 1.
///
/// A sample that is forgotten stays in its place until the store is compacted. Identifiers follow the order of arrival.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SampleStore<T: Task> {
    width: usize,
    features: Arena<f32>,
    /// Whether any value has been a category or missing: trees that hold numbers alone do not look for others.
    has_categories: bool,
    targets: Arena<T::Target>,
    /// For each sample, its number in the stream, from 0.
    arrivals: Arrivals,
    weights: Weights,
    forgotten: Arena<bool>,
    forgotten_count: usize,
    /// No sample before this index is held.
    oldest: usize,
}

impl<T: Task> SampleStore<T> {
    /// The maximum number of samples: trees may use the upper bit of 32 for a mark of their own.
    pub const LIMIT: usize = (1 << 31) - 2;

    /// Returns an empty store for rows of `width` features.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// Returns a store of these samples, the first of a stream: for trees that are tested without a forest.
    ///
    /// # Errors
    /// Returns an error if a sample is refused.
    pub fn with_samples(
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        schema: &Schema<T>,
    ) -> Result<Self, InputError> {
        let accepted = FeatureValues::NumbersAndCategories;
        let batch = Batch::check(features, targets, schema, accepted)?;
        let mut store = Self::new(schema.features());
        for (arrival, (features, target)) in (0..).zip(batch.iter()) {
            store.push(features, target, SampleWeight::ONE, arrival);
        }
        Ok(store)
    }

    /// Returns the number of features of a sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of samples held, without those forgotten.
    pub fn len(&self) -> usize {
        self.slots() - self.forgotten_count
    }

    /// Returns whether no sample is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of identifiers in use: samples held, and forgotten ones whose place is not reused yet.
    pub fn slots(&self) -> usize {
        self.targets.len()
    }

    /// Returns the samples held, in order of arrival.
    pub fn ids(&self) -> impl Iterator<Item = SampleId> {
        let held = |&index: &usize| !self.forgotten[index];
        (self.oldest..self.slots()).filter(held).map(SampleId::new)
    }

    /// Returns the features of a sample.
    #[inline]
    pub fn features(&self, id: SampleId) -> &[f32] {
        &self.features[id.index() * self.width..][..self.width]
    }

    /// Returns whether any sample that was stored has a category or a missing value.
    #[inline]
    pub fn has_categories(&self) -> bool {
        self.has_categories
    }

    /// Returns the features of all samples.
    #[inline]
    pub fn points(&self) -> Points<'_> {
        Points {
            features: &self.features,
            width: self.width,
        }
    }

    /// Returns the target of a sample.
    #[inline]
    pub fn target(&self, id: SampleId) -> T::Target {
        self.targets[id.index()]
    }

    /// Asks for the memory of a sample's target ([`prefetch`](crate::prefetch)).
    #[inline]
    pub fn prefetch_target(&self, id: SampleId) {
        prefetch(&self.targets[id.index()]);
    }

    /// Returns the weight of a sample.
    #[inline]
    pub fn weight(&self, id: SampleId) -> SampleWeight {
        self.weights.get(id.index())
    }

    /// Returns the sample that arrived as number `arrival` of the stream, from 0, if it is held. `O(log n)`.
    pub fn find(&self, arrival: u64) -> Option<SampleId> {
        let index = self.arrivals.find(arrival)?;
        (!self.forgotten[index]).then(|| SampleId::new(index))
    }

    /// Returns the number in the stream of a stored sample, from 0.
    #[inline]
    pub fn arrival(&self, id: SampleId) -> u64 {
        self.arrivals.get(id.index())
    }

    /// Replaces the target of a sample; returns the one before.
    pub(crate) fn retarget(&mut self, id: SampleId, target: T::Target) -> T::Target {
        std::mem::replace(&mut self.targets[id.index()], target)
    }

    /// Returns the number in the stream of the last sample stored.
    pub(crate) fn last_arrival(&self) -> Option<u64> {
        Some(self.arrivals.get(self.arrivals.len().checked_sub(1)?))
    }

    /// Returns whether a sample is held.
    pub fn holds(&self, id: SampleId) -> bool {
        self.forgotten.get(id.index()) == Some(&false)
    }

    /// Returns the bytes allocated for the samples.
    pub fn bytes(&self) -> usize {
        let rows = self.features.bytes() + self.targets.bytes();
        rows + self.arrivals.bytes() + self.weights.bytes() + self.forgotten.bytes()
    }

    /// Forgets a sample that is held. Its row stays readable until the store is compacted.
    pub fn forget(&mut self, id: SampleId) {
        let forgotten = std::mem::replace(&mut self.forgotten[id.index()], true);
        self.forgotten_count += usize::from(!forgotten);
        while self.forgotten.get(self.oldest) == Some(&true) {
            self.oldest += 1;
        }
    }

    /// Stores a sample that fits.
    #[inline]
    pub(crate) fn push(
        &mut self,
        features: &[f32],
        target: T::Target,
        weight: SampleWeight,
        arrival: u64,
    ) -> SampleId {
        self.has_categories |= any_category(features);
        self.features.extend_from_slice(features);
        self.targets.push(target);
        self.arrivals.push(arrival);
        self.weights.push(self.forgotten.len(), weight);
        self.forgotten.push(false);
        SampleId::new(self.slots() - 1)
    }

    /// Drops the samples from index `length` on, of which none is forgotten.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.features.truncate(length * self.width);
        self.targets.truncate(length);
        self.arrivals.truncate(length);
        self.weights.truncate(length);
        self.forgotten.truncate(length);
    }

    /// Drops all samples. The memory of a few, as `learn_one` stores them, is kept for the next ones.
    pub(crate) fn drop_all(&mut self) {
        self.forgotten_count = 0;
        self.oldest = 0;
        if self.slots() > 16 {
            return self.truncate(0);
        }
        self.features.clear();
        self.targets.clear();
        self.arrivals.truncate(0);
        self.weights.truncate(0);
        self.forgotten.clear();
    }

    /// Returns whether a store with these numbers of samples is compacted: `O(1)` rows per forgotten one.
    pub(crate) fn is_compaction_due(held: usize, forgotten: usize) -> bool {
        forgotten >= held.max(64)
    }

    /// Removes the forgotten samples if that is due.
    pub(crate) fn compact(&mut self) -> Option<IdRemap> {
        if !Self::is_compaction_due(self.len(), self.forgotten_count) {
            return None;
        }
        let held = self.forgotten.iter().map(|forgotten| !forgotten);
        let kept = RetentionMask {
            first: SampleId::new(0),
            marks: held.collect(),
        };
        Some(self.retain(&kept))
    }

    /// Drops the samples that `kept` does not include and moves the others up.
    pub(crate) fn retain(&mut self, kept: &RetentionMask) -> IdRemap {
        let remap = kept.remap();
        self.arrivals.retain(&remap);
        let mut length = kept.first.index();
        for (from, to) in remap.kept() {
            let row = from * self.width..(from + 1) * self.width;
            self.features.copy_within(row, to * self.width);
            self.targets[to] = self.targets[from];
            self.forgotten[to] = self.forgotten[from];
            self.weights.copy(from, to);
            length = to + 1;
        }
        self.truncate(length);
        (self.forgotten_count, self.oldest) = self.count_forgotten();
        remap
    }

    /// Gives every row 0 for each feature from `width` on.
    pub(crate) fn widen(&mut self, width: usize) {
        let mut wide = Arena::default();
        for row in self.features.chunks_exact(self.width) {
            wide.extend_from_slice(row);
            wide.resize(wide.len() + width - self.width, 0.0);
        }
        self.features = wide;
        self.width = width;
    }

    /// Returns how many samples are forgotten, and how many of those come before all that are held.
    fn count_forgotten(&self) -> (usize, usize) {
        let all = self.forgotten.iter().filter(|&&forgotten| forgotten);
        let before = self.forgotten.iter().take_while(|&&forgotten| forgotten);
        (all.count(), before.count())
    }

    /// Checks that lengths agree, features have `accepted` values, and `schema` knows every target.
    ///
    /// # Errors
    /// Returns what does not hold.
    pub fn check(&self, schema: &Schema<T>, accepted: FeatureValues) -> Result<(), InvariantError> {
        let rows = self.targets.len();
        let agree = self.width == schema.features()
            && self.features.len() == rows.saturating_mul(self.width)
            && self.arrivals.len() == rows
            && self.forgotten.len() == rows
            && self.weights.are_sound(rows)
            && (self.has_categories || !any_category(&self.features));
        let require = |holds, what| InvariantError::require(holds, "sample store", what);
        require(agree, "columns differ in length, or from the schema")?;
        let mut values = self.features.iter();
        let all_accepted = values.all(|&value| accepted.contain(value));
        require(all_accepted, "a feature has a value that is not accepted")?;
        require(self.arrivals.are_sound(), "arrivals are not in order")?;
        let is_counted = self.count_forgotten() == (self.forgotten_count, self.oldest);
        require(is_counted, "the forgotten are miscounted")?;
        let all_known = self.targets.iter().all(|&target| schema.knows(target));
        require(all_known, "a target is not known to the schema")
    }
}

/// To the bit, since a category is a NaN.
impl<T: Task> PartialEq for SampleStore<T> {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.features.iter().zip(&*other.features);
        self.features.len() == other.features.len()
            && pairs.all(|(own, others)| own.to_bits() == others.to_bits())
            && self.width == other.width
            && *self.targets == *other.targets
            && self.arrivals == other.arrivals
            && self.weights == other.weights
            && *self.forgotten == *other.forgotten
    }
}

fn any_category(values: &[f32]) -> bool {
    values.iter().fold(false, |any, value| any | value.is_nan())
}

/// The feature rows of a [`SampleStore`]: code that needs no targets is the same for all tasks.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    features: &'a [f32],
    width: usize,
}

impl<'a> Points<'a> {
    /// Returns the number of features of a point.
    #[inline]
    pub fn width(self) -> usize {
        self.width
    }

    /// Returns the features of a sample.
    #[inline]
    pub fn features(self, id: SampleId) -> &'a [f32] {
        &self.features[id.index() * self.width..][..self.width]
    }

    /// Returns a feature of a sample.
    #[inline]
    pub fn value(self, id: SampleId, feature: usize) -> f32 {
        self.features[id.index() * self.width + feature]
    }
}
