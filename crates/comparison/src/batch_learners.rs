//! The table of batch learners.

use crate::BatchEntry;
use crate::extra_trees::BATCH_DYNAMIC_EXTRA_TREES;
use crate::tessellation::{BATCH_MRTF, BATCH_URTF, BATCH_WMRTF, BATCH_WURTF};

/// The batch learners of this workspace.
const OWN: [&BatchEntry; 5] = [
    &BATCH_DYNAMIC_EXTRA_TREES,
    &BATCH_URTF,
    &BATCH_WURTF,
    &BATCH_MRTF,
    &BATCH_WMRTF,
];

/// Returns every batch learner that is known by name, in the order in which users see them.
pub fn batch_learners() -> Vec<&'static BatchEntry> {
    #[cfg(not(feature = "baselines"))]
    let baselines = [];
    #[cfg(feature = "baselines")]
    let baselines = crate::baselines::BASELINES;
    OWN.into_iter().chain(baselines).collect()
}
