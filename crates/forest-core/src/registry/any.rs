//! A learner held by name.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use thiserror::Error;

use crate::parameters::{Values, split};
use crate::registry::snapshot::{Snapshot, SnapshotError, decode_front, encode_value_before};
use crate::registry::{Algorithm, NamedLearner, WINDOW};
use crate::{
    Batch, Footprint, ForestSettings, OnlineLearner, Refused, Rows, Schema, SettingError, Task,
};

/// Any learner of task `T` in the table of algorithms. It dereferences to the learner inside.
pub struct AnyLearner<T: Task> {
    /// What it was built from, every parameter stated: its identity.
    algorithm: Algorithm,
    learner: Box<dyn NamedLearner<T>>,
}

/// Why an algorithm cannot be built for a stream.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The algorithm, or a parameter that was given, does not know the task.
    #[error("{0}")]
    Task(String),
    /// A setting of this algorithm breaks its rule.
    #[error("{0}: {1}")]
    Setting(String, #[source] SettingError),
}

impl BuildError {
    /// Returns the error of an algorithm that does not learn a task.
    pub fn wrong_task(algorithm: &str, task: &str) -> Self {
        let advice = "leave it out, or use data for the task it supports";
        Self::Task(format!("{algorithm} does not support {task}; {advice}"))
    }
}

impl Algorithm {
    /// Returns a learner of this kind for the stream that `schema` describes.
    ///
    /// # Errors
    /// Returns an error if the algorithm or a given parameter does not know the task, or a setting breaks its rule.
    pub fn build<T: Task>(
        &self,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<AnyLearner<T>, BuildError> {
        let algorithm = self.name();
        let task = T::NAME;
        let build = self.entry.build::<T>().filter(|_| self.learns::<T>());
        let build = build.ok_or_else(|| BuildError::wrong_task(algorithm, task))?;
        let no_effect = |name: &str| {
            BuildError::Task(format!(
                "{algorithm}: {name} as given has no effect in {task}; leave it out"
            ))
        };
        if let Some(name) = self.foreign_to::<T>() {
            return Err(no_effect(name));
        }
        let mut values = Values::defaults(&self.parameters_of::<T>()).giving(&self.values);
        let learner = build(&mut values, schema, forest)
            .map_err(|error| BuildError::Setting(self.to_string(), error))?;
        if let Some(name) = values.unread() {
            return Err(no_effect(name));
        }
        let values = values.read_values();
        Ok(AnyLearner {
            algorithm: Self { values, ..*self },
            learner,
        })
    }
}

/// What a learner that another one holds has to be.
const HELD: &str =
    "must be an algorithm that this one can hold: not itself, nor one that can hold it";

impl<T: Task> AnyLearner<T> {
    /// Returns an empty learner of the algorithm that `text` names, for a learner of this
    /// [nesting](crate::registry::Entry::nesting) to hold. The parameters in `text` are separated by `;`.
    ///
    /// # Errors
    /// Returns an error if the text names no such algorithm, it nests too deep, or a setting breaks its rule.
    pub fn inside(
        nesting: u8,
        text: &str,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let text = text.replace(';', ",");
        let wrong = |rule: &'static str, error: &dyn fmt::Display| {
            SettingError::new("base", rule, format!("`{text}`: {error}"))
        };
        let rule = "must name an algorithm, with parameters that it has";
        let algorithm: Algorithm = text.parse().map_err(|error| wrong(rule, &error))?;
        SettingError::require(algorithm.entry.nesting < nesting, "base", HELD, &text)?;
        algorithm
            .build(schema, forest)
            .map_err(|error| match error {
                BuildError::Setting(_, error) => error,
                other => wrong("must learn the task", &other),
            })
    }

    /// Returns the algorithm that it was built from, every parameter stated.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm.clone()
    }

    /// Returns the learner inside, if it is of type `L`.
    pub fn downcast_ref<L: 'static>(&self) -> Option<&L> {
        let learner: &dyn Any = &*self.learner;
        learner.downcast_ref()
    }

    /// Takes over the trees of the shard that follows this one ([`Forest::join`](crate::Forest::join)).
    ///
    /// # Errors
    /// Returns an error if they are not shards of one forest; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        self.learner.join(next.learner)
    }
}

