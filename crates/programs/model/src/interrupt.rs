//! Ctrl-C, SIGTERM and SIGHUP: the first ends a command after the current batch.
//!
//! Programs that stop others often send a signal twice: GNU `timeout` to the process and to its group, a service manager
//! to all processes while one of them forwards it. So a second one within `SAME_REQUEST` is the same request. A third one, or
//! a later one, ends the program at once. Where files can be read again, SIGHUP requests that instead.

use std::ffi::c_int;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
#[cfg(unix)]
use signal_hook::iterator::Signals;

/// What a shell adds to the number of the signal that ended a program: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
const ENDED_BY_SIGNAL: c_int = 128;

/// The time after the first signal in which a second one is the same request.
#[cfg(unix)]
const SAME_REQUEST: Duration = Duration::from_secs(2);

/// The number of signals within that time that are one request.
#[cfg(unix)]
const MOST: usize = 2;

/// The latest signal; 0 before the first.
static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();
/// Whether SIGHUP requests that files are read again, and whether it has.
#[cfg(unix)]
static READS_AGAIN: AtomicBool = AtomicBool::new(false);
static READING_AGAIN: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Makes signals requests from now on. Where the system does not support that, they end the program as before.
pub fn listen() {
    LISTENING.call_once(|| drop(start()));
}

/// Makes SIGHUP request that files are read again, as in other services. Must be called before [`listen`].
pub fn read_again_on_hang_up() {
    #[cfg(unix)]
    {
        let _ = flag::register(SIGHUP, Arc::clone(&READING_AGAIN));
        READS_AGAIN.store(true, Ordering::Relaxed);
    }
}

/// Returns whether files are to be read again; `true` once per request.
pub fn is_reading_again_asked() -> bool {
    READING_AGAIN.swap(false, Ordering::Relaxed)
}

#[cfg(unix)]
fn start() -> io::Result<()> {
    let is_request = !is_ignored(SIGHUP) && !READS_AGAIN.load(Ordering::Relaxed);
    let hang_up = is_request.then_some(SIGHUP);
    let requests = [SIGINT, SIGTERM].into_iter().chain(hang_up);
    // Recording a signal must not wait for the thread.
    for signal in requests.clone() {
        note(signal)?;
    }
    let signals = Signals::new(requests)?;
    let watching = std::thread::Builder::new().name("signals".to_owned());
    watching.spawn(move || watch(signals))?;
    Ok(())
}

/// Ends the program once a signal is more than the pending request.
#[cfg(unix)]
fn watch(mut signals: Signals) {
    let mut requests = Requests::default();
    for signal in &mut signals {
        if requests.add(Instant::now()) {
            signal_hook::low_level::exit(ENDED_BY_SIGNAL + signal);
        }
    }
}

/// The signals that were received.
#[cfg(unix)]
#[derive(Debug, Default)]
struct Requests {
    first: Option<Instant>,
    count: usize,
}

#[cfg(unix)]
impl Requests {
    /// Adds a signal; returns whether it ends the program at once.
    fn add(&mut self, now: Instant) -> bool {
        let first = *self.first.get_or_insert(now);
        self.count += 1;
        self.count > MOST || now.duration_since(first) > SAME_REQUEST
    }
}

/// Registers actions where signals cannot be waited for: the second one ends the program.
#[cfg(not(unix))]
fn start() -> io::Result<()> {
    let requested = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Actions run in this order: the first signal finds that nothing was requested before.
        let code = ENDED_BY_SIGNAL + signal;
        flag::register_conditional_shutdown(signal, code, Arc::clone(&requested))?;
        flag::register(signal, Arc::clone(&requested))?;
        note(signal)?;
    }
    Ok(())
}

/// Returns whether the signal was ignored when the program was started, as SIGHUP by `nohup`, if the system reports it (Linux).
#[cfg(unix)]
fn is_ignored(signal: c_int) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

fn note(signal: c_int) -> io::Result<()> {
    flag::register_usize(signal, Arc::clone(&RECEIVED), signal as usize).map(drop)
}

/// Makes the system report a file that would exceed its limit (`ulimit -f`) as an error of the write. By default it ends the
/// program, which leaves a partial file behind.
pub fn report_large_files() {
    // If that is refused, the program ends as before.
    #[cfg(unix)]
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Returns whether a signal was received.
pub fn is_requested() -> bool {
    RECEIVED.load(Ordering::Relaxed) > 0
}

/// Returns the exit code of a program that a signal has interrupted.
pub fn exit_code() -> ExitCode {
    let signal = RECEIVED.load(Ordering::Relaxed) as u8;
    ExitCode::from(ENDED_BY_SIGNAL as u8 + signal)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Whether each of the signals, this many milliseconds after the first, ends the program at once.
    fn presses(times: &[u64]) -> Vec<bool> {
        let (start, mut requests) = (Instant::now(), Requests::default());
        let at = times
            .iter()
            .map(|time| start + Duration::from_millis(*time));
        at.map(|at| requests.add(at)).collect()
    }

    #[test]
    fn a_second_signal_within_two_seconds_is_the_same_request() {
        assert_eq!(presses(&[0, 0]), [false, false]);
        assert_eq!(presses(&[0, 2000]), [false, false]);
        assert_eq!(presses(&[0, 2001]), [false, true]);
        assert_eq!(presses(&[0, 50, 100]), [false, false, true]);
    }
}
