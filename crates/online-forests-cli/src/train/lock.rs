//! One training of a model at a time.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::CommandError;

/// A lock on the file `.NAME.lock` beside a model, whatever links lead to the model. The system takes it away when the process ends, however it ends: a file
/// that a killed process has left is taken over.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// It is locked for as long as it is open.
    _file: File,
}

impl Lock {
    /// Of the model that is called `model` by the user and lies in `file`, which is no link.
    ///
    /// # Errors
    /// Another process that trains this model, or a folder that cannot be written to.
    pub fn take(model: &Path, file: &Path) -> Result<Self, CommandError> {
        let path = beside(file);
        let refused = |source| CommandError::io("write", model, source);
        loop {
            let mut file = open(&path).map_err(refused)?;
            match file.try_lock() {
                // Some file systems have no locks. Models in them can be trained all the same.
                Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                    return Err(refused(error));
                }
                Err(TryLockError::WouldBlock) => return Err(in_training(model, &mut file)),
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The one who held it may have removed the file since it was opened here: then others lock another file.
            if is_at(&file, &path).map_err(refused)? {
                sign(&mut file).map_err(refused)?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    /// Removed while it is locked. A file that stays is taken over.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn beside(model: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(model.file_name().unwrap_or_default());
    name.push(".lock");
    model.with_file_name(name)
}

/// Not emptied before it is locked: it tells who holds it.
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

fn in_training(model: &Path, file: &mut File) -> CommandError {
    let mut holder = String::new();
    // Where a lock forbids to read, too, it is held by somebody.
    let known = file.read_to_string(&mut holder).is_ok() && !holder.is_empty();
    CommandError::InTraining {
        path: model.to_owned(),
        holder: match known {
            true => holder,
            false => "another process".to_owned(),
        },
    }
}
