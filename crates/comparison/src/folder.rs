//! The folder of a comparison: a new or a resumed one, whose runs are never lost.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use forest_core::files::{Lock, LockError};
use thiserror::Error;

use crate::files::{FileError, RunLog, make_folder, read_records};
use crate::host::{self, print_line};
use crate::record::{Host, Record};

/// Folders of comparisons whose caller names none.
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

/// What is done where a folder has runs already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// It is refused.
    Refused,
    /// Only runs that are missing are done.
    Resumed,
}

/// An error of a folder of runs.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// Another comparison, the first, writes to it.
    #[error("{} writes a comparison to {}; wait until it has ended, or name another folder", .0, .1.display())]
    Held(String, PathBuf),
    /// It cannot be locked.
    #[error("cannot write to {}", .0.display())]
    Lock(PathBuf, #[source] LockError),
    /// It has so many runs, and is not resumed; the last folder has none.
    #[error("{} has {} runs already; resume it to run only what is missing, or name another folder (such as {})", .0.display(), .1, .2.display())]
    HasRuns(PathBuf, usize, PathBuf),
    /// A file in it.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Folder {
    /// Opens the folder, or makes one with the date.
    ///
    /// # Errors
    /// Returns an error if it cannot be made, is in use, or has runs and is not resumed.
    pub fn open(path: Option<&Path>, earlier: Earlier) -> Result<Self, FolderError> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => new_dated()?,
        };
        let lock = lock(&path)?;
        let runs = runs(&path);
        let finished = runs.is_file().then(|| read_records(&runs)).transpose()?;
        let finished: Vec<Record> = finished.unwrap_or_default();
        if earlier == Earlier::Refused && !finished.is_empty() {
            return Err(FolderError::HasRuns(path, finished.len(), dated()));
        }
        Ok(Self {
            path,
            finished,
            _lock: lock,
        })
    }

    /// Opens its file of runs.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn open_log(&self) -> Result<RunLog, FileError> {
        RunLog::open(&runs(&self.path))
    }

    /// Warns if the earlier runs are of another revision.
    pub fn remark_revision(&self, host: &Host) {
        let ours = &host.revision;
        let earlier = self.finished.iter().map(|run| &run.host.revision);
        let others: Vec<&String> = earlier.filter(|revision| *revision != ours).collect();
        if let Some(theirs) = others.first() {
            let count = others.len();
            print_line(&format!(
                "{count} of the earlier runs are of revision {theirs}, new ones are of {ours}"
            ));
        }
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
    Lock::beside(&runs(folder)).map_err(|error| match error {
        LockError::Held(holder) => FolderError::Held(holder.to_string(), folder.to_owned()),
        source => FolderError::Lock(folder.to_owned(), source),
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
