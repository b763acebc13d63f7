//! `cargo xtask compare` and other commands, from the command line to the files.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod algorithms;
mod bad_input;
mod bench;
mod distinguished;
mod edges;
mod features;
#[cfg(unix)]
mod interrupted;
mod kept;
mod measured;
mod openml;
mod parts;
mod plot;
#[cfg(unix)]
mod python;
mod results;
mod rows;
mod side_by_side;
mod targets;
mod unlike;
