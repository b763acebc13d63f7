//! What can go wrong between a server and the data folder.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::readers::ReadError;

/// A file could not be fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// An address did not deliver the file.
    #[error("{url}: {fault}")]
    Network {
        /// The address.
        url: String,
        /// What happened.
        fault: NetworkFault,
    },
    /// No address delivered the file.
    #[error("`{file}` could not be fetched from any address:\n{faults}")]
    EveryAddress {
        /// The file.
        file: String,
        /// One line per address.
        faults: String,
    },
    /// The file exists only as something derived by hand.
    #[error("`{file}` is not published in this form; make it from: {origin}; and put it into `{}`", folder.display())]
    NotPublished {
        /// The file.
        file: String,
        /// Where it belongs.
        folder: PathBuf,
        /// What it was made from.
        origin: String,
    },
    /// The file is there already, but the manifest does not know its checksum.
    #[error("`{}` is there, but its checksum is not the manifest's; move it away to fetch it again", path.display())]
    Different {
        /// The file.
        path: PathBuf,
    },
    /// A file that is there cannot be read.
    #[error(transparent)]
    Unreadable(ReadError),
    /// The operating system refused to write.
    #[error("`{}` cannot be written: {cause}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl FetchError {
    pub(super) fn disk(path: &Path, cause: io::Error) -> Self {
        FetchError::Disk {
            path: path.to_owned(),
            cause,
        }
    }
}

/// What one address did instead of delivering.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkFault {
    /// No connection, no such host, a broken certificate, an answer that is no HTTP.
    #[error("no answer ({0})")]
    NoAnswer(String),
    /// An answer other than the file.
    #[error("the server answers with status {0}")]
    Status(u16),
    /// The connection ended before the file did.
    #[error("interrupted after {got} bytes ({cause}); run the command again to go on from there")]
    Interrupted {
        /// Bytes that are safe in the part file.
        got: u64,
        /// What the connection said.
        cause: String,
    },
    /// A complete file, but another one.
    #[error("the file has another checksum than the manifest ({expected}); nothing was kept")]
    WrongChecksum {
        /// The checksums that would have been accepted.
        expected: String,
    },
}
