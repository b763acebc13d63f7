//! `cargo xtask-all reproduce`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use comparison::{GridPart, host};
use reproduction::{Request, Scale};

/// Reproduce tables and figures of the papers, and judge what they claim.
///
/// Every finished run is a line of OUT/PAPER/ITEM/runs.jsonl and is not repeated: start again after an interruption.
/// The page of a paper is PAGES/PAPER.md; PAGES/PAPER has its pictures, and runs.jsonl.gz the records that they are made of.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Papers or items to reproduce [default: everything]
    #[arg(value_name = "PAPER[/ITEM]")]
    items: Vec<String>,

    /// Scale of the runs
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    scale: Scale,

    /// Repetitions with the seeds 0, 1, … [default: the number in the item's file]
    #[arg(long, value_name = "N")]
    seeds: Option<NonZeroUsize>,

    /// Run only part I of N: the parts are disjoint and of equal size
    #[arg(long, value_name = "I/N")]
    part: Option<GridPart>,

    /// Run nothing: import the records in these folders, such as those of parts, and write the pages
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "part")]
    report_from: Vec<PathBuf>,

    /// Number of runs in parallel, with one thread each; the results do not depend on it [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    data_dir: PathBuf,

    /// The folder for the records
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    out: PathBuf,

    /// The folder for pages, tables and pictures [default: that of --out]
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,

    /// Write the numbers of each page as CSV, too
    #[arg(long)]
    csv: bool,

    /// List the items, and run nothing
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let request = Request {
        experiments: Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"),
        items: args.items.clone(),
        scale: args.scale,
        seeds: args.seeds.map(|seeds| seeds.get() as u64),
        part: args.part.unwrap_or_default(),
        report_from: args.report_from.clone(),
        threads: host::threads(args.threads),
        data_dir: args.data_dir.clone(),
        out: args.out.clone(),
        pages: args.pages.clone().unwrap_or_else(|| args.out.clone()),
        csv: args.csv,
    };
    if args.list {
        for line in reproduction::list(&request)? {
            println!("{line}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let failed = reproduction::run(&request)?;
    Ok(ExitCode::from(u8::from(failed)))
}
