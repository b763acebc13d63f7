//! `cargo xtask compare` and other commands, from the command line to the files.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bad_input;
mod bench;
mod commands;
#[cfg(unix)]
mod interrupted;
mod kept;
mod measured;
mod openml;
#[cfg(unix)]
mod python;
mod results;
