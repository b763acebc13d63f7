//! How far a model has come in its data.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::row::{Outcome, Row};

/// The number of rows that a model has read of its data, and their digest: a resumed run must find the same rows again.
///
/// Rows are counted from the start of the data that was learned last; the samples of all data are
/// [`samples_seen`](online_forests::OnlineLearner::samples_seen).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Rows that were learned.
    pub learned: u64,
    /// Rows that could not be learned.
    pub bad: u64,
    /// Rows that were left out because a value is missing, as requested.
    pub dropped: u64,
    /// Digest of the column names and of all rows read: XXH3 of each cell, seeded with the digest so far.
    pub digest: u64,
}

impl Position {
    /// Returns the position before the first row of a table with these columns.
    pub fn start<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            learned: 0,
            bad: 0,
            dropped: 0,
            digest: digest(0, header),
        }
    }

    /// Returns the number of rows read.
    pub fn rows(&self) -> u64 {
        self.learned + self.bad + self.dropped
    }

    /// Records a row and its outcome.
    pub(crate) fn advance(&mut self, row: &Row, outcome: &Outcome) {
        self.pass(row);
        match outcome {
            Outcome::Taken => self.learned += 1,
            Outcome::Dropped => self.dropped += 1,
            Outcome::Bad(_) => self.bad += 1,
        }
    }

    /// Records a row in the digest only: one that is skipped because it was learned before.
    pub fn pass(&mut self, row: &Row) {
        self.digest = digest(self.digest, row.cells());
    }
}

fn digest<'a>(so_far: u64, cells: impl IntoIterator<Item = &'a str>) -> u64 {
    let add = |so_far, cell: &str| XxHash3_64::oneshot_with_seed(so_far, cell.as_bytes());
    // The end of a row must differ from an empty cell.
    add(cells.into_iter().fold(so_far, add), "\n")
}
