//! The description of a comparison.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::record::{Host, Record};

/// The content of `index.json`: command, host, and the files beside it. The names of fields are its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The command line.
    pub command: String,
    /// Threads to learn and predict with.
    pub threads: usize,
    /// The host it ran on.
    #[serde(flatten)]
    pub host: Host,
    /// Trees of every forest; the least if they differ.
    pub trees: usize,
    /// Repetitions.
    pub seeds: u64,
    /// Runs in `runs.jsonl`.
    pub runs: usize,
    /// Whether these are all requested runs.
    pub complete: bool,
    /// The files beside it; [`write()`](super::write()) fills this in.
    pub files: Vec<String>,
}

impl Index {
    /// Describes records of an earlier comparison; returns `None` without records.
    pub fn of(records: &[Record], command: String) -> Option<Self> {
        let seeds: BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
        let trees = records.iter().map(|record| record.asked_trees);
        let last = records.last()?;
        Some(Self {
            command,
            threads: last.threads,
            host: last.host.clone(),
            trees: trees.filter(|&trees| trees > 0).min().unwrap_or(0),
            seeds: seeds.len() as u64,
            runs: records.len(),
            complete: true,
            files: Vec::new(),
        })
    }
}
