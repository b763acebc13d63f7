//! Errors of fetching files from a server into the data folder.

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
    /// The file exists already, but the manifest does not know its checksum.
    #[error("`{}` exists, but its checksum is not in the manifest; move it away to fetch it again", path.display())]
    Different {
        /// The file.
        path: PathBuf,
    },
    /// An existing file cannot be read.
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

/// The fault of one address.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkFault {
    /// No connection, no such host, a broken certificate, or a response that is not HTTP.
    #[error("no response ({0})")]
    NoReply(String),
    /// A response other than the file.
    #[error("the server responded with status {0}")]
    Status(u16),
    /// The connection ended before the file did.
    #[error("interrupted after {got} bytes ({cause}); run the command again to resume")]
    Interrupted {
        /// Bytes that are safe in the part file.
        got: u64,
        /// The error of the connection.
        cause: String,
    },
    /// A complete file, but another one.
    #[error("the checksum of the file is not the expected one ({expected}); nothing was kept")]
    WrongChecksum {
        /// The checksums that would have been accepted.
        expected: String,
    },
}
