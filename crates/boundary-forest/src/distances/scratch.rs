//! Working memory for queries.

use std::cell::Cell;

use super::query_cache::QueryCache;

/// What queries compute, one after another.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The code of the query.
    pub(super) code: Vec<u8>,
    pub(super) known_differences: QueryCache<u32>,
    pub(super) known_proxies: QueryCache<f64>,
    /// Of the candidates that are compared now: differences of codes, or proxies.
    pub(super) differences: Vec<u32>,
    pub(super) proxies: Vec<f64>,
    /// The candidates that codes do not rule out.
    pub(super) remaining: Vec<usize>,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = Cell::default();
}

impl Scratch {
    /// Lends working memory that the thread keeps for the next time (at most half a megabyte for
    /// points of a few features), so that neither a sample nor a query allocates any.
    pub(crate) fn with<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
        // Taken, not borrowed: a nested call gets an empty one instead of a panic.
        let mut scratch = SCRATCH.take();
        let result = work(&mut scratch);
        SCRATCH.set(scratch);
        result
    }
}
