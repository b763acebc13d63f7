//! All tests in one program, which compiles what they share once.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

mod bad_input;
#[cfg(feature = "fetch")]
mod fetch;
mod formats;
mod named_sets;
mod openml;
mod tables;
