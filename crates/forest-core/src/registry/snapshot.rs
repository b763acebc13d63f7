//! Learners as bytes and files: the only place that knows a format.
//!
//! A snapshot is a labelled container (see `docs/snapshot-format.md`): magic, version, task, label,
//! length, payload, checksum. Nothing of the payload is decoded before the checksum
//! holds, nothing decoded is handed out before it has passed
//! [`check_invariants`](crate::OnlineLearner::check_invariants), and a file appears under its
//! name only when all of it is on the disk. So a damaged file is an error, never a learner, and a
//! failed save leaves the old file unchanged.
//!
//! A learner that was saved in the middle of its stream and loaded again continues as if it had never
//! stopped, bit for bit: its trees' random streams are part of it. A learner that was built with typed settings has no name: it is
//! written as [a value](encode_value).

mod codec;
mod container;
mod error;
mod file;

pub use codec::{Payload, decode_value, encode_value, encode_value_before};
pub use error::{SnapshotError, SnapshotFileError};
pub use file::{load, load_either, load_noted, save, save_bytes};

use crate::registry::{Algorithm, AnyLearner, NamedTask};
use crate::{OnlineLearner, Task};
use container::Container;

/// Learners that can be saved: those held by name, and pipelines around them.
pub trait Snapshot: OnlineLearner + Sized {
    /// Returns the text `name:key=value,…` from which such a learner could be built, with every parameter.
    fn label(&self) -> String;

    /// Returns the encoded content.
    ///
    /// # Errors
    /// What the codec cannot write.
    fn encode(&self) -> Result<Vec<u8>, SnapshotError>;

    /// Returns the learner that was encoded as `payload` and labelled with `label`.
    ///
    /// # Errors
    /// A label of another learner, or bytes that are not such a learner.
    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError>;
}

impl<T: NamedTask> Snapshot for AnyLearner<T> {
    fn label(&self) -> String {
        self.algorithm().to_string()
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        self.held().encode()
    }

    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError> {
        let wrong_learner = |expected: &str| SnapshotError::WrongLearner {
            label: label.to_owned(),
            expected: expected.to_owned(),
        };
        // A pipeline's name; values may be lists that are separated by the same character.
        if crate::parameters::split(label).0.contains('/') {
            return Err(wrong_learner("a learner alone"));
        }
        let algorithm: Algorithm = label.parse()?;
        let kind = algorithm.kind::<T>();
        let kind = kind.ok_or_else(|| wrong_learner(T::NAME))?;
        let held = kind.decode(payload)?;
        Ok(Self::new(algorithm.in_order_of(&kind.parameters), held))
    }
}

/// Returns the snapshot of a learner.
///
/// # Errors
/// A value that the codec cannot write.
pub fn to_bytes<A: Snapshot>(learner: &A) -> Result<Vec<u8>, SnapshotError> {
    Encoded::new(learner).map(|encoded| encoded.sealed(&[]))
}

/// A learner that is encoded, of which bytes are made.
#[derive(Clone, Debug)]
pub struct Encoded {
    task: &'static str,
    label: String,
    payload: Vec<u8>,
}

impl Encoded {
    /// Encodes a learner.
    ///
    /// # Errors
    /// A value that the codec cannot write.
    pub fn new<A: Snapshot>(learner: &A) -> Result<Self, SnapshotError> {
        Ok(Self {
            task: A::Task::NAME,
            label: learner.label(),
            payload: learner.encode()?,
        })
    }

    /// Returns the snapshot, with a note that a library around this one makes for itself: [`load_noted`] returns it, and nobody else
    /// reads it.
    pub fn sealed(self, note: &[u8]) -> Vec<u8> {
        container::seal(self.task, &self.label, self.payload, note)
    }
}

/// Returns the learner of a snapshot.
///
/// # Errors
/// Anything that is not a whole, unaltered snapshot of such a learner.
pub fn from_bytes<A: Snapshot>(bytes: &[u8]) -> Result<A, SnapshotError> {
    from_container(&container::open(bytes)?)
}

fn from_container<A: Snapshot>(container: &Container<'_>) -> Result<A, SnapshotError> {
    if container.task != A::Task::NAME {
        return Err(SnapshotError::WrongTask {
            label: container.label.clone(),
            found: container.task,
            expected: A::Task::NAME,
        });
    }
    let learner = A::decode(&container.label, &mut Payload(container.payload))?;
    learner.check_invariants()?;
    Ok(learner)
}
