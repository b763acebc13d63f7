//! Why samples cannot be forgotten.

use thiserror::Error;

use crate::{SettingError, counted};

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
    /// A number of latest samples that cannot be kept.
    #[error(transparent)]
    Latest(SettingError),
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
