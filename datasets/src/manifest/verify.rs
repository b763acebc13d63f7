//! Checks whether the files in the data folder are the ones the manifest describes.

use std::path::{Path, PathBuf};

use super::{NamedSet, SetFile};
use crate::DataError;
use crate::readers::find_digest;

/// A file of a named set, compared with the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Not in the set's folder.
    Missing,
    /// Present, with a checksum the manifest knows.
    Verified(PathBuf, Known),
    /// Present, with a checksum the manifest does not know.
    Different(PathBuf),
}

/// Which of the manifest's checksums a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// That of the published file.
    Upstream,
    /// That of the copy this project's numbers were measured on.
    Copy,
}

/// Compares every file of a set with the manifest's checksums, in the manifest's order.
///
/// # Errors
/// Returns an error for a file that exists but cannot be read.
pub fn verify<'a>(
    set: &'a NamedSet,
    data_dir: &Path,
) -> Result<Vec<(&'a SetFile, FileState)>, DataError> {
    let state = |file| Ok((file, state(file, set.find(data_dir, file))?));
    set.files.iter().map(state).collect()
}

fn state(file: &SetFile, path: Option<PathBuf>) -> Result<FileState, DataError> {
    let Some(path) = path else {
        return Ok(FileState::Missing);
    };
    let found = find_digest(&path, &file.digests())?;
    Ok(match found {
        None => FileState::Different(path),
        Some(digest) if Some(digest) == file.upstream.as_ref() => {
            FileState::Verified(path, Known::Upstream)
        }
        Some(_) => FileState::Verified(path, Known::Copy),
    })
}
