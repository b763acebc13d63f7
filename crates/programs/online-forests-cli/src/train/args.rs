//! The command line of `train`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use online_forests::preprocessing::FeatureScaling;
use tables::TargetColumn;

use super::Every;
use crate::bad_rows::BadRowOptions;
use crate::input::{Address, GivenOptions};
use crate::{Algorithm, TaskKind};

/// Rows that may be held at once; more would only take memory.
const MOST_ROWS: u64 = 1_000_000;

/// What to learn, into which file, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Table to learn: a file, or `-` for standard input
    #[arg(long, value_name = "FILE|-")]
    pub data: Address,

    /// Column to learn
    #[arg(long, value_name = "COLUMN|first|last")]
    pub target: Option<TargetColumn>,

    /// Model file to write
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Algorithm and its parameters [default: mondrian]
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]")]
    pub algorithm: Option<Algorithm>,

    /// Number of trees [default: 10]
    #[arg(long, value_name = "N")]
    pub trees: Option<NonZeroUsize>,

    /// Seed of the random numbers [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Task [default: inferred from the values of the target]
    #[arg(long, value_name = "classify|regress")]
    pub task: Option<TaskKind>,

    /// Scaling of the features, fitted on the first rows [default: minmax]
    #[arg(long, value_enum)]
    pub scale: Option<FeatureScaling>,

    /// Maximum number of rows used to infer columns and scaling. A gap in them ends the training before it begins, unless
    /// --missing says what to do; a later gap makes a bad row [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub fit_rows: Option<u64>,

    /// Maximum number of rows learned in one batch. The model does not depend on it
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub batch: u64,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "1m")]
    pub checkpoint: Every,

    /// Continue an interrupted run: skip the rows of the same data that MODEL has learned. The options of the table and the
    /// settings are those of the model. Without a model, a new run starts
    #[arg(long)]
    pub resume: bool,

    /// Learn more rows into an existing model, with its columns and settings
    #[arg(long, conflicts_with = "resume")]
    pub update: bool,

    /// Wait for more rows at the end of the file, until Ctrl-C, SIGTERM or SIGHUP, which save the model. A file that takes its
    /// place, or is written anew, is read from its start
    #[arg(long)]
    pub follow: bool,

    /// What to do with rows that cannot be read.
    #[command(flatten)]
    pub bad_rows: BadRowOptions,

    /// Memory that training may take: the model, and as much again to save it. Before it needs more, training ends with exit
    /// code 1 and saves what was learned [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// In which processes the trees are.
    #[cfg(feature = "distributed")]
    #[command(flatten)]
    pub shards: crate::shards::TrainOptions,

    /// How the table is written and what its columns become. A model that goes on knows them.
    #[command(flatten)]
    pub table: GivenOptions,
}
