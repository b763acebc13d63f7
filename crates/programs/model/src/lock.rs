//! Allows one training of a model at a time.

use std::path::Path;

use forest_core::files::{Lock, LockError};

use crate::error::CommandError;

/// Locks the model that the user calls `model` and that is in `file`, whatever links lead to it; `file` itself is not a link.
///
/// # Errors
/// Returns an error if another process trains this model, or the folder cannot be written to.
pub(crate) fn take(model: &Path, file: &Path) -> Result<Lock, CommandError> {
    Lock::beside(file).map_err(|error| match error {
        LockError::Held(holder) => CommandError::new(format!(
            "{holder} is training {}; wait until it has ended, or end it with Ctrl-C or SIGTERM, which save what it has learned",
            model.display()
        )),
        LockError::File(source) => CommandError::io("write", model, source),
        other => CommandError::io("write", model, std::io::Error::other(other)),
    })
}
