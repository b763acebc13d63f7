//! Observers of runs.

use crate::record::Record;

/// Follows the progress of runs and may stop them. Batch learners call it from several threads.
///
/// `()` is an observer that does nothing.
pub trait Observer: Sync {
    /// Reports that a run of `algorithm` on `dataset` begins.
    fn start_run(&self, name: &str) {
        let _ = name;
    }

    /// Reports how many more rows of the run have been learned or predicted.
    fn advance(&self, rows: usize) {
        let _ = rows;
    }

    /// Reports that a run of `rows` rows has ended, perhaps before all of them were visited.
    fn finish_run(&self, rows: usize, record: &Record) {
        let _ = (rows, record);
    }

    /// Returns whether to end after the current batch. Unfinished runs have no record.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Observer for () {}
