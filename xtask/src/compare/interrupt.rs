//! Ctrl-C: the first ends the comparison after the current batch, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// Exit code of a program that was ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

pub fn listen() -> Result<()> {
    ctrlc::set_handler(on_signal).context("cannot listen for Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

fn on_signal() {
    if REQUESTED.swap(true, Ordering::Relaxed) {
        std::process::exit(i32::from(EXIT_CODE));
    }
}
