//! The clock of calls, and the observer and the limits of runs.

use std::cell::Cell;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use crate::record::Record;
use crate::{Request, RunError};

/// How long calls took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Time {
    /// Time of the clock.
    pub wall: Duration,
    /// Time of the processor, in all threads of the process together.
    pub processor: Duration,
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.processor += other.processor;
    }
}

thread_local! {
    /// The time that learners reported on this thread during the current call.
    static CHARGED: Cell<Option<Time>> = const { Cell::new(None) };
}

/// Reports how long a call of a learner took, as the learner measured it, in place of the time that passed.
///
/// Learners of other libraries call it, on the thread that called them: the conversion of rows does not count.
pub fn charge(time: Time) {
    let mut charged = CHARGED.get().unwrap_or_default();
    charged += time;
    CHARGED.set(Some(charged));
}

/// Makes a call, and returns with its result what the learner reported by [`charge`], else the time that has passed.
pub(crate) fn timed<V>(call: impl FnOnce() -> V) -> (V, Time) {
    CHARGED.set(None);
    let wall = Instant::now();
    let processor = ProcessTime::now();
    let value = call();
    let passed = Time {
        wall: wall.elapsed(),
        processor: processor.elapsed(),
    };
    (value, CHARGED.take().unwrap_or(passed))
}

/// Follows the progress of runs and may stop them. Learners may call it from several threads.
///
/// `()` is an observer that does nothing.
pub trait Observer: Sync {
    /// Reports the runs that are missing, by their numbers of rows.
    fn plan(&self, _runs: &[usize]) {}

    /// Reports that a run of an algorithm on a data set begins.
    fn start_run(&self, _name: &str) {}

    /// Reports how many more rows of the run have been learned or predicted.
    fn advance(&self, _rows: usize) {}

    /// Reports that a run of `rows` rows has ended, perhaps before all of them were visited.
    fn finish_run(&self, _rows: usize, _record: &Record) {}

    /// Returns whether to end after the current batch. Unfinished runs have no record.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Observer for () {}

/// The observer and the limits of a run.
pub(crate) struct Watch<'a> {
    observer: &'a dyn Observer,
    pub max_bytes: Option<u64>,
    max_seconds: Option<f64>,
    start: Instant,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, request: &Request) -> Self {
        Self {
            observer,
            max_bytes: request.max_memory,
            max_seconds: request.time_limit,
            start: Instant::now(),
        }
    }

    /// Reports how many more rows are done, and checks the run.
    pub(crate) fn advance(&self, rows: usize) -> Result<(), RunError> {
        self.observer.advance(rows);
        self.check()
    }

    /// Returns an error if the run has to end.
    pub(crate) fn check(&self) -> Result<(), RunError> {
        if self.observer.is_stopped() {
            return Err(RunError::Interrupted);
        }
        match self.max_seconds {
            Some(limit) if self.start.elapsed().as_secs_f64() > limit => Err(RunError::Failed(
                format!("stopped: the run took more than the time limit ({limit} s)"),
            )),
            _ => Ok(()),
        }
    }
}
