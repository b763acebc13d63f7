//! A learner held by name.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::registry::WINDOW;
use crate::registry::snapshot::{Payload, Snapshot};
use crate::registry::{Algorithm, ErasedLearner, NamedTask};
use crate::{Batch, Footprint, OnlineLearner, Refused, Rows, Schema, Task};

/// Any learner of task `T` in the table of algorithms, as [`Algorithm::build`] makes it.
///
/// It learns and predicts like the learner inside, with one dynamic call per batch, and dereferences to it, so that what a learner can do is
/// there without a name to import. What only one has is reached by its type.
///
/// Serialised, it is its label and its payload in a snapshot, so it can be part of a larger structure.
#[derive(Debug)]
pub struct AnyLearner<T: Task> {
    /// What it was built from, every parameter stated: its identity.
    algorithm: Algorithm,
    held: Box<dyn ErasedLearner<T>>,
}

impl<T: NamedTask> AnyLearner<T> {
    pub(crate) fn new(algorithm: Algorithm, held: Box<dyn ErasedLearner<T>>) -> Self {
        Self { algorithm, held }
    }

    pub(crate) fn held(&self) -> &dyn ErasedLearner<T> {
        &*self.held
    }

    /// Returns the algorithm that it was built from, every parameter stated. Built again with the
    /// same schema, trees and seed, it gives the same learner.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm.clone()
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
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.held.join(next.held.into_any())
    }
}

/// What the learner inside can do, without a name to import.
impl<T: NamedTask> Deref for AnyLearner<T> {
    type Target = dyn OnlineLearner<Task = T>;

    fn deref(&self) -> &Self::Target {
        &*self.held
    }
}

impl<T: NamedTask> DerefMut for AnyLearner<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.held
    }
}

impl<T: Task> Clone for AnyLearner<T> {
    fn clone(&self) -> Self {
        Self {
            algorithm: self.algorithm.clone(),
            held: self.held.boxed_clone(),
        }
    }
}

/// The learner inside.
impl<T: NamedTask> OnlineLearner for AnyLearner<T> {
    type Task = T;

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        Some(&*self.held)
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = T>> {
        Some(&mut *self.held)
    }

    fn schema(&self) -> &Schema<T> {
        self.held.schema()
    }

    fn samples_seen(&self) -> u64 {
        self.held.samples_seen()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.held.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.held.predict_rows(rows, predictions);
    }

    /// With its label.
    fn footprint(&self) -> Footprint {
        let own = Footprint {
            bytes: self.algorithm.bytes(),
            ..Footprint::default()
        };
        self.held.footprint() + own
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        let named = |reason| Refused::Cannot(format!("{}: {reason}", self.algorithm.entry().name));
        self.held.check_forgetting().map_err(named)
    }

    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        self.check_forgetting()?;
        self.held.forget(arrival)
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        self.check_forgetting()?;
        self.held.keep_latest(n)?;
        self.algorithm.state(&WINDOW, n.to_string());
        Ok(())
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
