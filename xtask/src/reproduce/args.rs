//! The command line of `cargo xtask reproduce`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::record::Scale;

/// Reproduce tables and figures of the papers, and judge what they claim.
///
/// Every finished run is a line of OUT/PAPER/ITEM/runs.jsonl and is not repeated: start again after an interruption.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to reproduce [default: everything]
    #[arg(value_name = "PAPER[/ITEM]")]
    pub items: Vec<String>,

    /// How much is run
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    pub scale: Scale,

    /// Repetitions with the seeds 0, 1, … [default: what the item's file says]
    #[arg(long, value_name = "N")]
    pub seeds: Option<NonZeroUsize>,

    /// Runs side by side, each with one thread; the results do not depend on it [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    pub data_dir: PathBuf,

    /// The folder for the records
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    pub out: PathBuf,

    /// The folder for pages, tables and pictures [default: that of --out]
    #[arg(long, value_name = "DIR")]
    pub pages: Option<PathBuf>,

    /// Show what there is, and run nothing
    #[arg(long)]
    pub list: bool,
}