impl<T: Task> Snapshot for AnyLearner<T> {
    fn label(&self) -> String {
        self.algorithm.to_string()
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        encode_value_before(&self.schema().features(), self.learner.save()?)
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        // A pipeline's name; values may be lists that are separated by the same character.
        if split(label).0.contains('/') {
            return Err(SnapshotError::other(label, "a learner alone"));
        }
        let algorithm: Algorithm = label.parse()?;
        let (features, state) = decode_front::<usize>(payload)?;
        // What is built depends on the features if the label has a number for each. A crafted file may state more.
        let schema = Schema::new(features.clamp(1, label.len()));
        let schema = schema.map_err(|error| SnapshotError::Damaged(error.to_string()))?;
        let forest = ForestSettings::default().with_trees(1);
        let mut learner: Self = algorithm
            .build(schema, forest)
            .map_err(|error| match error {
                BuildError::Task(_) => SnapshotError::other(label, T::NAME),
                error => SnapshotError::Damaged(format!("the snapshot's label: {error}")),
            })?;
        learner.learner.load(state)?;
        Ok(learner)
    }
}

/// What the learner inside can do, without a name to import.
impl<T: Task> Deref for AnyLearner<T> {
    type Target = dyn OnlineLearner<Task = T>;

    fn deref(&self) -> &Self::Target {
        &*self.learner
    }
}

impl<T: Task> DerefMut for AnyLearner<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.learner
    }
}

impl<T: Task> Clone for AnyLearner<T> {
    fn clone(&self) -> Self {
        Self {
            algorithm: self.algorithm.clone(),
            learner: self.learner.boxed(),
        }
    }
}

impl<T: Task> fmt::Debug for AnyLearner<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.algorithm.to_string();
        f.debug_tuple("AnyLearner").field(&label).finish()
    }
}

/// The learner inside.
impl<T: Task> OnlineLearner for AnyLearner<T> {
    type Task = T;

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = T>> {
        Some(&*self.learner)
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = T>> {
        Some(&mut *self.learner)
    }

    fn schema(&self) -> &Schema<T> {
        self.learner.schema()
    }

    fn samples_seen(&self) -> u64 {
        self.learner.samples_seen()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.learner.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.learner.predict_rows(rows, predictions);
    }

    /// Returns the footprint of the learner inside and of its label.
    fn footprint(&self) -> Footprint {
        let mut footprint = self.learner.footprint();
        footprint.bytes += self.algorithm.values.bytes();
        footprint
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        let named = |reason| Refused::Cannot(format!("{}: {reason}", self.algorithm.entry.name));
        self.learner.check_forgetting().map_err(named)
    }

    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        self.check_forgetting()?;
        self.learner.forget(arrival)
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        self.check_forgetting()?;
        self.learner.keep_latest(n)?;
        self.algorithm.values.state(WINDOW.name, n.to_string());
        Ok(())
    }
}

impl<T: Task> Serialize for AnyLearner<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let payload = self.encode().map_err(ser::Error::custom)?;
        (self.label(), payload).serialize(serializer)
    }
}

/// Reads a learner that another one of this nesting holds. Only those of lower nesting are accepted.
///
/// # Errors
/// Returns an error if the bytes are not such a learner.
pub fn deserialize_inside<'de, T: Task, D: Deserializer<'de>, const NESTING: u8>(
    deserializer: D,
) -> Result<AnyLearner<T>, D::Error> {
    let (label, payload) = <(String, Vec<u8>)>::deserialize(deserializer)?;
    let algorithm: Algorithm = label.parse().map_err(de::Error::custom)?;
    if algorithm.entry.nesting >= NESTING {
        return Err(de::Error::custom(format!("a base {HELD}; {label} is not")));
    }
    AnyLearner::decode(&label, &payload).map_err(de::Error::custom)
}
