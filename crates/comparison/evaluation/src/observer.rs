//! Who watches the runs.

use crate::record::Record;

/// Told how runs get on, and asked whether they shall go on. Batch learners tell it from several threads.
///
/// `()` is an observer that does nothing.
pub trait Observer: Sync {
    /// A run begins: the data set and the algorithm.
    fn start_run(&self, name: &str) {
        let _ = name;
    }

    /// So many more rows of the run have been learned or predicted.
    fn advance(&self, rows: usize) {
        let _ = rows;
    }

    /// A run of `rows` rows is over, perhaps without having visited all of them.
    fn finish_run(&self, rows: usize, record: &Record) {
        let _ = (rows, record);
    }

    /// Whether to end after the current batch. Runs that are not finished then have no record.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl Observer for () {}
