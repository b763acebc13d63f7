//! When and how a model is saved.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use registry::NewFile;
use registry::snapshot;

use super::lock::Lock;
use super::{Every, Since};
use crate::CommandError;
use crate::model::Model;
use crate::table_task::TableTask;

/// The model file, and when it was written last.
#[derive(Debug)]
pub struct Saving {
    path: PathBuf,
    every: Every,
    since: Since,
    _lock: Lock,
}

impl Saving {
    /// Checks that the folder can be written to and that nobody else trains the model, and clears away what a run that was
    /// killed has left there.
    pub fn new(path: &Path, every: Every) -> Result<Self, CommandError> {
        let refused = |source| CommandError::io("write", path, source);
        if path.is_dir() {
            return Err(refused(ErrorKind::IsADirectory.into()));
        }
        let lock = Lock::take(path)?;
        NewFile::create(path).map_err(refused)?;
        NewFile::remove_unfinished(path).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            every,
            since: Since::now(0),
            _lock: lock,
        })
    }

    /// The model file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Counts rows and time from now on.
    pub fn start(&mut self, rows: u64) {
        self.since = Since::now(rows);
    }

    /// Whether a checkpoint is due after so many rows.
    pub fn is_due(&self, rows: u64) -> bool {
        self.since.is_due(self.every, rows)
    }

    /// Rows until a checkpoint is due.
    pub fn rows_left(&self, rows: u64) -> usize {
        self.since.rows_left(self.every, rows)
    }

    /// Replaces the model file.
    pub fn save<T: TableTask>(&mut self, model: &Model<T>) -> Result<(), CommandError> {
        snapshot::save(model, &self.path)?;
        self.since = Since::now(model.position().rows());
        Ok(())
    }
}
