//! Values that are read from files, and read again when these have changed.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use forest_model::CommandError;

type Read<T> = dyn Fn() -> Result<T, CommandError> + Send + Sync;

/// A value that was read from files: tokens, a certificate.
pub(crate) struct FromFiles<T> {
    read: Box<Read<T>>,
    now: RwLock<Arc<T>>,
}

impl<T> FromFiles<T> {
    /// Reads it for the first time.
    ///
    /// # Errors
    /// Returns the error of `read`.
    pub(crate) fn new(
        read: impl Fn() -> Result<T, CommandError> + Send + Sync + 'static,
    ) -> Result<Self, CommandError> {
        let now = RwLock::new(Arc::new(read()?));
        let read = Box::new(read);
        Ok(Self { read, now })
    }

    /// Returns the value that was read last.
    pub(crate) fn now(&self) -> Arc<T> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads it again. If that fails, the old value stays in use.
    ///
    /// # Errors
    /// Returns the error of `read`.
    pub(crate) fn read_again(&self) -> Result<(), CommandError> {
        let read = Arc::new((self.read)()?);
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }
}

impl<T> fmt::Debug for FromFiles<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tokens and keys must not appear in a log.
        f.debug_struct("FromFiles").finish_non_exhaustive()
    }
}
