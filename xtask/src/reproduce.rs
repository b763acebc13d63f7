//! Tables and figures of the papers, and verdicts on what they claim.
//!
//! An item (`item`) is a file in the folder of its paper. It plans runs; those that have no record are executed
//! (`record`), by named algorithms on data sets (`hold_out`) or by functions with their own code (`functions`). Pages
//! (`pages`) are made from the records alone, and so are the verdicts (`claim`).
//!
//! `xtask/experiments/README.md` documents the files of items.

mod claim;
mod function;
mod functions;
mod hold_out;
mod item;
mod pages;
mod record;
mod results;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::iter;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};
use comparison::host::{self, print_line};
use comparison::record::Host;
use comparison::{GridPart, RunLog, files, read_records, to_line};
use forest_core::threads::with_threads;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};

use function::Library;
use item::Item;
use pages::Page;
use record::{PACKED, Record, Records, Run, add};

pub(crate) use record::Scale;

/// Reproduce tables and figures of the papers, and judge what they claim.
///
/// Every finished run is a line of OUT/PAPER/ITEM.jsonl and is not repeated: start again after an interruption. The
/// page of a paper is OUT/PAPER.md; OUT/PAPER has its pictures, and runs.jsonl.gz the records that they are made of.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Request {
    /// The folder of items.
    #[arg(skip = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments"))]
    pub(crate) experiments: PathBuf,

    /// Papers or items to reproduce [default: everything]
    #[arg(value_name = "PAPER[/ITEM]")]
    pub(crate) items: Vec<String>,

    /// Scale of the runs
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    pub(crate) scale: Scale,

    /// Repetitions with the seeds 0, 1, … [default: the number in the item's file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seeds: Option<u64>,

    /// Run only part I of N: the parts are disjoint and of equal size
    #[arg(long, value_name = "I/N", default_value_t = GridPart::WHOLE, hide_default_value = true)]
    pub(crate) part: GridPart,

    /// Run nothing: import the records in these folders, such as those of parts, and write the pages
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "part")]
    pub(crate) report_from: Vec<PathBuf>,

    /// Number of runs in parallel, with one thread each; the results do not depend on it [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    pub(crate) data_dir: PathBuf,

    /// The folder for records, pages and pictures
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    pub(crate) out: PathBuf,

    /// List the items, and run nothing
    #[arg(long)]
    pub(crate) list: bool,
}

/// Runs what is missing, and writes the pages; or lists the items. Returns whether a run failed.
///
/// # Errors
/// Returns an error for items that cannot be read, files that cannot be written, and a folder that is in use.
pub(crate) fn run(request: &Request) -> Result<bool> {
    let items = item::items(&request.experiments)?;
    let asked = item::asked(&items, &request.items)?;
    if request.list {
        for item in asked {
            let claims = item.claims.len();
            println!("{:<40} {} ({claims} claims)", item.address, item.title);
        }
        return Ok(false);
    }
    let _lock = files::lock(&request.out)?;
    let mut records = known_records(request, &items, &asked)?;
    if request.report_from.is_empty() {
        let runs = missing_runs(request, &asked, &records)?;
        execute(runs, &mut records, request)?;
    }
    let mut pages = Vec::new();
    let mut failed = false;
    for item in &items {
        for scale in [Scale::Quick, Scale::Full] {
            let mut own: Vec<&Record> = records.values().collect();
            own.retain(|it| it.run.item == item.address && it.run.scale == scale);
            let is_asked = asked.iter().any(|it| it.address == item.address);
            if is_asked && scale == request.scale {
                // In the order of the plan; what is not planned any more is dropped.
                let last = own.iter().map(|it| it.run.seed).max();
                let planned = item.runs(scale, last.map_or(0, |seed| seed + 1))?;
                let known = |run: &Run| records.get(&to_line(run));
                if !planned.is_empty() {
                    own = planned.iter().filter_map(known).collect();
                }
                failed |= own.iter().any(|it| it.error.is_some());
            }
            if !own.is_empty() {
                pages.push(Page::new(item, scale, own)?);
            }
        }
    }
    for items in items.chunk_by(|one, next| one.paper() == next.paper()) {
        pages::write_paper(items, &pages, &request.out, request.scale)?;
    }
    let overview = request.out.join("README.md");
    files::write_atomically(&overview, pages::overview(&pages, request.scale).as_bytes())?;
    print_line(&format!("pages: {}", overview.display()));
    Ok(failed)
}

/// Reads the records in the folders of a request: of the pages of all items, and of the logs of those asked for.
fn known_records(request: &Request, items: &[Item], asked: &[&Item]) -> Result<Records> {
    let mut records = Records::default();
    for folder in iter::once(&request.out).chain(&request.report_from) {
        let packed = items.iter().map(|it| folder.join(it.paper()).join(PACKED));
        let logs = asked
            .iter()
            .map(|it| folder.join(format!("{}.jsonl", it.address)));
        let files: BTreeSet<PathBuf> = packed.chain(logs).collect();
        for path in files.iter().filter(|path| path.is_file()) {
            for record in read_records(path)? {
                add(&mut records, record);
            }
        }
    }
    Ok(records)
}

/// Plans the runs of a request, without those that have a record of success.
fn missing_runs(request: &Request, asked: &[&Item], records: &Records) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for item in asked {
        let seeds = request.seeds.unwrap_or(item.size(request.scale).seeds);
        let planned = item.runs(request.scale, seeds)?;
        let block = planned.iter().filter(|run| run.seed == 0).count();
        for (number, run) in planned.into_iter().enumerate() {
            let known = records.get(&to_line(&run));
            let is_missing = known.is_none_or(|record| record.error.is_some());
            if is_missing && request.part.has(number, block) {
                runs.push(run);
            }
        }
    }
    Ok(runs)
}

/// Runs in parallel, each run with one thread, which determines its result; logs each record in the file of its item.
fn execute(runs: Vec<Run>, records: &mut Records, request: &Request) -> Result<()> {
    let all = runs.len();
    let host = Host::current();
    let library = Library::new(&request.data_dir);
    let records = Mutex::new(records);
    let work = |(number, run): (usize, Run)| -> Result<()> {
        print_line(&format!("[{}/{all}] {run}", number + 1));
        let call = || functions::read(&run.call)?.rows(run.seed, run.x, &library);
        let panicked = |_| Err(anyhow!("the run panicked; see the message above"));
        let rows = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked);
        let error = rows.as_ref().err().map(|error| format!("{error:#}"));
        if let Some(error) = &error {
            print_line(&format!("{run}: {error}"));
        }
        let record = Record {
            run,
            host: host.clone(),
            rows: rows.unwrap_or_default(),
            error,
        };
        let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
        let path = request.out.join(format!("{}.jsonl", record.run.item));
        RunLog::open(&path)?.append(&record)?;
        add(&mut records, record);
        Ok(())
    };
    let runs = runs.into_iter().enumerate().par_bridge();
    let pool = ThreadPoolBuilder::new().num_threads(host::threads(request.threads));
    pool.build()?
        .install(|| runs.try_for_each(|run| with_threads(1, || work(run))?))
}
