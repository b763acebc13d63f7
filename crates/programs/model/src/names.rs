//! Hard links of a model file.

use std::fs;
use std::path::Path;

use crate::error::CommandError;

/// Refuses a file that has several hard links: a saved model would replace one of them, the others would keep the old model,
/// and two trainings under two names would not see each other's lock.
///
/// # Errors
/// Returns an error if there are several, or the file cannot be examined.
pub(crate) fn check(model: &Path, file: &Path) -> Result<(), CommandError> {
    let names = count(file).map_err(|source| CommandError::io("read", model, source))?;
    if names > 1 {
        Err(CommandError::SeveralNames {
            path: model.to_owned(),
            names,
        })
    } else {
        Ok(())
    }
}

#[cfg(unix)]
fn count(file: &Path) -> std::io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).map(|found| found.nlink())
}

/// The standard library does not report the number of hard links on this system.
#[cfg(not(unix))]
fn count(file: &Path) -> std::io::Result<u64> {
    fs::metadata(file).map(|_| 1)
}
