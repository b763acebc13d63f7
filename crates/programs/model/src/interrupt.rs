//! Ctrl-C, SIGTERM and SIGHUP: the first ends a command after the current batch.
//!
//! Programs that stop others often send a signal twice: GNU `timeout` to the process and to its group, a service
//! manager to all processes while one of them forwards it. So a second one changes nothing, and the third one ends the
//! program at once.

use std::ffi::c_int;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell adds to the number of the signal that ended a program: 130 after Ctrl-C, 143 after SIGTERM, 129 after
/// SIGHUP.
const ENDED_BY_SIGNAL: c_int = 128;

/// The latest signal; 0 before the first.
static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();

/// Makes signals requests from now on. Where the system does not support that, they end the program as before.
pub fn listen() {
    LISTENING.call_once(|| drop(start()));
}

#[cfg(unix)]
fn start() -> io::Result<()> {
    use signal_hook::consts::SIGHUP;
    // A hang-up that was ignored when the program was started, as by `nohup`, stays ignored, if the system reports it
    // (Linux).
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.unwrap_or("0").trim(), 16).unwrap_or(0);
    let is_ignored = mask >> (SIGHUP - 1) & 1 == 1;
    let requests = [SIGINT, SIGTERM, SIGHUP];
    let requests = &requests[..if is_ignored { 2 } else { 3 }];
    for signal in requests {
        // Recording a signal must not wait for the thread.
        flag::register_usize(*signal, Arc::clone(&RECEIVED), *signal as usize)?;
    }
    let mut signals = signal_hook::iterator::Signals::new(requests)?;
    let watching = std::thread::Builder::new().name("signals".to_owned());
    watching.spawn(move || {
        if let Some(third) = signals.forever().nth(2) {
            signal_hook::low_level::exit(ENDED_BY_SIGNAL + third);
        }
    })?;
    Ok(())
}

/// Registers actions where signals cannot be waited for: the second one ends the program.
#[cfg(not(unix))]
fn start() -> io::Result<()> {
    let requested = Arc::new(std::sync::atomic::AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Actions run in this order: the first signal finds that nothing was requested before.
        flag::register_conditional_shutdown(
            signal,
            ENDED_BY_SIGNAL + signal,
            Arc::clone(&requested),
        )?;
        flag::register(signal, Arc::clone(&requested))?;
        flag::register_usize(signal, Arc::clone(&RECEIVED), signal as usize)?;
    }
    Ok(())
}

/// Makes the system report a file that would exceed its limit (`ulimit -f`) as an error of the write. By default it
/// ends the program, which leaves a partial file behind.
pub fn report_large_files() {
    // If that is refused, the program ends as before.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Returns whether a signal was received.
pub fn is_requested() -> bool {
    RECEIVED.load(Ordering::Relaxed) > 0
}

/// Returns the exit code of a program that a signal has interrupted.
pub fn exit_code() -> ExitCode {
    ExitCode::from(ENDED_BY_SIGNAL as u8 + RECEIVED.load(Ordering::Relaxed) as u8)
}
