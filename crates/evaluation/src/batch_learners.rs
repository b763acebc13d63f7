//! The table of batch learners.

use crate::BatchEntry;
use crate::offline::{DECISION_TREE, EXTRA_TREES, RANDOM_FOREST};
use crate::offline::{K_NN, LINEAR_SVM, LOGISTIC_REGRESSION, RIDGE, SVM};
use crate::tessellation::{BATCH_MRTF, BATCH_URTF, BATCH_WMRTF, BATCH_WURTF};

/// Every batch learner, in the order in which they are listed to users.
pub static BATCH: &[&BatchEntry] = &[
    &BATCH_URTF,
    &BATCH_WURTF,
    &BATCH_MRTF,
    &BATCH_WMRTF,
    &RANDOM_FOREST,
    &EXTRA_TREES,
    &DECISION_TREE,
    &K_NN,
    &LOGISTIC_REGRESSION,
    &LINEAR_SVM,
    &SVM,
    &RIDGE,
];
