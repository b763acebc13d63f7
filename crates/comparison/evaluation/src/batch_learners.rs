//! The table of batch learners.

use std::sync::{PoisonError, RwLock};

use crate::BatchEntry;
use crate::extra_trees::BATCH_DYNAMIC_EXTRA_TREES;
use crate::tessellation::{BATCH_MRTF, BATCH_URTF, BATCH_WMRTF, BATCH_WURTF};

/// The batch learners of this crate.
const OWN: [&BatchEntry; 5] = [
    &BATCH_DYNAMIC_EXTRA_TREES,
    &BATCH_URTF,
    &BATCH_WURTF,
    &BATCH_MRTF,
    &BATCH_WMRTF,
];

/// Learners of other crates, in the order in which they were registered.
static REGISTERED: RwLock<Vec<&'static BatchEntry>> = RwLock::new(Vec::new());

/// Returns every batch learner that is known by name, in the order in which users see them.
pub fn batch_learners() -> Vec<&'static BatchEntry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    OWN.into_iter().chain(registered.iter().copied()).collect()
}

/// Registers batch learners of another crate under their names, for everything that reads names from then on. A name that
/// is already registered keeps its learner.
pub fn register(entries: &[&'static BatchEntry]) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for &entry in entries {
        let is_entry = |known: &&BatchEntry| known.name == entry.name;
        if !OWN.iter().chain(registered.iter()).any(is_entry) {
            registered.push(entry);
        }
    }
}
