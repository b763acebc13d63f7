//! Ctrl-C and SIGTERM: the first ends a command after the current batch, the second ends the program.

use std::ffi::c_int;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell adds to the number of the signal that ended a program: 130 after Ctrl-C, 143 after SIGTERM.
const ENDED_BY_SIGNAL: c_int = 128;

/// The latest signal; 0 before the first.
static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();

/// From now on, the first signal is only noted. Where the system offers no signals, they end the program as ever.
pub fn listen() {
    LISTENING.call_once(|| {
        let requested = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let _ = note(signal, &requested);
        }
    });
}

fn note(signal: c_int, requested: &Arc<AtomicBool>) -> io::Result<()> {
    // Actions are run in this order: the first signal finds that nothing was requested before.
    flag::register_conditional_shutdown(signal, ENDED_BY_SIGNAL + signal, Arc::clone(requested))?;
    flag::register(signal, Arc::clone(requested))?;
    flag::register_usize(signal, Arc::clone(&RECEIVED), signal as usize)?;
    Ok(())
}

/// Whether a signal has come.
pub fn is_requested() -> bool {
    RECEIVED.load(Ordering::Relaxed) > 0
}

/// How a program ends that a signal has interrupted.
pub fn exit_code() -> ExitCode {
    let signal = RECEIVED.load(Ordering::Relaxed) as u8;
    ExitCode::from(ENDED_BY_SIGNAL as u8 + signal)
}
