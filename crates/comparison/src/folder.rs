//! The folder of a comparison: a new or a resumed one, whose runs are never lost.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use forest_core::files::{Lock, LockError};
use thiserror::Error;

use crate::files::{FileError, make_folder};
use crate::notice::print_line;
use crate::record::{Host, Record};
use crate::{RunLog, host, read_records};

const RUNS: &str = "runs.jsonl";

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
    /// Another comparison writes to it.
    #[error("{holder} writes a comparison to {}; wait until it has ended, or name another folder", path.display())]
    Held {
        /// The process.
        holder: String,
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be locked.
    #[error("cannot write to {}", path.display())]
    Lock {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: LockError,
    },
    /// It has runs, and is not resumed.
    #[error("{} has {runs} runs already; resume it to run only what is missing, or name another folder (such as {})",
        path.display(), free.display())]
    HasRuns {
        /// The folder.
        path: PathBuf,
        /// Its runs.
        runs: usize,
        /// A folder without any.
        free: PathBuf,
    },
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
            None => new_dated(Path::new(RESULTS))?,
        };
        let lock = lock(&path)?;
        let runs = runs(&path);
        let finished: Vec<Record> = if runs.is_file() {
            read_records(&runs)?
        } else {
            Vec::new()
        };
        if earlier == Earlier::Refused && !finished.is_empty() {
            return Err(FolderError::HasRuns {
                path,
                runs: finished.len(),
                free: dated(Path::new(RESULTS)),
            });
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
        let others = self.finished.iter();
        let others = others.filter(|record| record.host.revision != host.revision);
        let Some(other) = others.clone().next() else {
            return;
        };
        let (count, theirs, ours) = (others.count(), &other.host.revision, &host.revision);
        print_line(&format!(
            "{count} of the earlier runs are of revision {theirs}, new ones are of {ours}"
        ));
    }
}

/// Returns the path of the runs of a folder.
pub fn runs(folder: &Path) -> PathBuf {
    folder.join(RUNS)
}

/// Makes the folder if it does not exist, and locks it against other comparisons.
///
/// # Errors
/// Returns an error if it cannot be made, or is in use.
pub fn lock(folder: &Path) -> Result<Lock, FolderError> {
    make_folder(folder)?;
    let path = folder.to_owned();
    Lock::beside(&runs(folder)).map_err(|error| match error {
        LockError::Held(holder) => FolderError::Held {
            holder: holder.to_string(),
            path,
        },
        source => FolderError::Lock { path, source },
    })
}

fn dated(results: &Path) -> PathBuf {
    results.join(format!("compare-{}", host::stamp()))
}

/// Makes a folder with the date; the second within a second ends in `-2`.
fn new_dated(results: &Path) -> Result<PathBuf, FileError> {
    make_folder(results)?;
    let path = dated(results);
    let (mut free, mut number) = (path.clone(), 1);
    loop {
        match fs::create_dir(&free) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| free.clone()).map_err(unmade(free)),
        }
        free = PathBuf::from(format!("{}-{number}", path.display()));
    }
}

fn unmade(path: PathBuf) -> impl FnOnce(io::Error) -> FileError {
    |source| FileError::MakeFolder { path, source }
}
