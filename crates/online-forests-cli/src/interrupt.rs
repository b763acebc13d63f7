//! Ctrl-C, SIGTERM and SIGHUP: the first ends a command after the current batch, the second ends the program. Where files can be
//! read again, SIGHUP asks for that instead.

use std::ffi::c_int;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell adds to the number of the signal that ended a program: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
const ENDED_BY_SIGNAL: c_int = 128;

/// The latest signal; 0 before the first.
static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();
/// Whether SIGHUP asks for files to be read again, and whether it has asked.
static READS_AGAIN: AtomicBool = AtomicBool::new(false);
#[cfg(feature = "serve")]
static READING_AGAIN: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on, the first signal is only noted. Where the system offers no signals, they end the program as ever.
pub fn listen() {
    LISTENING.call_once(|| {
        let requested = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
            let _ = note(signal, &requested);
        }
    });
}

/// From now on, SIGHUP asks for files to be read again, as it does for other services. To be called before [`listen`].
#[cfg(feature = "serve")]
pub fn read_again_on_hang_up() {
    #[cfg(unix)]
    let _ = flag::register(SIGHUP, Arc::clone(&READING_AGAIN));
    READS_AGAIN.store(true, Ordering::Relaxed);
}

/// Whether files are to be read again; `true` once for each time.
#[cfg(feature = "serve")]
pub fn is_reading_again_asked() -> bool {
    READING_AGAIN.swap(false, Ordering::Relaxed)
}

/// SIGHUP comes when a terminal is closed. A program that was started by `nohup` ignores it and goes on.
#[cfg(unix)]
fn hang_up() -> Option<c_int> {
    (!is_ignored(SIGHUP) && !READS_AGAIN.load(Ordering::Relaxed)).then_some(SIGHUP)
}

#[cfg(not(unix))]
fn hang_up() -> Option<c_int> {
    None
}

/// Whether the signal was ignored when the program was started, where the system tells (Linux).
#[cfg(unix)]
fn is_ignored(signal: c_int) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
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
