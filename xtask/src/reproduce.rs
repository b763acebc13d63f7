//! `cargo xtask-all reproduce`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use comparison::{GridPart, host};
use reproduction::{Ending, Request, Scale};

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

    /// Write the rows of each data set and seed as DIR/NAME-SEED.{train,test}.csv for learners of other programs, and run nothing
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    rows: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let request = args.request();
    if args.list {
        let lines = reproduction::list(&request)?;
        lines.iter().for_each(|line| println!("{line}"));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = &args.rows {
        reproduction::write_rows(&request, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(match reproduction::run(&request)? {
        Ending::Complete => ExitCode::SUCCESS,
        Ending::RunsFailed => ExitCode::FAILURE,
    })
}

impl Args {
    fn request(&self) -> Request {
        Request {
            experiments: Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"),
            items: self.items.clone(),
            scale: self.scale,
            seeds: self.seeds.map(|seeds| seeds.get() as u64),
            part: self.part.unwrap_or_default(),
            report_from: self.report_from.clone(),
            threads: host::threads(self.threads),
            data_dir: self.data_dir.clone(),
            out: self.out.clone(),
            pages: self.pages.clone().unwrap_or_else(|| self.out.clone()),
            csv: self.csv,
        }
    }
}
