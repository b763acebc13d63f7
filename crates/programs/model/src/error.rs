//! Errors of commands and of model files.

use std::io;
use std::path::{Path, PathBuf};

use forest_core::registry::snapshot::SnapshotFileError;
use online_forests::preprocessing::{FitError, PipelineError};
use online_forests::threads::ThreadsError;
use online_forests::{
    AlgorithmError, BuildError, ExplainError, InputError, IntervalError, NoSuchTree, SettingError,
};
use tables::{RowError, TableError};
use thiserror::Error;

use crate::bad_target::BadTarget;

/// The reason why a command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// An operation of the file system failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The table as a whole is invalid.
    #[error("{data}: {source}")]
    Table {
        /// The file, or `standard input`.
        data: String,
        /// What is wrong.
        source: TableError,
    },
    /// Reading the input failed.
    #[error("{data}, {source}")]
    Input {
        /// The file, or `standard input`.
        data: String,
        /// What is wrong.
        source: RowError,
    },
    /// The reader panicked.
    #[error(
        "{data}: the reader failed, which is a fault of this program; nothing after the last checkpoint was kept"
    )]
    Reader {
        /// The file, or `standard input`.
        data: String,
    },
    /// A row is bad and the command is strict.
    #[error("line {line}: {reason}; without --strict, such rows are skipped")]
    BadRow {
        /// The line.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The model file cannot be used.
    #[error(transparent)]
    Model(Box<SnapshotFileError>),
    /// The model exists already.
    #[error(
        "{} exists; continue an interrupted run with --resume, learn more rows with --update, or remove it first",
        path.display()
    )]
    ModelExists {
        /// The model file.
        path: PathBuf,
    },
    /// Another process trains the model.
    #[error(
        "{holder} is training {}; wait until it has ended, or end it with Ctrl-C or SIGTERM, which save what it has learned",
        path.display()
    )]
    InTraining {
        /// The model file.
        path: PathBuf,
        /// `process 1234`, or `another process` if the system does not report it.
        holder: String,
    },
    /// The output is a file that is read.
    #[error("--out names the same file as {option}, {}; give it another name", path.display())]
    SameFile {
        /// The other option.
        option: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// `--update` was given without a model.
    #[error("--update needs a model, but {} does not exist or is not a regular file", path.display())]
    NoModel {
        /// The model file.
        path: PathBuf,
    },
    /// No target column was named.
    #[error("no target column was given; use --target COLUMN with one of: {columns}")]
    NoTarget {
        /// The columns of the table.
        columns: String,
    },
    /// No row was learned.
    #[error("no row of {data} could be learned, so nothing is saved{reason}")]
    NothingLearned {
        /// The file, or `standard input`.
        data: String,
        /// `: 3 bad rows`, the first reason, or nothing.
        reason: String,
    },
    /// Too many rows are bad. The others were learned or predicted.
    #[error(
        "{bad} of {rows} rows are bad ({:.1} %), more than --max-bad-rows {most} allows; the others are {done}",
        100.0 * *bad as f64 / *rows as f64
    )]
    TooManyBadRows {
        /// The number of bad rows.
        bad: u64,
        /// The number of all rows.
        rows: u64,
        /// The share of bad rows that is allowed.
        most: f64,
        /// What was done with the others: `learned`, `predicted`.
        done: &'static str,
    },
    /// The model has reached its memory limit.
    #[error("{reason}")]
    Memory {
        /// How large it is, and what to do.
        reason: String,
    },
    /// The data are not those of the interrupted run.
    #[error(
        "the first {rows} rows of {data} are not those that the model has learned; --resume needs the same data, and --update \
         learns other rows"
    )]
    OtherData {
        /// The file, or `standard input`.
        data: String,
        /// The number of rows that the model has read.
        rows: u64,
    },
    /// An option contradicts the one that the model was made with.
    #[error(
        "the model was made {made}, not with {asked}; leave the option out, or train another model"
    )]
    OtherSetting {
        /// `with --seed 3`, or `without --drop`.
        made: String,
        /// The option as it was given: `--seed 4`.
        asked: String,
    },
    /// An option is for classifiers only, or needs intervals.
    #[error("{option} needs {needs}, but this is {label} for {task}")]
    Unsupported {
        /// The option.
        option: &'static str,
        /// What it needs.
        needs: &'static str,
        /// The learner.
        label: String,
        /// Its task.
        task: &'static str,
    },
    /// A part of a forest cannot be made, or does not fit the others.
    #[error("{part}: {reason}")]
    OtherPart {
        /// `--part 6/6`, or the model file.
        part: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The row of `--explain` cannot be read.
    #[error("--explain {row}: {reason}")]
    ExplainedRow {
        /// The row as it was given.
        row: String,
        /// What is wrong.
        reason: String,
    },
    /// The text of the algorithm is invalid.
    #[error(transparent)]
    Algorithm(#[from] AlgorithmError),
    /// The algorithm does not fit the table.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The scaling does not fit the learner.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The scaling is invalid.
    #[error(transparent)]
    Scale(#[from] FitError),
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A target among the rows fitted on cannot be learned.
    #[error(transparent)]
    Target(#[from] BadTarget),
    /// The learner cannot take more rows.
    #[error(transparent)]
    Learner(#[from] InputError),
    /// The requested tree does not exist.
    #[error(transparent)]
    NoSuchTree(#[from] NoSuchTree),
    /// The prediction for a point cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The learner has no such interval.
    #[error(transparent)]
    Interval(#[from] IntervalError),
    /// An error of the service.
    #[error(transparent)]
    Part(Box<dyn std::error::Error + Send + Sync>),
    /// Threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Boxed: it is larger than all others, and every function of a command returns them.
impl From<SnapshotFileError> for CommandError {
    fn from(error: SnapshotFileError) -> Self {
        Self::Model(Box::new(error))
    }
}

impl CommandError {
    /// Wraps an error of the file system.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Io {
            action,
            path,
            source,
        }
    }

    /// Wraps an error of a part of the program that has error types of its own.
    pub fn part(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Part(Box::new(error))
    }

    /// Returns whether the reader of standard output has closed it, as `head` does: then nothing is left to do.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
