//! When a run has to end before its time.

use std::time::{Duration, Instant};

use crate::{Observer, RunError};

/// What one run may take. The default is everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the learner may hold. Batch learners, which do not tell, are not held to it.
    pub bytes: Option<u64>,
    /// Time that the run may take, with all that is around the learner.
    pub time: Option<Duration>,
}

/// Watches a run, batch by batch.
pub(crate) struct Watch<'a> {
    observer: &'a dyn Observer,
    limits: Limits,
    start: Instant,
}

impl<'a> Watch<'a> {
    pub fn start(observer: &'a dyn Observer, limits: Limits) -> Self {
        let start = Instant::now();
        Self {
            observer,
            limits,
            start,
        }
    }

    /// Says that so many rows are done, and whether the run may go on.
    pub fn advance(&self, rows: usize) -> Result<(), RunError> {
        self.observer.advance(rows);
        self.check()
    }

    pub fn check(&self) -> Result<(), RunError> {
        if self.observer.is_stopped() {
            return Err(RunError::Interrupted);
        }
        match self.limits.time {
            Some(limit) if self.start.elapsed() > limit => Err(RunError::TooSlow { limit }),
            _ => Ok(()),
        }
    }

    /// Refuses a learner that holds too much after so many rows.
    pub fn check_bytes(&self, bytes: usize, rows: usize) -> Result<(), RunError> {
        let bytes = bytes as u64;
        match self.limits.bytes {
            Some(limit) if bytes > limit => Err(RunError::TooLarge { bytes, limit, rows }),
            _ => Ok(()),
        }
    }
}
