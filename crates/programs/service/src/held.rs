//! Holds the counts of a request until it is done.

use tokio::sync::OwnedSemaphorePermit;

/// The count of a request, and of the bytes that it takes, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Held {
    _request: OwnedSemaphorePermit,
    _bytes: Option<OwnedSemaphorePermit>,
}

impl Held {
    /// Counts a request, and the bytes of its body.
    pub(crate) fn new(request: OwnedSemaphorePermit, bytes: Option<OwnedSemaphorePermit>) -> Self {
        Self {
            _request: request,
            _bytes: bytes,
        }
    }
}
