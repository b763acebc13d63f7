//! Rows between the thread that reads and the one that learns or predicts.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::row::Row;

/// The most text that may wait in the queue. One row always may, however long it is.
const MOST_BYTES: usize = 1 << 20;

/// A queue that never holds more text than stated, and returns what is available without waiting for more.
///
/// A channel of the standard library counts entries, not bytes, and a row can be megabytes long.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    rows: VecDeque<Row>,
    bytes: usize,
    ended: bool,
}

/// The result of [`Source::take`](crate::Source::take).
#[derive(Debug)]
pub enum Taken {
    /// One row or more.
    Rows(Vec<Row>),
    /// No row arrived in time.
    Nothing,
    /// The table has ended.
    End,
}

impl Queue {
    /// Adds a row; waits until there is room for it.
    pub(crate) fn push(&self, row: Row) {
        let bytes = row.bytes();
        let is_full =
            |state: &mut State| !state.rows.is_empty() && state.bytes + bytes > MOST_BYTES;
        let state = self.changed.wait_while(self.lock(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.bytes += bytes;
        state.rows.push_back(row);
        self.changed.notify_all();
    }

    /// Declares that no more rows come.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Returns at most `most` rows; waits for the first of them, but no longer than stated.
    pub(crate) fn take(&self, most: usize, wait: Duration) -> Taken {
        let is_empty = |state: &mut State| state.rows.is_empty() && !state.ended;
        let waited = self.changed.wait_timeout_while(self.lock(), wait, is_empty);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let count = most.min(state.rows.len());
        if count == 0 {
            return if state.ended {
                Taken::End
            } else {
                Taken::Nothing
            };
        }
        let rows: Vec<Row> = state.rows.drain(..count).collect();
        state.bytes -= rows.iter().map(Row::bytes).sum::<usize>();
        self.changed.notify_all();
        Taken::Rows(rows)
    }

    /// Returns whether no row is waiting.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().rows.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
