//! Forgetting single samples, and all but the latest.

use thiserror::Error;

use crate::{OnlineLearner, SettingError, counted};

/// Learners that can forget samples: their trees are then as if these had never been learned. What was fitted to the predictions of trees follows when it is
/// fitted again.
pub trait Forget: OnlineLearner {
    /// Forgets the sample that was learned as number `arrival` of the stream, from 0.
    ///
    /// # Errors
    /// If it was not learned yet, or is not held any more, or a setting rules out forgetting; then nothing
    /// changes.
    fn forget(&mut self, arrival: u64) -> Result<(), ForgetError>;

    /// Forgets all but the latest `n` samples, 1 or more, now and as further samples are learned.
    ///
    /// # Errors
    /// If `n` is 0, or a setting rules out forgetting; then nothing changes.
    fn keep_latest(&mut self, n: usize) -> Result<(), SettingError>;
}

/// Why a sample cannot be forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ForgetError {
    /// It is not held.
    #[error(transparent)]
    NotHeld(#[from] NotHeld),
    /// The settings of the trees rule it out.
    #[error("no sample can be forgotten: {0}")]
    Setting(#[from] SettingError),
    /// The learner does not keep what it would need.
    #[error(
        "no sample can be forgotten: a sample that was learned cannot be taken out of this learner again; \
         have a new one learn the others"
    )]
    Impossible,
    /// The same, of a learner that has a name.
    #[error("{algorithm}: {reason}")]
    Named {
        /// Its name.
        algorithm: String,
        /// Why it cannot forget.
        reason: Box<ForgetError>,
    },
}

/// A sample cannot be forgotten because it is not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "sample {arrival} cannot be forgotten: {} learned (counted from 0), and it is not \
     among the {held} held",
    were(*seen)
)]
pub struct NotHeld {
    /// Number of the sample in the stream.
    pub arrival: u64,
    /// Samples learned so far.
    pub seen: u64,
    /// Samples held.
    pub held: usize,
}

fn were(seen: u64) -> String {
    let verb = if seen == 1 { "was" } else { "were" };
    format!("{} {verb}", counted(seen as usize, "sample"))
}
