//! What can go wrong between a shell and a model.

use std::io;
use std::path::{Path, PathBuf};

use online_forests::preprocessing::{FitError, PipelineError};
use online_forests::threads::ThreadsError;
use online_forests::{
    AlgorithmError, BuildError, ExplainError, InputError, IntervalError, NoSuchTree, SettingError,
};
use registry::snapshot::SnapshotFileError;
use tables::{RowError, TableError};
use thiserror::Error;

use crate::bad_target::BadTarget;

/// Why a command ends without having done what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The table as a whole.
    #[error("{data}: {source}")]
    Table {
        /// The file, or `standard input`.
        data: String,
        /// What is wrong.
        source: TableError,
    },
    /// The input failed while it was read.
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
    /// A bad row, and the command is strict.
    #[error("line {line}: {reason}; without --strict, such rows are passed over")]
    BadRow {
        /// The line.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// A model file.
    #[error(transparent)]
    Model(#[from] SnapshotFileError),
    /// The model is there already.
    #[error(
        "{} exists; --resume goes on with an interrupted run, --update learns more rows, or remove it first",
        path.display()
    )]
    ModelExists {
        /// The model file.
        path: PathBuf,
    },
    /// Another process learns into the model.
    #[error(
        "{holder} is training {}; wait until it has ended, or end it with Ctrl-C or SIGTERM, which save what it has learned",
        path.display()
    )]
    InTraining {
        /// The model file.
        path: PathBuf,
        /// `process 1234`, or `another process` where the system does not tell.
        holder: String,
    },
    /// Two options name one file, which one of them would write.
    #[error("{option} names the same file as {first}, {}; give it another name", path.display())]
    SameFile {
        /// The option that comes first.
        first: &'static str,
        /// The other one.
        option: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The model file has several names.
    #[error(
        "{} is a file with {names} names (hard links), and a saved model would take only one of them; go on with a copy of it, or \
         make the other names symbolic links",
        path.display()
    )]
    SeveralNames {
        /// The model file.
        path: PathBuf,
        /// Names of the file.
        names: u64,
    },
    /// There is no model to update.
    #[error("--update needs a model, but {} does not exist or is no regular file", path.display())]
    NoModel {
        /// The model file.
        path: PathBuf,
    },
    /// No column was named.
    #[error("say which column to learn: --target COLUMN; columns: {columns}")]
    NoTarget {
        /// What there is.
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
    /// Too many rows are bad. What is good was learned or answered.
    #[error(
        "{bad} of {rows} rows are bad ({:.1} %), more than the {} % that --max-bad-rows allows; the others are {done}",
        100.0 * *bad as f64 / *rows as f64,
        most
    )]
    TooManyBadRows {
        /// Bad rows.
        bad: u64,
        /// All rows.
        rows: u64,
        /// Bad rows of a hundred that are allowed.
        most: f64,
        /// What was done with the others: `learned`, `answered`.
        done: &'static str,
    },
    /// The model has become as large as it may.
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
        /// Rows that the model has read.
        rows: u64,
    },
    /// An option that was decided when the model was made.
    #[error(
        "the model was made {made}, not with {asked}; leave the option out, or train another model"
    )]
    OtherSetting {
        /// `with --seed 3`, or `without --drop`.
        made: String,
        /// The option as it was given: `--seed 4`.
        asked: String,
    },
    /// An option for classifiers only, or one that needs intervals.
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
    /// `--explain` with a row that cannot be read.
    #[error("--explain {row}: {reason}")]
    ExplainedRow {
        /// The row as it was given.
        row: String,
        /// What is wrong.
        reason: String,
    },
    /// The algorithm's text.
    #[error(transparent)]
    Algorithm(#[from] AlgorithmError),
    /// The algorithm and the table do not go together.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The scaling and the learner do not go together.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The scaling.
    #[error(transparent)]
    Scale(#[from] FitError),
    /// A setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A target that cannot be learned, among the rows fitted on.
    #[error(transparent)]
    Target(#[from] BadTarget),
    /// The learner cannot take more rows.
    #[error(transparent)]
    Learner(#[from] InputError),
    /// A tree that is not there.
    #[error(transparent)]
    NoSuchTree(#[from] NoSuchTree),
    /// A point that cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// An interval.
    #[error(transparent)]
    Interval(#[from] IntervalError),
    /// What the service or the processes of a training report.
    #[error(transparent)]
    Part(Box<dyn std::error::Error + Send + Sync>),
    /// Threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

impl CommandError {
    /// What the system refused.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Io {
            action,
            path,
            source,
        }
    }

    /// What a part of the program reports that has errors of its own.
    pub fn part(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Part(Box::new(error))
    }

    /// Whether the reader of standard output has gone away, as `head` does: then there is nothing left to do.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What the system said, where the writer of CSV says that there was an error.
pub fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}
