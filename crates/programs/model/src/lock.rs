//! One training of a model at a time.

use std::path::Path;

pub use file_lock::Lock;
use file_lock::LockError;

use crate::error::CommandError;

/// Locks the model that is called `model` by the user and lies in `file`, which is not a link, whatever links lead to it.
///
/// # Errors
/// Another process that trains this model, or a folder that cannot be written to.
pub fn take(model: &Path, file: &Path) -> Result<Lock, CommandError> {
    Lock::beside(file).map_err(|error| match error {
        LockError::Held(holder) => CommandError::InTraining {
            path: model.to_owned(),
            holder,
        },
        LockError::File(source) => CommandError::io("write", model, source),
        other => CommandError::io("write", model, std::io::Error::other(other)),
    })
}
