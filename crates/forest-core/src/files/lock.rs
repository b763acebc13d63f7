//! A lock on a file that one program at a time may write, such as a model or the runs of a comparison.
//!
//! ```
//! use forest_core::files::{Lock, LockError};
//!
//! let model = std::env::temp_dir().join("a-model");
//! let lock = Lock::beside(&model)?;
//! assert!(matches!(Lock::beside(&model), Err(LockError::Held(_))));
//! drop(lock);
//! assert!(Lock::beside(&model).is_ok());
//! # Ok::<(), LockError>(())
//! ```

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use same_file::Handle;
use thiserror::Error;

/// A lock on the file `.NAME.lock` beside a file. The system releases it however the process ends: a lock file that a
/// killed process left behind is reused.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// The lock file, locked while it is open.
    _file: File,
}

/// An error of taking a lock.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process holds it: `process 1234`, or `another process` where its id is unknown.
    #[error("{0} holds the lock")]
    Held(String),
    /// The lock cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

impl Lock {
    /// Locks `file`, which must not be a link and need not exist; its folder has to exist.
    ///
    /// # Errors
    /// Returns an error if another process holds the lock, or the folder cannot be written to.
    pub fn beside(file: &Path) -> Result<Self, LockError> {
        let path = path_beside(file);
        loop {
            let mut file = open(&path)?;
            match file.try_lock() {
                // Some file systems do not support locks. Their files can still be written.
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                    return Err(error.into());
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The previous holder may have removed the file after it was opened here: then others lock another file.
            if is_at(&file, &path)? {
                sign(&mut file)?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    /// Removes the file while it is locked. A file that cannot be removed is reused.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn path_beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(".lock");
    file.with_file_name(name)
}

/// Opens the file without truncating it, since it names the holder.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let there = match Handle::from_path(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        there => there?,
    };
    Ok(Handle::from_file(file.try_clone()?)? == there)
}

fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    write!(file, "process {}", std::process::id())
}

fn holder(file: &mut File) -> String {
    let mut holder = String::new();
    // Where a lock also forbids reading, a failure to read means that it is held.
    let known = file.read_to_string(&mut holder).is_ok() && !holder.is_empty();
    if known {
        holder
    } else {
        "another process".to_owned()
    }
}
