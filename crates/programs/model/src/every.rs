//! Intervals, in rows or in time, at which something is done.

use std::str::FromStr;
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use thiserror::Error;

/// How often a model is saved: by rows or by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Every that many rows, 1 or more.
    Rows(u64),
    /// Every that long.
    Time(Duration),
    /// Only at the end.
    Never,
}

/// A text that is not an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a number of rows such as 5000, a time such as 30s or 10m, or never")]
pub struct NotAnInterval;

impl FromStr for Every {
    type Err = NotAnInterval;

    fn from_str(text: &str) -> Result<Self, NotAnInterval> {
        if text == "never" {
            return Ok(Self::Never);
        }
        if let Ok(rows) = text.parse() {
            return if rows > 0 {
                Ok(Self::Rows(rows))
            } else {
                Err(NotAnInterval)
            };
        }
        let time: SignedDuration = text.parse().map_err(|_| NotAnInterval)?;
        let time = Duration::try_from(time).map_err(|_| NotAnInterval)?;
        if time.is_zero() {
            Err(NotAnInterval)
        } else {
            Ok(Self::Time(time))
        }
    }
}

/// The time and row at which it was last done.
#[derive(Clone, Copy, Debug)]
pub struct Since {
    rows: u64,
    time: Instant,
}

impl Since {
    /// Starts now, at this row.
    pub fn now(rows: u64) -> Self {
        let time = Instant::now();
        Self { rows, time }
    }

    /// Returns whether it is due again at row `rows`; never if nothing has happened since.
    pub fn is_due(&self, every: Every, rows: u64) -> bool {
        match every {
            Every::Rows(after) => rows - self.rows >= after,
            Every::Time(after) => rows > self.rows && self.time.elapsed() >= after,
            Every::Never => false,
        }
    }

    /// Returns the number of rows until it is due, 1 or more; unlimited if rows do not decide.
    pub fn rows_left(&self, every: Every, rows: u64) -> usize {
        match every {
            Every::Rows(after) => {
                let due = self.rows.saturating_add(after);
                due.saturating_sub(rows).max(1) as usize
            }
            Every::Time(_) | Every::Never => usize::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_due_after_so_many_rows_and_only_if_there_were_some() {
        let since = Since::now(10);
        let left = [12, 14, 15, 90].map(|rows| since.rows_left(Every::Rows(5), rows));
        assert_eq!(left, [3, 1, 1, 1]);
        assert!(!since.is_due(Every::Rows(5), 14) && since.is_due(Every::Rows(5), 15));
        let at_once = Every::Time(Duration::ZERO);
        assert!(!since.is_due(at_once, 10) && since.is_due(at_once, 11));
        assert!(!since.is_due(Every::Never, u64::MAX));
    }
}
