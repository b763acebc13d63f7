//! Errors of a service.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use forest_model::CommandError;
use thiserror::Error;

/// The reason why a service does not start, or what failed at its end.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// The learned rows could not be saved at the end.
    #[error(
        "{rows} rows that were learned since the last save are lost: {source}; {} has everything learned before",
        path.display()
    )]
    NotSaved {
        /// The model file.
        path: PathBuf,
        /// The number of rows since the last save.
        rows: u64,
        /// The reason why it could not be saved.
        source: Box<CommandError>,
    },
    /// The service could be reached from other machines without a token.
    #[error("{address} can be reached from other machines; restrict access with --token-file FILE")]
    NoToken {
        /// The address.
        address: SocketAddr,
    },
    /// The token could be guessed, or cannot be sent.
    #[error(
        "{} does not hold a token: {fewest} characters or more, without blanks, such as `openssl rand -hex 32` prints",
        path.display()
    )]
    Token {
        /// The file.
        path: PathBuf,
        /// The minimum length of a token.
        fewest: usize,
    },
    /// The address is in use, or not one of this machine.
    #[error("cannot listen on {address}: {source}; --listen 127.0.0.1:0 takes a free port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The learning thread panicked.
    #[error(
        "learning failed, which is a fault of this program; the model file is unchanged since it was last saved"
    )]
    Learning,
}

impl From<ServiceError> for CommandError {
    fn from(error: ServiceError) -> Self {
        Self::part(error)
    }
}
