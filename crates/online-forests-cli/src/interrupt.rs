//! Ctrl-C: the first ends a command after the current batch, the second ends the program.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program that was ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// From now on, the first Ctrl-C is only noted. Where the system offers no signals, Ctrl-C ends the program as ever.
pub fn listen() {
    LISTENING.call_once(|| {
        let _ = ctrlc::set_handler(on_signal);
    });
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
