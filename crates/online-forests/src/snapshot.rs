//! Learners as bytes and files: the only place that knows a format.
//!
//! A snapshot is a labelled container (see `docs/snapshot-format.md`): magic, version, codec, task,
//! algorithm, length, payload, checksum. Nothing of the payload is decoded before the checksum
//! holds, nothing decoded is handed out before it has passed
//! [`check_invariants`](forest_core::OnlineLearner::check_invariants), and a file appears under its
//! name only when all of it is on the disk. So a damaged file is an error, never a learner, and a
//! failed save leaves the old file as it was.
//!
//! A learner that was saved in the middle of its stream and loaded again goes on as if it had never
//! stopped, bit for bit: its trees' random streams are part of it.
//!
//! ```
//! use online_forests::snapshot::{self, Codec};
//! use online_forests::{
//!     Algorithm, AnyRegressor, ForestSettings, OnlineLearner, Regression, Schema,
//! };
//!
//! let algorithm: Algorithm = "mean".parse()?;
//! let mut mean = algorithm.build::<Regression>(Schema::new(2)?, ForestSettings::default())?;
//! mean.learn_one(&[0.0, 1.0], 3.0)?;
//! let bytes = snapshot::to_bytes(&mean, Codec::Bincode)?;
//! let again: AnyRegressor = snapshot::from_bytes(&bytes)?;
//! assert_eq!(again.predict_one(&[0.5, 0.5])?, [3.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod codec;
mod container;
mod error;
mod file;

pub use codec::Codec;
pub use error::{SnapshotError, SnapshotFileError};
pub use file::{load, save};

use forest_core::Task;

use crate::AnyLearner;
use container::Container;

/// The snapshot of a learner.
///
/// # Errors
/// A value that the codec cannot write.
pub fn to_bytes<A: AnyLearner>(learner: &A, codec: Codec) -> Result<Vec<u8>, SnapshotError> {
    let container = Container {
        codec,
        task: A::Task::NAME,
        algorithm: format!("{}{}", A::label_prefix(), learner.algorithm()),
        payload: &codec.encode(learner)?,
    };
    Ok(container.seal())
}

/// The learner of a snapshot.
///
/// # Errors
/// Anything that is not a whole, unaltered snapshot of a learner of this task.
pub fn from_bytes<A: AnyLearner>(bytes: &[u8]) -> Result<A, SnapshotError> {
    let container = Container::open(bytes)?;
    checks::task::<A>(&container)?;
    let algorithm = checks::without_prefix::<A>(&container.algorithm)?;
    let learner: A = container.codec.decode(container.payload)?;
    learner.check_invariants()?;
    checks::algorithm(&learner, algorithm)?;
    Ok(learner)
}
