//! The folder of a comparison: a new or a resumed one, whose runs are never lost.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use forest_core::files::Lock;
use thiserror::Error;

use crate::Request;
use crate::files::{FileError, RunLog, make_folder, read_records};
use crate::host;
use crate::record::Record;

/// The parent of the folders of comparisons without `out`.
const RESULTS: &str = "results";

/// The folder of runs and report, with its earlier runs. It is locked while this lives.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The runs that it had.
    pub finished: Vec<Record>,
    _lock: Lock,
}

/// An error of a folder of runs.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// In words: another comparison writes to it, or it has runs and is not resumed.
    #[error("{0}")]
    Refused(String),
    /// It cannot be locked.
    #[error("cannot write to {}", .0.display())]
    Lock(PathBuf, #[source] io::Error),
    /// A file in it.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Folder {
    /// Opens the folder that is asked for, or makes one with the date.
    ///
    /// # Errors
    /// Returns an error if it cannot be made, is in use, or has runs and is not to be resumed.
    pub fn open(request: &Request) -> Result<Self, FolderError> {
        let path = request.out.clone().map_or_else(new_dated, Ok)?;
        let (lock, runs) = (lock(&path)?, runs(&path));
        let mut finished: Vec<Record> = Vec::new();
        if runs.is_file() {
            finished = read_records(&runs)?;
        }
        if !request.resume && !finished.is_empty() {
            return Err(FolderError::Refused(format!(
                "{} has {} runs already; resume it (--resume) to run only what is missing, or name another folder (--out), such as {}",
                path.display(),
                finished.len(),
                dated().display()
            )));
        }
        Ok(Self {
            path,
            finished,
            _lock: lock,
        })
    }

    pub(crate) fn open_log(&self) -> Result<RunLog, FileError> {
        RunLog::open(&runs(&self.path))
    }
}

/// Returns the path of the runs of a folder.
pub fn runs(folder: &Path) -> PathBuf {
    folder.join("runs.jsonl")
}

/// Makes the folder if it does not exist, and locks it against other comparisons.
///
/// # Errors
/// Returns an error if it cannot be made, or is in use.
pub fn lock(folder: &Path) -> Result<Lock, FolderError> {
    make_folder(folder)?;
    Lock::beside(&runs(folder)).map_err(|error| match error.kind() {
        ErrorKind::WouldBlock => FolderError::Refused(format!(
            "{error} writes a comparison to {}; wait until it has ended, or name another folder (--out)",
            folder.display()
        )),
        _ => FolderError::Lock(folder.to_owned(), error),
    })
}

fn dated() -> PathBuf {
    Path::new(RESULTS).join(format!("compare-{}", host::stamp()))
}

/// Makes a folder with the date; the second within a second ends in `-2`.
fn new_dated() -> Result<PathBuf, FileError> {
    make_folder(Path::new(RESULTS))?;
    let path = dated();
    let (mut free, mut number) = (path.clone(), 1);
    loop {
        match fs::create_dir(&free) {
            Ok(()) => return Ok(free),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(FileError::new("make the folder", &free, error)),
        }
        free = PathBuf::from(format!("{}-{number}", path.display()));
    }
}
