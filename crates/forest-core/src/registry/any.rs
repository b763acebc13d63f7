//! A learner held by name.

use std::ops::{Deref, DerefMut};

use crate::{
    FeatureValues, Footprint, Forget, ForgetError, InputError, InvariantError, JoinError,
    LearnWeighted, OnlineLearner, PredictionRows, Proceed, Schema, Shard, Task, Widen,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::registry::algorithm::Row;
use crate::registry::snapshot::{Payload, Snapshot};
use crate::registry::{
    Algorithm, Capabilities, Capable, ErasedLearner, Kind, NamedTask, Partition, Selector,
};

/// Any learner of task `T` in the table of algorithms, as [`Algorithm::build`] makes it.
///
/// It learns and predicts like the learner inside, with one dynamic call per batch, and dereferences to it as [`Capable`]: what only
/// some learners can do is there as an `Option`. What only one has is reached by its type.
///
/// Serialised, it is its label and its payload in a snapshot, so it can be part of a larger structure.
#[derive(Debug)]
pub struct AnyLearner<T: Task> {
    /// The row that it was built from.
    row: Row,
    /// What chose its kind among those of the row.
    selectors: Vec<Selector>,
    held: Box<dyn ErasedLearner<T>>,
}

impl<T: NamedTask> AnyLearner<T> {
    pub(crate) fn new(row: Row, kind: &Kind<T>, held: Box<dyn ErasedLearner<T>>) -> Self {
        Self {
            row,
            selectors: kind.selectors.clone(),
            held,
        }
    }

    pub(crate) fn held(&self) -> &dyn ErasedLearner<T> {
        &*self.held
    }

    /// Returns the algorithm that it was built from, every parameter stated as the learner's settings have it. Built again with the
    /// same schema, trees and seed, it gives the same learner.
    pub fn algorithm(&self) -> Algorithm {
        let mut kinds = self.row.entry.kinds::<T>().into_iter();
        let kind = kinds.find(|kind| kind.selectors == self.selectors);
        let kind = kind.expect("a row has always the same kinds");
        Algorithm::new(self.row, kind.all_values(self.held()))
    }

    /// Returns the number of trees; 0 for a baseline, which has none.
    pub fn trees(&self) -> usize {
        self.held.trees()
    }

    /// Returns the learner inside, if it is of type `L`.
    pub fn downcast_ref<L: 'static>(&self) -> Option<&L> {
        self.held.as_any().downcast_ref()
    }

    /// Takes the trees of the shard that follows this one ([`Forest::join`](crate::Forest::join)).
    ///
    /// # Errors
    /// Learners that are not shards of the same forest; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.held.join(next.held.into_any())
    }

    /// Returns the learner as one that can forget samples: tessellation forests and `dynamic-extra-trees` can.
    ///
    /// # Errors
    /// Why this one cannot, with its name.
    pub fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        if let Some(reason) = self.held.as_forget_mut().err() {
            let (algorithm, reason) = (self.row.entry.name.to_owned(), Box::new(reason));
            return Err(ForgetError::Named { algorithm, reason });
        }
        self.held.as_forget_mut()
    }
}

/// What the learner inside can do, without a name to import.
impl<T: NamedTask> Deref for AnyLearner<T> {
    type Target = dyn Capable<Task = T>;

    fn deref(&self) -> &Self::Target {
        &*self.held
    }
}

impl<T: NamedTask> DerefMut for AnyLearner<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.held
    }
}

/// What the learner inside can do.
impl<T: NamedTask> Capable for AnyLearner<T> {
    fn capabilities(&self) -> Capabilities<'_> {
        self.held.capabilities()
    }

    fn as_shard(&self) -> Option<&dyn Shard<Task = T>> {
        self.held.as_shard()
    }

    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = T>> {
        self.held.as_shard_mut()
    }

    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        self.as_forget_mut()
    }

    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        self.held.fit_at_once(features, targets, weights, proceed)
    }

    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = T>> {
        self.held.as_weighted_mut()
    }

    fn predict_full_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        self.held.predict_full_then_learn(features, targets)
    }

    fn as_partition_mut(&mut self) -> Option<&mut dyn Partition> {
        self.held.as_partition_mut()
    }

    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = T>> {
        self.held.as_widen_mut()
    }
}

impl<T: Task> Clone for AnyLearner<T> {
    fn clone(&self) -> Self {
        Self {
            row: self.row,
            selectors: self.selectors.clone(),
            held: self.held.boxed_clone(),
        }
    }
}

impl<T: NamedTask> OnlineLearner for AnyLearner<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        self.held.schema()
    }

    fn feature_values(&self) -> FeatureValues {
        self.held.feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.held.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.held.has_learned()
    }

    fn footprint(&self) -> Footprint {
        self.held.footprint()
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.held.check_invariants()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.held.check_room(rows)
    }

    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.held.learn(features, targets)
    }

    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.held.predict_into(features, predictions)
    }

    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        self.held.predict_then_learn(features, targets)
    }
}

impl<T: NamedTask> Serialize for AnyLearner<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let payload = self.encode().map_err(ser::Error::custom)?;
        (self.label(), payload).serialize(serializer)
    }
}

impl<'de, T: NamedTask> Deserialize<'de> for AnyLearner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (label, payload) = <(String, Vec<u8>)>::deserialize(deserializer)?;
        Self::decode(&label, &mut Payload(&payload)).map_err(de::Error::custom)
    }
}
