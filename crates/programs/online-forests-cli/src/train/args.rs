//! Options of `train`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use forest_model::{BadRowOptions, CheckpointInterval};
use online_forests::Algorithm;
use online_forests::preprocessing::FeatureScaling;
use tables::{TableOptions, TaskKind};

use crate::join::PartNumber;

/// The most rows that may be held at once; more would only take memory.
const MOST_ROWS: u64 = 1_000_000;

/// The number of rows that columns and scale are fitted on.
pub(super) const FIT_ROWS: u64 = 10_000;

/// What to learn, into which file, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Column to learn
    #[arg(long, value_name = "COLUMN|first|last", display_order = 0)]
    pub target: Option<String>,

    /// Algorithm and its parameters; the command `algorithms` lists all [default: residual-forest]
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]")]
    pub algorithm: Option<Algorithm>,

    /// Number of trees [default: 100 of residual-forest and dynamic-extra-trees, 10 of the others]
    #[arg(long, value_name = "N")]
    pub trees: Option<NonZeroUsize>,

    /// Seed of the random numbers [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Task [default: inferred from the values of the target]
    #[arg(long, value_name = "classify|regress")]
    pub task: Option<TaskKind>,

    /// Scaling of the features, fitted on the first rows [default: minmax, or none if some are missing values or
    /// categories]
    #[arg(long, value_enum)]
    pub scale: Option<FeatureScaling>,

    /// Maximum number of rows used to infer columns and scaling. Where an algorithm does not take missing values, one
    /// in them ends the training before it begins, unless --missing says what to do, and a later one makes a bad row
    /// [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub fit_rows: Option<u64>,

    /// Learn the I-th of N parts of the trees; `join` makes the forest of the models of all parts. For forests of
    /// independent trees, such as mondrian, amf and stream-rf
    #[arg(long, value_name = "I/N")]
    pub part: Option<PartNumber>,

    /// Table to learn: a file, or `-` for standard input
    #[arg(long, value_name = "FILE|-", display_order = 0)]
    pub data: PathBuf,

    /// Model file to write
    #[arg(long, value_name = "FILE", display_order = 0)]
    pub model: PathBuf,

    /// Maximum number of rows learned in one batch. The model does not depend on it
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub batch: u64,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "1m")]
    pub checkpoint: CheckpointInterval,

    /// Continue an interrupted run: skip the rows of the same data that MODEL has learned. The options of the table and
    /// the settings are those of the model. Without a model, a new run starts
    #[arg(long)]
    pub resume: bool,

    /// Learn more rows into an existing model, with its columns and settings
    #[arg(long, conflicts_with = "resume")]
    pub update: bool,

    /// Wait for more rows at the end of the file, until Ctrl-C, SIGTERM or SIGHUP, which save the model. For files that
    /// are rotated, use `tail -F FILE | online-forests train --data -`
    #[arg(long)]
    pub follow: bool,

    /// How bad rows are handled.
    #[command(flatten)]
    pub bad_rows: BadRowOptions,

    /// Memory limit of the program, with what it takes to save the model. Before it would be exceeded, training saves
    /// the model and exits with code 1 [default: 80 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The format of the table and what its columns become. A model that continues knows them.
    #[command(flatten)]
    pub table: TableOptions,
}
