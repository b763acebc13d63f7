//! Options of commands in several processes.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forest_model::CommandError;
use jiff::SignedDuration;

use super::error::ShardsError;
use crate::{Deadlines, Hosts};

/// The minimum length of a secret, in characters.
const FEWEST: usize = 16;

/// Where the trees are, and which processes take part.
#[derive(Clone, Debug, clap::Args)]
pub struct PlaceOptions {
    /// Distribute the trees over N processes of this machine, which this one starts and waits for
    #[arg(long, value_name = "N", conflicts_with = "hosts")]
    pub processes: Option<NonZeroUsize>,

    /// Addresses of all processes, HOST:PORT a line, in the order of their trees; the first reads the data. Connections are
    /// not encrypted: use a network of their own
    #[arg(long, value_name = "FILE", requires_all = ["process", "checkpoint_dir"])]
    pub hosts: Option<PathBuf>,

    /// Index of this process in --hosts, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,

    /// File with a secret of 16 characters or more, the same for all processes. Without it, any program that reaches a port
    /// can take the place of a process that has not started
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub secret_file: Option<PathBuf>,

    /// Folder for checkpoints, on each machine or shared [default: MODEL.checkpoints]
    #[arg(long, value_name = "DIR")]
    pub checkpoint_dir: Option<PathBuf>,

    /// Restart worker processes (or this process, with --hosts) when they are killed or stop because a peer failed
    #[arg(long)]
    pub supervise: bool,

    /// Maximum time to wait for all processes to start
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time)]
    pub start_within: Duration,

    /// Maximum time to wait for a message from another process; longer than a batch and a checkpoint take
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = time)]
    pub progress_within: Duration,
}

/// Options of `train` in several processes.
#[derive(Clone, Debug, clap::Args)]
pub struct TrainOptions {
    /// Where the trees are.
    #[command(flatten)]
    pub place: PlaceOptions,

    /// Write the prediction for each row just before it is learned, one per line
    #[arg(long, alias = "answers", value_name = "FILE")]
    pub predictions: Option<PathBuf>,
}

/// What to join.
#[derive(Clone, Debug, clap::Args)]
pub struct JoinArgs {
    /// Folders with checkpoints: one, or one of each machine
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,

    /// Model file to write; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,
}

impl TrainOptions {
    /// Returns whether training differs from that in one process.
    pub fn are_asked_for(&self) -> bool {
        self.place.are_asked_for() || self.predictions.is_some()
    }
}

impl PlaceOptions {
    /// Returns whether there may be several processes.
    pub fn are_asked_for(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Returns whether this process starts others, and does nothing itself.
    pub(super) fn is_launcher(&self) -> bool {
        self.supervise || self.processes.is_some_and(|processes| processes.get() > 1)
    }

    /// Returns the folder of the checkpoints.
    pub(super) fn folder(&self, model: &Path) -> PathBuf {
        self.checkpoint_dir.clone().unwrap_or_else(|| {
            let mut name = model.as_os_str().to_owned();
            name.push(".checkpoints");
            name.into()
        })
    }

    /// Returns the processes that take part; this process alone by default.
    pub(super) fn hosts(&self) -> Result<Hosts, CommandError> {
        let (path, text) = match &self.hosts {
            None => (Path::new("the list of hosts"), "127.0.0.1:0".to_owned()),
            Some(path) => {
                let text = fs::read_to_string(path);
                (
                    path.as_path(),
                    text.map_err(|source| CommandError::io("read", path, source))?,
                )
            }
        };
        let hosts = Hosts::parse(&text, self.process.unwrap_or(0));
        let hosts = hosts.map_err(|source| {
            let path = path.to_owned();
            ShardsError::Hosts { path, source }
        })?;
        let secret = self.secret_file.as_deref().map(secret).transpose()?;
        Ok(hosts.with_secret(secret.unwrap_or_default()))
    }

    /// Returns how long to wait for the others.
    pub(super) fn deadlines(&self) -> Deadlines {
        Deadlines {
            start: self.start_within,
            progress: self.progress_within,
        }
    }
}

/// Reads the text of a file, without blanks around it.
fn secret(path: &Path) -> Result<Vec<u8>, CommandError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|source| CommandError::io("read", path, source))?;
    let secret = text.trim();
    if secret.len() >= FEWEST {
        return Ok(secret.as_bytes().to_vec());
    }
    Err(ShardsError::Secret {
        path: path.to_owned(),
        found: secret.len(),
        fewest: FEWEST,
    }
    .into())
}

fn time(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<SignedDuration>().ok();
    parsed
        .and_then(|time| Duration::try_from(time).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time such as 30s or 10m".to_owned())
}
