//! Comparisons as a user makes them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod gallery;
#[cfg(feature = "baselines")]
mod learners;
mod own_learner;
mod own_offline;
mod protocols;
mod scipy;
