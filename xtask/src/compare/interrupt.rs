//! Ctrl-C: the first ends the comparison after the current batch and reports what it waits for; the second writes the
//! report of the finished runs and ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use super::output::Output;
use crate::terminal::in_words;
use comparison::notice::print_line;

/// Exit code of a program that was ended by Ctrl-C.
pub(super) const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The current run.
static RUNNING: Mutex<String> = Mutex::new(String::new());

pub(super) fn listen(output: Output) -> Result<()> {
    let listening = ctrlc::set_handler(move || on_signal(&output));
    listening.context("cannot listen for Ctrl-C")
}

/// Returns whether Ctrl-C was pressed.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Sets the run that Ctrl-C has to wait for.
pub(super) fn running(name: &str) {
    name.clone_into(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
}

fn on_signal(output: &Output) {
    let first = !REQUESTED.swap(true, Ordering::Relaxed);
    if first {
        let name = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        print_line(&format!(
            "interrupted: waiting for the current batch of {name}; Ctrl-C again writes the report without it"
        ));
        return;
    }
    if let Err(error) = output.write_what_is_there() {
        print_line(&format!("error: {}", in_words(&error)));
    }
    std::process::exit(i32::from(EXIT_CODE));
}
