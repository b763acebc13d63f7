//! Saves a model, when it is due.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use registry::{Destination, NewFile, snapshot};

use crate::error::CommandError;
use crate::every::{Every, Since};
use crate::lock::{self, Lock};
use crate::model::Model;
use crate::table_task::TableTask;

/// The model file, and when it was last written.
#[derive(Debug)]
pub struct Saving {
    /// The path as it was given.
    path: PathBuf,
    destination: Destination,
    every: Every,
    since: Since,
    /// `None` for a stream, which no other training can continue.
    _lock: Option<Lock>,
}

impl Saving {
    /// Checks that the folder can be written to and that nobody else trains the model, and removes what a killed run has
    /// left there.
    pub fn new(path: &Path, every: Every) -> Result<Self, CommandError> {
        let refused = |source| CommandError::io("write", path, source);
        if path.is_dir() {
            return Err(refused(ErrorKind::IsADirectory.into()));
        }
        let destination = Destination::new(path).map_err(refused)?;
        let (lock, every) = match &destination {
            Destination::File(file) => {
                let lock = lock::take(path, file)?;
                NewFile::create(file).map_err(refused)?;
                NewFile::remove_unfinished(file).map_err(refused)?;
                (Some(lock), every)
            }
            // What is written to a stream cannot be replaced: the model is written once, at the end.
            Destination::Stream(_) => (None, Every::Never),
        };
        Ok(Self {
            path: path.to_owned(),
            destination,
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
        match &self.destination {
            Destination::File(file) => Some(file)
                .filter(|file| file.exists())
                .map(PathBuf::as_path),
            Destination::Stream(_) => None,
        }
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
        let (Destination::File(to) | Destination::Stream(to)) = &self.destination;
        snapshot::save(model, to)?;
        self.since = Since::now(model.position().rows());
        Ok(())
    }
}
