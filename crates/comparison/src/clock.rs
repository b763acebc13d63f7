//! Time inside learners.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// What learners of this thread have measured themselves.
    static CHARGED: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// Reports how long a call of a learner took, as the learner measured it: a comparison then takes this as the time of the call.
///
/// Learners of other libraries call it, on the thread that called them: the conversion of rows does not count, and time may be
/// that of the processor.
pub fn charge(time: Duration) {
    CHARGED.set(Some(CHARGED.get().unwrap_or_default() + time));
}

/// Measures one call of a learner, or several one after another.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        CHARGED.set(None);
        Self(Instant::now())
    }

    /// Returns what the learner reported by [`charge`], else the time that has passed.
    pub(crate) fn elapsed(&self) -> Duration {
        let passed = self.0.elapsed();
        CHARGED.take().unwrap_or(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_learner_measures_is_its_time() {
        let watch = Stopwatch::start();
        [2, 3]
            .iter()
            .for_each(|seconds| charge(Duration::from_secs(*seconds)));
        assert_eq!(watch.elapsed(), Duration::from_secs(5));
        let watch = Stopwatch::start();
        assert!(watch.elapsed() < Duration::from_secs(1));
    }
}
