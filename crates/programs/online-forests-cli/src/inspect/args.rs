//! The command line of `inspect`.

use std::path::PathBuf;

use clap::ValueEnum;

/// What to show of which model.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Print one tree, counted from 0
    #[arg(long, value_name = "I")]
    pub tree: Option<usize>,

    /// Format of the tree [default: text]
    #[arg(long, value_enum, requires = "tree")]
    pub format: Option<TreeFormat>,

    /// Maximum depth of the nodes printed
    #[arg(long, value_name = "N", requires = "tree")]
    pub depth: Option<usize>,

    /// Print the prediction for a row, and the path of the row through a tree (--tree, else the first)
    #[arg(long, value_name = "COLUMN=VALUE,…")]
    pub explain: Option<String>,
}

/// The format of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// A line per node.
    Text,
    /// An object with a list of nodes.
    Json,
    /// For Graphviz.
    Dot,
}
