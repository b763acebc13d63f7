//! Messages between processes.

use std::ops::Range;

use forest_core::VoteSums;
use forest_model::{Position, Targets};
use serde::{Deserialize, Serialize};

/// A message through all processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Parcel {
    /// Rows of checkpoints that were committed, the newest first; each process keeps those that it has.
    Offer(Vec<u64>),
    /// All processes resume from their checkpoint after these rows.
    Checkpoint(u64),
    /// All processes resume from this model, each with its trees; `None` if the model has no shards.
    Model {
        bytes: Vec<u8>,
        parts: Vec<Range<usize>>,
    },
    /// Rows to learn.
    Rows(Box<Rows>),
    /// Each process saves its trees, after this number of rows.
    Save { rows: u64, keep_from: u64 },
    /// Rows to predict.
    Ask { features: Vec<f32>, sums: VoteSums },
    /// Nothing: shows that the process is alive.
    Idle,
}

/// A batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rows {
    pub features: Vec<f32>,
    pub targets: Targets,
    /// Names of classes that are new in these rows.
    pub classes: Vec<String>,
    /// How far the data have been read with these rows.
    pub position: Position,
    /// The votes so far, if predictions are requested.
    pub sums: Option<VoteSums>,
    /// The reason why a process must not grow any more.
    pub full: Option<String>,
}
