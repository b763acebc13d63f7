//! Errors between processes, and of their checkpoints.

use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "timely")]
use std::time::Duration;

use thiserror::Error;

/// The error of a checkpoint that cannot be written, found or removed.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct CheckpointError {
    /// What was attempted.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
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

/// The reason why a run of several processes failed.
#[cfg(feature = "timely")]
#[derive(Debug, Error)]
pub enum RunError<E> {
    /// This process cannot listen at its address.
    #[error(
        "cannot listen on {address}: {source}; is the address in the list of hosts one of this machine, and free?"
    )]
    Listen {
        /// Its address in the list of hosts.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Another process was not there in time.
    #[error("process {process} ({address}) did not connect within {} s{refused}", within.as_secs_f64())]
    NotThere {
        /// Its number.
        process: usize,
        /// Its address.
        address: String,
        /// The time limit.
        within: Duration,
        /// The reason why a process, or another program, was refused meanwhile.
        refused: String,
    },
    /// A connection has ended.
    #[error("another process, or the connection to it, has ended: {reason}")]
    Lost {
        /// The panic of the connection's thread.
        reason: String,
    },
    /// No message was received, and none was sent.
    #[error("no message from the other processes for {} s: a process hangs, or a connection is down", within.as_secs_f64())]
    NoProgress {
        /// The time limit.
        within: Duration,
    },
    /// A fault of the program.
    #[error("this process failed, which is a fault of this program: {reason}")]
    Panicked {
        /// The message of the panic.
        reason: String,
    },
    /// The work of this process has failed.
    #[error(transparent)]
    Work(E),
}

#[cfg(feature = "timely")]
impl<E> RunError<E> {
    /// Returns whether starting all processes again may help: the others, or the network, have failed, and not this one.
    pub fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::NotThere { .. } | Self::Lost { .. } | Self::NoProgress { .. }
        )
    }
}
