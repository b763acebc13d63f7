//! Limits of memory and time, and the observer's stop.

use std::time::{Duration, Instant};

use crate::{Observer, RunError, number};

/// Limits of one run; unlimited by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that the learner may hold; offline learners and those that do not report it are not limited.
    pub bytes: Option<u64>,
    /// Time that the run may take, including all work around the learner. Checked after every batch; for a batch learner,
    /// when its fit ends.
    pub time: Option<Duration>,
}

/// Watches a run, batch by batch.
pub(crate) struct Watch<'a> {
    observer: &'a dyn Observer,
    limits: Limits,
    start: Instant,
}

impl<'a> Watch<'a> {
    pub(crate) fn start(observer: &'a dyn Observer, limits: Limits) -> Self {
        let start = Instant::now();
        Self {
            observer,
            limits,
            start,
        }
    }

    /// Reports how many rows are done; returns an error if the run has to end.
    pub(crate) fn advance(&self, rows: usize) -> Result<(), RunError> {
        self.observer.advance(rows);
        self.check()
    }

    pub(crate) fn check(&self) -> Result<(), RunError> {
        if self.observer.is_stopped() {
            return Err(RunError::Interrupted);
        }
        match self.limits.time {
            Some(limit) if self.start.elapsed() > limit => Err(RunError::Failed(format!(
                "stopped: the run took more than the time limit ({} s)",
                limit.as_secs_f64()
            ))),
            _ => Ok(()),
        }
    }

    /// Stops, before rows are learned, a learner that holds too much, or would hold too much after these `next` rows if
    /// it kept growing as it did over the latest ones. Without a limit, `bytes` is not called.
    pub(crate) fn check_bytes(
        &self,
        growth: &mut Growth,
        bytes: impl FnOnce() -> usize,
        next: usize,
    ) -> Result<(), RunError> {
        let Some(limit) = self.limits.bytes else {
            return Ok(());
        };
        let expected = growth.expect(bytes() as u64, next as u64);
        let rows = growth.rows as usize;
        growth.rows += next as u64;
        if expected > limit {
            let [expected, limit] = [expected, limit].map(|bytes| number::bytes(bytes as f64));
            return Err(RunError::Failed(format!(
                "stopped after {rows} rows: with {next} more, the learner would hold about {expected}, more than the memory limit ({limit})"
            )));
        }
        Ok(())
    }
}

/// How fast a learner grows.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// Learned so far.
    rows: u64,
    /// The row and the bytes held after it, before the latest rows.
    earlier: (u64, u64),
}

impl Growth {
    /// Extrapolates the bytes it will hold after `next` more rows.
    fn expect(&mut self, bytes: u64, next: u64) -> u64 {
        let (held, after) = self.earlier;
        let (grown, learned) = (bytes.saturating_sub(held), self.rows - after);
        self.earlier = (bytes, self.rows);
        bytes + (grown * next).checked_div(learned).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_extrapolated_from_the_latest_rows() {
        let mut growth = Growth::default();
        assert_eq!(growth.expect(100, 10), 100, "nothing is known yet");
        growth.rows = 10;
        assert_eq!(growth.expect(300, 20), 300 + 400);
        growth.rows = 30;
        assert_eq!(growth.expect(400, 40), 400 + 200);
    }
}
