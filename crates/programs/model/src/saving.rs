//! Saves a model, when it is due.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use forest_core::files::Lock;
use forest_core::files::{NewFile, destination};
use forest_core::registry::snapshot;

use crate::error::CommandError;
use crate::every::{Every, Since};
use crate::lock;
use crate::model::Model;
use crate::table_task::TableTask;

/// The model file, and when it was last written.
#[derive(Debug)]
pub struct Saving {
    /// The path as it was given.
    path: PathBuf,
    /// The file at the end of all links.
    file: PathBuf,
    every: Every,
    since: Since,
    _lock: Lock,
}

impl Saving {
    /// Checks that the folder can be written to and that nobody else trains the model, and removes what a killed run has
    /// left there.
    pub fn new(path: &Path, every: Every) -> Result<Self, CommandError> {
        let refused = |source| CommandError::io("write", path, source);
        if path.is_dir() {
            return Err(refused(ErrorKind::IsADirectory.into()));
        }
        let file = destination(path).map_err(refused)?;
        let lock = lock::take(path, &file)?;
        NewFile::create(&file).map_err(refused)?;
        NewFile::remove_unfinished(&file).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            every,
            since: Since::now(0),
            _lock: lock,
        })
    }

    /// Returns the model file, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the model file itself, at the end of all links, if it exists.
    pub fn model(&self) -> Option<&Path> {
        Some(self.file.as_path()).filter(|file| file.exists())
    }

    /// Counts rows and time from now on.
    pub fn start(&mut self, rows: u64) {
        self.since = Since::now(rows);
    }

    /// Returns whether a checkpoint is due after `rows` rows.
    pub fn is_due(&self, rows: u64) -> bool {
        self.since.is_due(self.every, rows)
    }

    /// Returns the number of rows until a checkpoint is due.
    pub fn rows_left(&self, rows: u64) -> usize {
        self.since.rows_left(self.every, rows)
    }

    /// Replaces the model file.
    pub fn save<T: TableTask>(&mut self, model: &Model<T>) -> Result<(), CommandError> {
        snapshot::save(model, &self.file)?;
        self.since = Since::now(model.position().rows());
        Ok(())
    }
}
