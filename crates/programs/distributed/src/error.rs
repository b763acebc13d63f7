//! What can go wrong between processes, and with their checkpoints.

use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "timely")]
use std::time::Duration;

use thiserror::Error;

/// Why a checkpoint cannot be written, found or removed.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct CheckpointError {
    /// What was tried.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl CheckpointError {
    pub(crate) fn new(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self {
            action,
            path,
            source,
        }
    }
}

/// Why processes do not go on together.
#[cfg(feature = "timely")]
#[derive(Debug, Error)]
pub enum RunError<E> {
    /// This process cannot take its place.
    #[error(
        "cannot listen on {address}: {source}; is the address in the list of hosts one of this machine, and free?"
    )]
    Listen {
        /// Its address in the list of hosts.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another process was not there in time.
    #[error("process {process} ({address}) was not there within {} s{refused}", within.as_secs_f64())]
    NotThere {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// The time that was given.
        within: Duration,
        /// Why a process, or another program, was refused meanwhile.
        refused: String,
    },
    /// A connection has ended.
    #[error("another process has ended, or the connection to it: {reason}")]
    Lost {
        /// What was found.
        reason: String,
    },
    /// No message has come, and none was sent.
    #[error("nothing came from the other processes for {} s: a process hangs, or a connection is down", within.as_secs_f64())]
    NoProgress {
        /// The time that was given.
        within: Duration,
    },
    /// A fault of the program.
    #[error("this process failed, which is a fault of this program: {reason}")]
    Panicked {
        /// What the panic said.
        reason: String,
    },
    /// The work of this process has failed.
    #[error(transparent)]
    Work(E),
}

#[cfg(feature = "timely")]
impl<E> RunError<E> {
    /// Whether it may go on once all processes are started again: the others, or the network, have failed, and not this one.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::NotThere { .. } | Self::Lost { .. } | Self::NoProgress { .. }
        )
    }
}
