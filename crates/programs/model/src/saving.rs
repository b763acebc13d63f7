//! Saves a model when it is due; one training of a model at a time.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use forest_core::files::{Lock, LockError, NewFile, destination};
use forest_core::registry::snapshot;
use jiff::SignedDuration;
use thiserror::Error;

use crate::console::CommandError;
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
    /// Rows and time of the last save.
    rows: u64,
    time: Instant,
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
        let lock = Lock::beside(&file).map_err(|error| match error {
            LockError::Held(holder) => CommandError::new(format!(
                "{holder} is training {}; wait until it has ended, or end it with Ctrl-C or SIGTERM, which save what it has learned",
                path.display()
            )),
            LockError::File(source) => refused(source),
            other => refused(io::Error::other(other)),
        })?;
        NewFile::create(&file).map_err(refused)?;
        NewFile::remove_unfinished(&file).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            every,
            rows: 0,
            time: Instant::now(),
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
        (self.rows, self.time) = (rows, Instant::now());
    }

    /// Returns whether a checkpoint is due after `rows` rows; never if none came since the last one.
    pub fn is_due(&self, rows: u64) -> bool {
        match self.every {
            Every::Rows(after) => rows - self.rows >= after,
            Every::Time(after) => rows > self.rows && self.time.elapsed() >= after,
            Every::Never => false,
        }
    }

    /// Returns the number of rows until a checkpoint is due, 1 or more; unlimited if rows do not decide.
    pub fn rows_left(&self, rows: u64) -> usize {
        match self.every {
            Every::Rows(after) => {
                self.rows.saturating_add(after).saturating_sub(rows).max(1) as usize
            }
            Every::Time(_) | Every::Never => usize::MAX,
        }
    }

    /// Replaces the model file.
    pub fn save<T: TableTask>(&mut self, model: &Model<T>) -> Result<(), CommandError> {
        snapshot::save(model, &self.file)?;
        self.start(model.position().rows());
        Ok(())
    }
}

/// How often a model is saved: by rows or by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Every that many rows, 1 or more.
    Rows(u64),
    /// Every that long.
    Time(Duration),
    /// Only at the end.
    Never,
}

/// A text that is not an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a number of rows such as 5000, a time such as 30s or 10m, or never")]
pub struct NotAnInterval;

impl FromStr for Every {
    type Err = NotAnInterval;

    fn from_str(text: &str) -> Result<Self, NotAnInterval> {
        if text == "never" {
            return Ok(Self::Never);
        }
        if let Ok(rows) = text.parse() {
            return (rows > 0).then_some(Self::Rows(rows)).ok_or(NotAnInterval);
        }
        let time = text
            .parse::<SignedDuration>()
            .ok()
            .and_then(|time| Duration::try_from(time).ok());
        time.filter(|time| !time.is_zero())
            .map(Self::Time)
            .ok_or(NotAnInterval)
    }
}
