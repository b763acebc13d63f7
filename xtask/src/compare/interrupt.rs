//! Ctrl-C: the first ends the comparison after the current batch, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use thiserror::Error;

/// Exit code of a program that was ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The error of a run that Ctrl-C ended.
#[derive(Debug, Error)]
#[error("interrupted")]
pub struct Interrupted;

pub fn listen() -> Result<()> {
    ctrlc::set_handler(on_signal).context("cannot listen for Ctrl-C")
}

/// Fails if Ctrl-C was pressed.
pub fn check() -> Result<(), Interrupted> {
    match REQUESTED.load(Ordering::Relaxed) {
        true => Err(Interrupted),
        false => Ok(()),
    }
}

fn on_signal() {
    if REQUESTED.swap(true, Ordering::Relaxed) {
        std::process::exit(i32::from(EXIT_CODE));
    }
}
