//! What can go wrong with a service.

use std::io;
use std::path::PathBuf;

use forest_model::CommandError;
use thiserror::Error;

/// Why a service does not start, or what it could not do at its end.
#[derive(Debug, Error)]
pub enum ServiceError {
    /// What a service has learned could not be saved when it ended.
    #[error(
        "{rows} rows that were learned since the last save are lost: {source}; {} has all that was learned before",
        path.display()
    )]
    NotSaved {
        /// The model file.
        path: PathBuf,
        /// Rows since the last save.
        rows: u64,
        /// Why it could not be saved.
        source: Box<CommandError>,
    },
    /// Anyone who can reach this machine could ask.
    #[error("{address} can be reached from other machines: --token-file FILE says who may ask")]
    NoToken {
        /// Where to listen.
        address: String,
    },
    /// No certificate, or no key of it.
    #[error("{}: {reason}; expected a certificate and its private key as PEM", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A token that anyone could guess, or that could not be sent.
    #[error(
        "{} holds no token: {fewest} characters or more, without blanks, such as `openssl rand -hex 32` prints",
        path.display()
    )]
    Token {
        /// The file.
        path: PathBuf,
        /// Characters, at least.
        fewest: usize,
    },
    /// The address is taken, or not one of this machine.
    #[error("cannot listen on {address}: {source}; --listen 127.0.0.1:0 takes a free port")]
    Listen {
        /// Where to listen.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The thread that learns panicked.
    #[error(
        "learning failed, which is a fault of this program; the model is as it was when it was saved last"
    )]
    Learning,
}

impl From<ServiceError> for CommandError {
    fn from(error: ServiceError) -> Self {
        Self::part(error)
    }
}
