//! Algorithms that a program adds to every table.

use std::sync::{PoisonError, RwLock};

use crate::{Entry, Registry};

static REGISTERED: RwLock<Vec<&'static Entry>> = RwLock::new(Vec::new());

/// Adds an algorithm to every table: from then on it is known by its name wherever names are read. A name of a table, or one that
/// was registered before, keeps its algorithm.
///
/// A crate calls it for its own rows, so that a program that uses the crate need not have a table of its own:
///
/// ```
/// use registry::{Algorithm, Entry, Registry};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Empty;
/// impl Registry for Empty {
///     const ENTRIES: &'static [&'static Entry] = &[];
/// }
///
/// assert!("mean".parse::<Algorithm<Empty>>().is_err());
/// registry::register(&registry::MEAN);
/// assert_eq!("mean".parse::<Algorithm<Empty>>()?.name(), "mean");
/// # Ok::<(), registry::AlgorithmError>(())
/// ```
pub fn register(entry: &'static Entry) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    if registered.iter().all(|known| known.name != entry.name) {
        registered.push(entry);
    }
}

/// The rows of a table, and behind them those that were registered under other names.
pub(crate) fn entries<R: Registry>() -> Vec<&'static Entry> {
    let mut entries = R::ENTRIES.to_vec();
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let is_new = |entry: &&&Entry| R::ENTRIES.iter().all(|known| known.name != entry.name);
    entries.extend(registered.iter().filter(is_new));
    entries
}
