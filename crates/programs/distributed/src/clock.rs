//! When something has last gone forward.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When to give up on the other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// How long to wait for the others to be there (60 s).
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

/// Tells how long ago the last message was.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    last: Arc<AtomicU64>,
}

impl Clock {
    pub fn start() -> Self {
        Self {
            start: Instant::now(),
            last: Arc::default(),
        }
    }

    /// Something goes forward.
    pub fn tick(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
    }

    /// Time since the last tick.
    pub fn silence(&self) -> Duration {
        Duration::from_millis(self.now() - self.last.load(Ordering::Relaxed).min(self.now()))
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}
