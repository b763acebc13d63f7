//! The command line of `serve`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use forest_model::Every;
use tracing_subscriber::filter::LevelFilter;

use crate::listen::Address;
use crate::origin::AllowedOrigin;

/// Which model to serve, where, and how much at once.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`. What is learned is saved into it
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Address and port to listen on, or a socket file; port 0 takes a free one. Another address than that of this machine itself
    /// needs --token-file
    #[arg(
        long,
        value_name = "ADDRESS:PORT|unix:PATH",
        default_value = "127.0.0.1:8080"
    )]
    pub listen: Address,

    /// Certificate of the service, and those up to its authority, as PEM: connections are TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,

    /// Private key of the certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,

    /// File with a token of 16 characters or more, which requests must state: `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// File with another token, for requests that change nothing: predictions, explanations, the model's figures
    #[arg(long, value_name = "FILE", requires = "token_file")]
    pub read_token_file: Option<PathBuf>,

    /// Site whose pages may send requests, besides the service's own; behind a proxy, the one under which the page is known there
    #[arg(long, value_name = "SCHEME://HOST")]
    pub allowed_origin: Vec<AllowedOrigin>,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "30s")]
    pub checkpoint: Every,

    /// Learn nothing, and leave the model file as it is
    #[arg(long)]
    pub read_only: bool,

    /// Learn no class that the model does not have; rows of other classes are refused
    #[arg(long, conflicts_with = "read_only")]
    pub fixed_classes: bool,

    /// Load the model anew whenever another program has saved it
    #[arg(long, requires = "read_only")]
    pub follow_model: bool,

    /// Memory that learning may take: two copies of the model, and one to save it. Before it needs more, rows are learned no
    /// more, and answers go on [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of threads that learn; answers have threads of their own [default: one per core, but one]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// What is written to standard error: off, error, warn, info, debug (a line for each request), trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub log: LevelFilter,

    /// How much at once.
    #[command(flatten)]
    pub limits: Limits,
}

/// How much at once. What is beyond is refused with 413 or, for a moment, with 429.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Bytes of the body of a request
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = memory_limit::parse)]
    pub max_body: u64,

    /// Bytes of all bodies that are read, wait or are worked on, and of replies until they are read
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = memory_limit::parse)]
    pub max_bodies: u64,

    /// Rows of a request
    #[arg(long, value_name = "N", default_value = "10000")]
    pub max_rows: NonZeroUsize,

    /// Requests whose bodies have arrived and that are worked on
    #[arg(long, value_name = "N", default_value = "256")]
    pub max_requests: NonZeroUsize,

    /// Requests that wait to be learned
    #[arg(long, value_name = "N", default_value = "64")]
    pub max_waiting: NonZeroUsize,

    /// Open connections; others wait, or take the places of those that have not stated the token
    #[arg(long, value_name = "N", default_value = "1024")]
    pub max_connections: NonZeroUsize,

    /// Seconds within which a client must have sent its request, and must read on in the answer
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub patience: NonZeroU32,
}
