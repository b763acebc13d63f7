//! What can be wrong with a snapshot.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::InvariantError;
use crate::registry::AlgorithmError;

/// Why bytes are not a learner, or a learner cannot become bytes.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not start as a snapshot does.
    #[error("this is not a snapshot of an online forest: it does not start like one")]
    NotASnapshot,
    /// Another format version, most likely of a newer program.
    #[error(
        "the snapshot has format version {found}, but this program reads versions up to {newest}; \
         load it with the version of online-forests that wrote it, or update this program"
    )]
    UnknownVersion {
        /// The version found.
        found: u16,
        /// The newest version this program knows.
        newest: u16,
    },
    /// The end is missing.
    #[error(
        "the snapshot is cut off after {found} of {stated} bytes or more; \
         copy it again from where it was saved"
    )]
    Truncated {
        /// Bytes that must be there, as far as is known.
        stated: u64,
        /// Bytes found.
        found: u64,
    },
    /// Something follows the end.
    #[error(
        "the snapshot should have {stated} bytes but has {found}; \
         copy it again from where it was saved"
    )]
    TooLong {
        /// Bytes that should be there.
        stated: u64,
        /// Bytes found.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "the snapshot's checksum does not fit its contents: it was damaged after it was \
         written; copy it again from where it was saved"
    )]
    Checksum,
    /// A task or a codec that this program does not know.
    #[error("the snapshot's {what} {code} is unknown; update this program to load it")]
    Unknown {
        /// `task` or `codec`.
        what: &'static str,
        /// The code found.
        code: u8,
    },
    /// A classifier was asked for and a regressor found, or the reverse.
    #[error(
        "the snapshot holds {label} for {found}, not a learner for {expected}; \
         load it as a learner for {found}"
    )]
    WrongTask {
        /// What was found.
        label: String,
        /// The task found.
        found: &'static str,
        /// The task asked for.
        expected: &'static str,
    },
    /// Another learner was asked for.
    #[error(
        "the snapshot holds `{label}`, not {expected}; load it as what it is (`pipeline/…` as a Pipeline)"
    )]
    WrongLearner {
        /// The label found.
        label: String,
        /// What was asked for.
        expected: String,
    },
    /// The label names no algorithm of this program.
    #[error(
        "the snapshot's label: {0}; update this program if the snapshot comes from a newer one"
    )]
    Algorithm(#[from] AlgorithmError),
    /// The payload does not have the form of a learner, or a learner cannot be written: `decoded` or `encoded`, and why not.
    #[error("the snapshot's payload cannot be {0}: {1}")]
    Codec(&'static str, String),
    /// The contents contradict themselves.
    #[error("the snapshot contradicts itself: {0}")]
    Inconsistent(#[from] InvariantError),
}

/// Why a snapshot could not be saved to a file or loaded from one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
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
    /// The file was read, or would have been written, but the snapshot is not right.
    #[error("{}: {source}", path.display())]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: SnapshotError,
    },
}
