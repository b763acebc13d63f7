//! Files that are either complete or absent.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use forest_core::files::NewFile;
use thiserror::Error;

/// An error of the file system.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A folder could not be made.
    #[error("cannot make the folder {}", path.display())]
    MakeFolder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl FileError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Write { path, source }
    }
}

/// Makes a folder and its parents.
///
/// # Errors
/// An error of the file system.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| {
        let path = path.to_owned();
        FileError::MakeFolder { path, source }
    })
}

/// Writes a file that takes its name when it is complete ([`NewFile`]).
///
/// # Errors
/// An error of the file system.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let write = || {
        let mut file = NewFile::create(path)?;
        file.write_all(content)?;
        file.commit()
    };
    write().map_err(|source: io::Error| FileError::write(path, source))
}
