//! Guards against decoders that panic on damaged files, which are reported as damaged.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

static INSTALLED: Once = Once::new();

/// Returns the result of `decode`; `None` if it panics, which is not printed.
pub(super) fn guarded<T>(decode: impl FnOnce() -> T) -> Option<T> {
    INSTALLED.call_once(install);
    IS_DECODING.set(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(false);
    decoded.ok()
}

/// Panics of other code, in this thread and in others, are reported as before. The hook is installed once: a program
/// has one hook for all of its threads, and one that changed with every call would hide panics of others.
fn install() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !IS_DECODING.get() {
            before(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const MESSAGE: &str = "a panic of this test";

    static REPORTED: AtomicUsize = AtomicUsize::new(0);

    #[test]
    #[allow(clippy::panic, reason = "it is what is tested")]
    fn panics_of_decoders_are_not_printed_and_others_are() {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| match panic.payload_as_str() {
            Some(MESSAGE) => drop(REPORTED.fetch_add(1, Ordering::Relaxed)),
            _ => before(panic),
        }));
        install();
        assert_eq!(guarded(|| 3), Some(3));
        let decoded: Option<()> = guarded(|| panic!("{MESSAGE}"));
        assert_eq!((decoded, REPORTED.load(Ordering::Relaxed)), (None, 0));
        let other = panic::catch_unwind(|| panic::panic_any(MESSAGE));
        assert!(other.is_err());
        assert_eq!(REPORTED.load(Ordering::Relaxed), 1);
    }
}
