//! Options of `serve`.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use forest_model::CheckpointInterval;
use tracing_subscriber::filter::LevelFilter;

/// Which model to serve, where, and how much at once.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`. What is learned is saved into it
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Address and port to listen on; port 0 takes a free one. An address other than that of this machine itself needs
    /// --token-file
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// File with a token of 16 characters or more, which requests must send: `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "30s")]
    pub checkpoint: CheckpointInterval,

    /// Learn nothing, and leave the model file unchanged
    #[arg(long)]
    pub read_only: bool,

    /// Reload the model whenever another program has saved it
    #[arg(long, requires = "read_only")]
    pub follow_model: bool,

    /// Memory limit for learning (two copies of the model, plus one while saving). When it would be exceeded, rows are
    /// refused, but predictions continue [default: 80 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of learning threads; predictions use separate threads [default: one less than the number of cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Level of messages on standard error: off, error, warn, info, debug (a line for each request), trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub log: LevelFilter,

    /// Limits.
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits of the service. Requests that exceed them are refused with 413 or, temporarily, with 429.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum number of bytes in the body of a request
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = forest_core::memory_limit::parse)]
    pub max_body: u64,

    /// Maximum number of bytes of the predictions in a reply
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = forest_core::memory_limit::parse)]
    pub max_reply: u64,

    /// Maximum number of rows in a request
    #[arg(long, value_name = "N", default_value = "10000")]
    pub max_rows: NonZeroUsize,

    /// Maximum number of requests at a time, until their replies are read
    #[arg(long, value_name = "N", default_value = "256")]
    pub max_requests: NonZeroUsize,

    /// Maximum number of requests that wait to be learned
    #[arg(long, value_name = "N", default_value = "64")]
    pub max_waiting: NonZeroUsize,

    /// Maximum number of open connections; others wait
    #[arg(long, value_name = "N", default_value = "1024")]
    pub max_connections: NonZeroUsize,

    /// Maximum time for a client to send its request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub patience: NonZeroU32,
}
