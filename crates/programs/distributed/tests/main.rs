//! All tests in one program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod checkpoints;
#[cfg(feature = "timely")]
mod conveyor;
