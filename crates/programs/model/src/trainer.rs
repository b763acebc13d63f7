//! A model that learns rows, of a table or of requests, and its file: saved when due, and stopped at the memory limit.

use std::fs;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use forest_core::files::{Lock, NewFile, destination};
use forest_core::memory_limit;
use forest_core::registry::snapshot::{self, Snapshot, SnapshotFileError};
use jiff::SignedDuration;
use online_forests::OnlineLearner as _;

use crate::console::cannot;
use crate::model::Model;
use crate::shared::Writer;
use crate::task::TableTask;

/// A model file that no other process saves meanwhile.
#[derive(Debug)]
pub struct ModelFile {
    /// The path as the user wrote it.
    pub path: PathBuf,
    /// The file at the end of all links.
    file: PathBuf,
    _lock: Lock,
}

impl ModelFile {
    /// Checks that the folder can be written to and that no other process trains the model, and removes what a killed
    /// run has left there.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or is locked.
    pub fn lock(path: &Path) -> anyhow::Result<Self> {
        let refused = |source| cannot("write", path, source);
        if path.is_dir() {
            return Err(refused(ErrorKind::IsADirectory.into()));
        }
        let file = destination(path).map_err(refused)?;
        let lock = Lock::beside(&file).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => anyhow!(
                "{error} is training {}; wait until it ends, or end it with Ctrl-C or SIGTERM, which save the model",
                path.display()
            ),
            _ => refused(error),
        })?;
        NewFile::create(&file).map_err(refused)?;
        NewFile::remove_unfinished(&file).map_err(refused)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            _lock: lock,
        })
    }

    /// Returns whether there is a model.
    pub fn exists(&self) -> bool {
        self.file.exists()
    }

    /// Replaces the model.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; then the old one stays.
    pub fn save(&self, model: &impl Snapshot) -> Result<(), SnapshotFileError> {
        snapshot::save(model, &self.file)
    }
}

/// The interval at which a model is saved: a number of rows, or a time.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointInterval {
    rows: u64,
    time: Duration,
}

impl FromStr for CheckpointInterval {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let never = Self {
            rows: u64::MAX,
            time: Duration::MAX,
        };
        if text == "never" {
            return Ok(never);
        }
        match (text.parse(), text.parse::<SignedDuration>()) {
            (Ok(rows @ 1..), _) => Ok(Self { rows, ..never }),
            (Err(_), Ok(time)) if time.is_positive() => {
                let time = time.unsigned_abs();
                Ok(Self { time, ..never })
            }
            _ => Err("expected a number of rows such as 5000, a time such as 30s or 10m, or never"),
        }
    }
}

/// What a [`Trainer`] trains: a model, or two copies of it, of which one is read meanwhile.
pub trait Trainee {
    /// The task that is learned.
    type Task: TableTask;

    /// Returns the model after the rows that were learned.
    fn model(&self) -> impl Deref<Target = Model<Self::Task>>;

    /// Returns the bytes that are in use, where one copy takes `bytes`.
    fn in_use(&self, bytes: u64) -> u64;
}

/// The model of a program that does nothing else: all that the process holds counts.
impl<T: TableTask> Trainee for Model<T> {
    type Task = T;

    fn model(&self) -> impl Deref<Target = Self> {
        self
    }

    fn in_use(&self, bytes: u64) -> u64 {
        resident_bytes().max(bytes)
    }
}

/// A model that is read meanwhile. Requests take memory as well, for a while: only its two copies count.
impl<T: TableTask> Trainee for Writer<Model<T>> {
    type Task = T;

    fn model(&self) -> impl Deref<Target = Model<T>> {
        self.reader().model()
    }

    fn in_use(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(2)
    }
}

/// Returns the memory of this process in bytes; 0 if the system does not report it (Linux does).
pub fn resident_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The number of rows between two measurements of a model.
const ROWS: u64 = 1000;

