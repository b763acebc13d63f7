//! Whether the service can do its work now.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What `/readyz` reports.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    has_ended: AtomicBool,
    refused: Mutex<Option<String>>,
}

impl Readiness {
    /// Records that the service is ending, or that learning has failed by a fault of this program.
    pub(crate) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Records that rows are learned, or why not.
    pub(crate) fn set_refused(&self, reason: Option<String>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }

    /// Returns the reason why rows cannot be predicted, or not be learned, now and for some time.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.has_ended.load(Ordering::Relaxed) {
            return Some("the service is ending, or learns no more".to_owned());
        }
        let refused = self.refused.lock();
        refused.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
