//! The only module that uses threads. Results are combined in order: the number of threads never changes a bit.

use std::cell::{Cell, RefCell};

use rayon::prelude::*;

use crate::SettingError;

/// Units of work (a tree visiting a row) below which sharing costs more than it gains.
const WORTH_SHARING: usize = 512;

/// Rows that one thread fills at a time: enough to be predicted together, few enough to be divided evenly.
const ROWS_PER_SHARE: std::ops::RangeInclusive<usize> = 32..=8192;

/// Shares of the rows for each thread: a thread that other programs delay leaves some to the rest.
const SHARES_PER_THREAD: usize = 2;

/// The maximum number of threads: with more, the operating system would take minutes to start them, or fail.
pub const MOST_THREADS: usize = 1024;

/// Runs `work` with a given number of threads (0: as many as cores). A single one is the calling thread.
///
/// # Errors
/// Returns an error if there are more than [`MOST_THREADS`], or they cannot be started.
pub fn with_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, SettingError> {
    check(threads)?;
    if threads == 1 {
        return Ok(alone(work));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        let rule = format!("must be as many as the system can start ({error})");
        SettingError::new("threads", rule, threads)
    })?;
    Ok(pool.install(work))
}

thread_local! {
    /// Whether this thread shares no work.
    static ALONE: Cell<bool> = const { Cell::new(false) };

    static BUFFERS: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` on this thread alone, which also works in a process that was forked from one with threads.
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// Returns how many threads share the work.
pub fn count() -> usize {
    if ALONE.get() {
        1
    } else {
        rayon::current_num_threads()
    }
}

/// Checks the number of threads before anything is done with them.
///
/// # Errors
/// Returns an error if there are more than [`MOST_THREADS`].
pub fn check(threads: usize) -> Result<(), SettingError> {
    let rule = "must be at most 1024 (ask for as many as there are cores)";
    SettingError::require(threads <= MOST_THREADS, "threads", rule, threads)
}

/// Calls `work` with an empty buffer whose capacity the thread keeps for the next call. Calls may be nested.
pub fn with_buffer<R>(work: impl FnOnce(&mut Vec<f64>) -> R) -> R {
    let kept = BUFFERS.with_borrow_mut(Vec::pop);
    let mut buffer = kept.unwrap_or_default();
    let result = work(&mut buffer);
    buffer.clear();
    BUFFERS.with_borrow_mut(|buffers| buffers.push(buffer));
    result
}

/// Returns whether `units` of work in all are worth sharing, and this thread shares work.
fn are_shared(units: usize) -> bool {
    units >= WORTH_SHARING && !ALONE.get()
}

/// Does `work` on every item, in parallel if `units` of work in all are worth it. Items are handed out one by one:
/// a thread that other programs delay leaves more to the rest.
pub fn each<T: Send>(items: &mut [T], units: usize, work: impl Fn(&mut T) + Send + Sync) {
    if are_shared(units) {
        items.par_iter_mut().with_max_len(1).for_each(work);
    } else {
        items.iter_mut().for_each(work);
    }
}

/// Divides `items` among the threads, a group of neighbours each, if `units` of work in all are
/// worth it: for items that share something with the others of their group.
pub fn in_groups<T: Send>(items: &mut [T], units: usize, work: impl Fn(&mut [T]) + Send + Sync) {
    if are_shared(units) && count() > 1 {
        let groups = items.par_chunks_mut(items.len().div_ceil(count()).max(1));
        groups.with_max_len(1).for_each(work);
    } else {
        work(items);
    }
}

/// Fills the rows of `table` (each `width` wide), handing `work` the first row's index and a share,
/// in parallel if `units` of work in all are worth it.
pub fn fill_rows(
    table: &mut [f64],
    width: usize,
    units: usize,
    work: impl Fn(usize, &mut [f64]) + Send + Sync,
) {
    if units < WORTH_SHARING || width == 0 {
        return work(0, table);
    }
    let even = table.len() / width / (SHARES_PER_THREAD * count());
    let rows = even.clamp(*ROWS_PER_SHARE.start(), *ROWS_PER_SHARE.end());
    let fill = |(share, part): (usize, &mut [f64])| work(share * rows, part);
    if ALONE.get() {
        table.chunks_mut(width * rows).enumerate().for_each(fill);
    } else {
        let shares = table.par_chunks_mut(width * rows);
        shares.enumerate().for_each(fill);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Returns the threads that do the work of `each` and of `fill_rows`.
    fn workers() -> Vec<thread::ThreadId> {
        let mut items = [None; 1000];
        each(&mut items, usize::MAX, |item| {
            *item = Some(thread::current().id());
        });
        let mut workers: Vec<_> = items.into_iter().flatten().collect();
        let others = std::sync::Mutex::new(Vec::new());
        fill_rows(&mut [0.0; 1000], 1, usize::MAX, |_, _| {
            let mut others = others.lock().expect("nothing panics");
            others.push(thread::current().id());
        });
        workers.extend(others.into_inner().expect("nothing panics"));
        workers
    }

    #[test]
    fn a_single_thread_is_the_one_that_asks() {
        let alone = with_threads(1, || (workers(), count()));
        let (workers_alone, threads) = alone.expect("it starts none");
        let own = thread::current().id();
        assert!(workers_alone.iter().all(|worker| *worker == own));
        assert!(workers_alone.len() > 1000);
        assert_eq!(threads, 1);
        let inside = with_threads(1, || with_threads(2, || (workers(), count())));
        let (workers, threads) = inside.and_then(|two| two).expect("two can be started");
        assert!(workers.iter().all(|worker| *worker != own));
        assert_eq!(threads, 2);
    }

    #[test]
    fn work_that_panics_leaves_the_thread_unchanged() {
        let panics = || std::panic::catch_unwind(|| with_threads(1, || assert_eq!(count(), 2)));
        assert!(panics().is_err() && !ALONE.get());
        assert!(!with_threads(1, || panics().is_err() && !ALONE.get()).expect("it starts none"));
    }
}
