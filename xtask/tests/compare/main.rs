//! `cargo xtask compare`, from the command line to the files.

mod bad_input;
mod bench;
#[cfg(unix)]
mod interrupted;
mod results;
