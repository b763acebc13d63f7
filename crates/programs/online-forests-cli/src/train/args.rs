//! The command line of `train`.

use std::num::NonZeroUsize;

use forest_model::{LearnOptions, MOST_ROWS};
use online_forests::Algorithm;
use online_forests::preprocessing::FeatureScaling;
use tables::{TableOptions, TargetColumn, TaskKind};

use super::part::Part;

/// What to learn, into which file, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Column to learn
    #[arg(long, value_name = "COLUMN|first|last", display_order = 0)]
    pub target: Option<TargetColumn>,

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

    /// Scaling of the features, fitted on the first rows [default: minmax, or none if some are missing values or categories]
    #[arg(long, value_enum)]
    pub scale: Option<FeatureScaling>,

    /// Maximum number of rows used to infer columns and scaling. Where an algorithm does not take missing values, one in them ends
    /// the training before it begins, unless --missing says what to do, and a later one makes a bad row [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_ROWS))]
    pub fit_rows: Option<u64>,

    /// Learn the I-th of N parts of the trees; `join` makes the forest of the models of all parts. For forests of independent
    /// trees, such as mondrian, amf and stream-rf
    #[arg(long, value_name = "I/N")]
    pub part: Option<Part>,

    /// Which table, into which file, and how.
    #[command(flatten)]
    pub learn: LearnOptions,

    /// The format of the table and what its columns become. A model that continues knows them.
    #[command(flatten)]
    pub table: TableOptions,
}
