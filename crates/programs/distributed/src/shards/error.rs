//! Errors of training and prediction in several processes.

use std::convert::Infallible;
use std::path::PathBuf;

use forest_core::JoinError;
use forest_model::CommandError;
use thiserror::Error;

use crate::{CheckpointError, HostsError, RunError};

/// The reason why training or prediction in several processes failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// A checkpoint cannot be written, found or removed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The list of hosts is invalid.
    #[error("{}: {source}", path.display())]
    Hosts {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        source: HostsError,
    },
    /// The secret is too short.
    #[error(
        "{} holds {found} characters; a secret has {fewest} or more, such as `openssl rand -hex 32` prints",
        path.display()
    )]
    Secret {
        /// The file.
        path: PathBuf,
        /// Its length, without blanks around it.
        found: usize,
        /// The minimum length.
        fewest: usize,
    },
    /// The run of the processes has failed.
    #[error(transparent)]
    Run(RunError<Infallible>),
    /// The folder has checkpoints already.
    #[error(
        "there are checkpoints in {}, the last after {rows} rows; resume from it with --resume, or remove the folder first",
        folder.display()
    )]
    CheckpointsExist {
        /// The folder.
        folder: PathBuf,
        /// Rows of the last one.
        rows: u64,
    },
    /// No checkpoint is complete in all processes.
    #[error(
        "no checkpoint in {} is complete in all processes; resume from a model file, with another folder for checkpoints",
        folder.display()
    )]
    NoCheckpoint {
        /// The folder.
        folder: PathBuf,
    },
    /// Other processes have come further.
    #[error(
        "{shards} processes have a checkpoint after {rows} rows in {}, more than those of {processes} processes; first \
         `join` it into the --model of this training",
        folder.display()
    )]
    Further {
        /// The folder.
        folder: PathBuf,
        /// Rows of the checkpoint.
        rows: u64,
        /// The number of its shards.
        shards: usize,
        /// The number of processes now.
        processes: usize,
    },
    /// No checkpoint can be joined.
    #[error("no checkpoint in {folders}{reason}")]
    NothingToJoin {
        /// The folders.
        folders: String,
        /// The reason why what was found cannot be used.
        reason: String,
    },
    /// The snapshots are not of one run.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The model that was sent is invalid.
    #[error("the model that the first process has sent is invalid: {0}")]
    Sent(registry::snapshot::SnapshotError),
    /// The snapshot is of another task or learner than the messages.
    #[error(
        "this process has a different model from the first one; use a separate --checkpoint-dir for each run"
    )]
    OtherModel,
    /// There are fewer trees or parts than processes.
    #[error(
        "this learner can be distributed over {trees} processes at most, not {processes}: each needs a tree, or a part"
    )]
    TooManyProcesses {
        /// The number of trees, or of parts that learn rows of their own.
        trees: usize,
        /// The number of processes.
        processes: usize,
    },
    /// The option works in one process only.
    #[error("{option} works in one process only: {reason}")]
    OneProcessOnly {
        /// The option.
        option: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// The file of predictions has become shorter than it was.
    #[error("{} has {bytes} bytes, fewer than the {expected} that were written before the checkpoint", path.display())]
    PredictionsLost {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        bytes: u64,
        /// Bytes at the checkpoint.
        expected: u64,
    },
    /// A process has ended too often without progress.
    #[error("the processes were started {times} times without progress; the last time, {reason}")]
    NoProgress {
        /// The number of starts.
        times: usize,
        /// The reason of the last failure.
        reason: String,
    },
}

impl From<RunError<CommandError>> for ShardsError {
    fn from(error: RunError<CommandError>) -> Self {
        Self::Run(match error {
            RunError::Listen { address, source } => RunError::Listen { address, source },
            RunError::NotThere {
                process,
                address,
                within,
                refused,
            } => RunError::NotThere {
                process,
                address,
                within,
                refused,
            },
            RunError::Lost { reason } => RunError::Lost { reason },
            RunError::NoProgress { within } => RunError::NoProgress { within },
            RunError::Panicked { reason } => RunError::Panicked { reason },
            RunError::Work(error) => RunError::Panicked {
                reason: error.to_string(),
            },
        })
    }
}

impl From<ShardsError> for CommandError {
    fn from(error: ShardsError) -> Self {
        Self::part(error)
    }
}

impl From<CheckpointError> for CommandError {
    fn from(error: CheckpointError) -> Self {
        Self::part(error)
    }
}