/// A model that learns rows, and the file into which it is saved.
#[derive(Debug)]
pub struct Trainer<M> {
    /// The model that learns.
    pub model: M,
    /// The model file.
    pub file: ModelFile,
    interval: CheckpointInterval,
    /// The number of rows read when the model was saved, and the time.
    saved_rows: u64,
    saved_at: Instant,
    limit: Option<u64>,
    /// The number of rows learned when memory was last measured.
    measured: Option<u64>,
    /// Why the model must not grow any more.
    full: Option<String>,
}

impl<M: Trainee> Trainer<M> {
    /// Begins to train a model that is saved at this interval and takes at most this memory, by default a share of what
    /// is free now.
    pub fn new(
        model: M,
        file: ModelFile,
        interval: CheckpointInterval,
        max_memory: Option<u64>,
    ) -> Self {
        let saved_rows = model.model().position.rows();
        Self {
            saved_rows,
            saved_at: Instant::now(),
            limit: memory_limit::or_default(max_memory),
            measured: None,
            full: None,
            model,
            file,
            interval,
        }
    }

    /// Returns the number of rows read since the model was saved.
    pub fn unsaved(&self) -> u64 {
        self.model.model().position.rows() - self.saved_rows
    }

    /// Returns the number of rows until the model is due to be saved, 1 or more.
    pub fn rows_left(&self) -> usize {
        self.interval.rows.saturating_sub(self.unsaved()).max(1) as usize
    }

    /// Returns whether the model is due to be saved; never if no row came since it was.
    pub fn is_due(&self) -> bool {
        let unsaved = self.unsaved();
        unsaved > 0
            && (unsaved >= self.interval.rows || self.saved_at.elapsed() >= self.interval.time)
    }

    /// Saves the model.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; then the file has what was saved before.
    pub fn save(&mut self) -> Result<(), SnapshotFileError> {
        let model = self.model.model();
        self.file.save(&*model)?;
        self.saved_rows = model.position.rows();
        self.saved_at = Instant::now();
        Ok(())
    }

    /// Checks that more rows leave enough memory to save the model. It is measured now and then, and each time while it
    /// is too large.
    ///
    /// # Errors
    /// Returns the reason why the model must not grow any more.
    pub fn check_memory(&mut self) -> Result<(), String> {
        let Some(limit) = self.limit else {
            return Ok(());
        };
        let model = self.model.model();
        let rows = model.samples_seen();
        let is_measured = self.measured.is_some_and(|at| rows.abs_diff(at) < ROWS);
        if !is_measured || self.full.is_some() {
            self.measured = Some(rows);
            let bytes = model.footprint().bytes as u64;
            let in_use = self.model.in_use(bytes);
            // What is saved, and an eighth of everything, by which arrays grow at a time.
            let needed = in_use.saturating_add(bytes).saturating_add(in_use / 8);
            self.full = (needed > limit).then(|| {
                let [in_use, bytes, limit] = [in_use, bytes, limit].map(indicatif::BinaryBytes);
                format!(
                    "{in_use} of memory are in use, and saving the model takes {bytes} more: more rows could take \
                     more than --max-memory allows ({limit}); learners that keep a bounded part of a stream have a \
                     parameter for it, such as mondrian:max_nodes=N and mondrian:window=N"
                )
            });
        }
        self.full.clone().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_of_rows_or_of_time() {
        for (text, rows, time) in [
            ("5000", 5000, Duration::MAX),
            ("90s", u64::MAX, Duration::from_secs(90)),
            ("never", u64::MAX, Duration::MAX),
        ] {
            let interval: CheckpointInterval = text.parse().unwrap();
            assert_eq!((interval.rows, interval.time), (rows, time), "{text}");
        }
        for text in ["0", "0s", "-1m", "often", ""] {
            assert!(text.parse::<CheckpointInterval>().is_err(), "{text}");
        }
    }
}
