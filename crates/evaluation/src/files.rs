//! Files that are there whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

/// What the file system refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A folder could not be made.
    #[error("cannot make the folder {}", path.display())]
    MakeFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl FileError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Write { path, source }
    }
}

/// Makes a folder, and those it is in.
///
/// # Errors
/// What the file system refused.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| {
        let path = path.to_owned();
        FileError::MakeFolder { path, source }
    })
}

/// Writes under a temporary name, then renames.
///
/// # Errors
/// What the file system refused.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    fs::write(&unfinished, content).map_err(|source| FileError::write(path, source))?;
    fs::rename(&unfinished, path).map_err(|source| FileError::write(path, source))
}
