//! Measures the time since the last progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When to give up waiting for the other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// How long to wait for the others to start (60 s).
    pub start: Duration,
    /// How long to wait for a message (120 s): longer than a batch and a checkpoint take in all processes together.
    pub progress: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            progress: Duration::from_secs(120),
        }
    }
}

/// Measures how long ago the last message was.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    start: Instant,
    last: Arc<AtomicU64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self {
            start: Instant::now(),
            last: Arc::default(),
        }
    }

    /// Records progress.
    pub(crate) fn tick(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    /// Returns the time since the last tick.
    pub(crate) fn silence(&self) -> Duration {
        Duration::from_millis(self.now() - self.last.load(Ordering::Relaxed).min(self.now()))
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}
