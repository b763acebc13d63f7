//! What can go wrong between processes.

use std::convert::Infallible;
use std::path::PathBuf;

use forest_core::JoinError;
use forest_model::CommandError;
use thiserror::Error;

use crate::{CheckpointError, HostsError, RunError};

/// Why processes do not go on together.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// Checkpoints.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The list of hosts.
    #[error("{}: {source}", path.display())]
    Hosts {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        source: HostsError,
    },
    /// A secret that anybody could guess.
    #[error(
        "{} holds {found} characters; a secret has {fewest} or more, such as `openssl rand -hex 32` prints",
        path.display()
    )]
    Secret {
        /// The file.
        path: PathBuf,
        /// Its characters, without blanks around them.
        found: usize,
        /// Characters, at least.
        fewest: usize,
    },
    /// The processes are not connected.
    #[error(transparent)]
    Run(RunError<Infallible>),
    /// There are checkpoints already.
    #[error(
        "there are checkpoints in {}, the last after {rows} rows; --resume goes on from there, or remove the folder first",
        folder.display()
    )]
    CheckpointsExist {
        /// The folder.
        folder: PathBuf,
        /// Rows of the last one.
        rows: u64,
    },
    /// No checkpoint is whole everywhere.
    #[error(
        "none of the checkpoints in {} is there and whole in all processes; go on with a model file and another folder",
        folder.display()
    )]
    NoCheckpoint {
        /// The folder.
        folder: PathBuf,
    },
    /// Other processes have come further.
    #[error(
        "{shards} processes have a checkpoint after {rows} rows in {}, which is further than what {processes} processes would \
         go on from; `join` it first, into the --model of this training",
        folder.display()
    )]
    Further {
        /// The folder.
        folder: PathBuf,
        /// Rows of the checkpoint.
        rows: u64,
        /// Shards that it has.
        shards: usize,
        /// Processes now.
        processes: usize,
    },
    /// Nothing to join.
    #[error("there is no checkpoint in {folders}{reason}")]
    NothingToJoin {
        /// The folders.
        folders: String,
        /// Why what is there cannot be used.
        reason: String,
    },
    /// Snapshots that are not of one run.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A model that was sent.
    #[error("the model that the first process has sent: {0}")]
    Sent(registry::snapshot::SnapshotError),
    /// A snapshot of another task or learner than the messages.
    #[error(
        "this process has another model than the first one; give each run a --checkpoint-dir of its own"
    )]
    OtherModel,
    /// Fewer trees or parts than processes.
    #[error(
        "this learner can be shared out among {trees} processes at most, not {processes}: each needs a tree, or a part"
    )]
    TooManyProcesses {
        /// Trees, or parts that learn rows of their own.
        trees: usize,
        /// Processes.
        processes: usize,
    },
    /// What can be done in one process only.
    #[error("{option} is for one process alone: {reason}")]
    OneProcessOnly {
        /// The option.
        option: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// The file of answers has become shorter than it was.
    #[error("{} has {bytes} bytes, fewer than the {expected} that were written before the checkpoint", path.display())]
    AnswersLost {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        bytes: u64,
        /// Bytes at the checkpoint.
        expected: u64,
    },
    /// A process has ended too often without having come further.
    #[error(
        "the processes were started {times} times without coming further; the last time, {reason}"
    )]
    NoProgress {
        /// How often.
        times: usize,
        /// Why the last time.
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
