//! Which samples a forest holds on to, and which trees can forget.

use std::fmt::Debug;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::OnlineLearner;

/// Whether a tree can forget samples, as a type: [`CanForget`] or [`CannotForget`].
///
/// Values of the type are proofs: a method that takes one cannot be called where there is none.
pub trait Forgetting:
    sealed::Sealed + Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
}

/// The tree can take out a sample as if it had never been learned, or never holds any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanForget;

/// The tree needs the samples it keeps for as long as it lives. There is no value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CannotForget {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::CanForget {}
    impl Sealed for super::CannotForget {}
}

impl Forgetting for CanForget {}
impl Forgetting for CannotForget {}

/// Which samples of the stream a forest holds on to; `F` says whether its trees can forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Retention<F> {
    /// All that some tree keeps.
    Everything,
    /// The latest so many, 1 or more; older ones are forgotten as new ones are learned.
    Latest(usize, F),
}

/// Learners that can forget samples as if they had never been learned.
pub trait Forget: OnlineLearner {
    /// Forgets the sample that was learned as number `arrival` of the stream, from 0.
    ///
    /// # Errors
    /// If it was not learned yet, or is forgotten already; then nothing changes.
    fn forget(&mut self, arrival: u64) -> Result<(), NotHeld>;

    /// Forgets all but the latest `n` samples, now and as further samples are learned.
    fn keep_latest(&mut self, n: usize);
}

/// A sample cannot be forgotten because it is not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "sample {arrival} cannot be forgotten: {seen} samples (from 0) were learned, and it is not \
     among the {held} that are held"
)]
pub struct NotHeld {
    /// Number of the sample in the stream.
    pub arrival: u64,
    /// Samples learned so far.
    pub seen: u64,
    /// Samples held.
    pub held: usize,
}
