//! Tables and figures of the papers, and verdicts on what they claim.
//!
//! An item (`item`) is a file in the folder of its paper. It plans runs; those that are not in its log are executed (`runs`), by named
//! learners (`learn`) or by functions with their own code (`functions`). Pages (`pages`) are made from the records alone, and so are the
//! verdicts (`claim`).
//!
//! `cargo xtask-all reproduce` uses this crate; `xtask/experiments/README.md` documents the files of items.

mod cells;
mod chart;
mod claim;
mod functions;
mod item;
mod learn;
mod pages;
mod runs;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;
use comparison::host::{self, print_line};
use comparison::{GridPart, files};

use item::Item;
use pages::Page;
use runs::{Job, Log, Outcome, Task};

pub use runs::Scale;

/// Reproduce tables and figures of the papers, and judge what they claim.
///
/// Every finished run is a line of OUT/PAPER/ITEM/runs.jsonl and is not repeated: start again after an interruption.
/// The page of a paper is PAGES/PAPER.md; PAGES/PAPER has its pictures, and runs.jsonl.gz the records that they are made of.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// The folder of items.
    #[arg(skip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/experiments"))]
    pub experiments: PathBuf,

    /// Papers or items to reproduce [default: everything]
    #[arg(value_name = "PAPER[/ITEM]")]
    pub items: Vec<String>,

    /// Scale of the runs
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    pub scale: Scale,

    /// Repetitions with the seeds 0, 1, … [default: the number in the item's file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: Option<u64>,

    /// Run only part I of N: the parts are disjoint and of equal size
    #[arg(long, value_name = "I/N", default_value_t = GridPart::WHOLE, hide_default_value = true)]
    pub part: GridPart,

    /// Run nothing: import the records in these folders, such as those of parts, and write the pages
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "part")]
    pub report_from: Vec<PathBuf>,

    /// Number of runs in parallel, with one thread each; the results do not depend on it [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    pub data_dir: PathBuf,

    /// The folder for the records
    #[arg(long, value_name = "DIR", default_value = "results/reproduce")]
    pub out: PathBuf,

    /// The folder for pages, tables and pictures [default: that of --out]
    #[arg(
        long,
        value_name = "DIR",
        default_value = "",
        hide_default_value = true
    )]
    pub pages: PathBuf,

    /// Write the numbers of each page as CSV, too
    #[arg(long)]
    pub csv: bool,

    /// List the items, and run nothing
    #[arg(long)]
    pub list: bool,
}

/// Runs what is missing, and writes the pages; or lists the items. Returns whether a run failed.
///
/// # Errors
/// Returns an error for items that cannot be read, and files that cannot be written.
pub fn run(mut request: Request) -> Result<bool> {
    let items = item::items(&request.experiments, &request.items)?;
    if request.list {
        for item in &items {
            let (address, claims) = (item.address(), item.claims.len());
            println!("{address:<40} {} ({claims} claims)", item.title);
        }
        return Ok(false);
    }
    if request.pages.as_os_str().is_empty() {
        request.pages.clone_from(&request.out);
    }
    let request = &request;
    let mut jobs = Vec::new();
    for item in &items {
        let job = job(request, item)?;
        for (panel, reason) in &job.missing {
            let (address, reason) = (item.address(), reason.trim());
            print_line(&format!("{address}: {panel} is left out. {reason}"));
        }
        jobs.push(job);
    }
    if request.report_from.is_empty() {
        let threads = host::threads(request.threads);
        runs::run(&mut jobs, &request.data_dir, threads)?;
    }
    for (item, job) in items.iter().zip(&jobs) {
        Page::new(item, request.scale, job).write(request)?;
    }
    write_pages(request, &item::items(&request.experiments, &[])?)?;
    let overview = request.pages.join("README.md");
    print_line(&format!("pages: {}", overview.display()));
    let failed = |job: &Job| {
        let mut latest = job.tasks.iter().filter_map(|task| job.log.latest(task));
        latest.any(|record| matches!(record.outcome, Outcome::Error(_)))
    };
    Ok(jobs.iter().any(failed))
}

/// Plans the runs of an item; with `report_from`, takes over the records there, and plans what has records or could be run.
fn job(request: &Request, item: &Item) -> Result<Job> {
    let missing = item.missing(&request.data_dir);
    let mut tasks = item.tasks(request.scale, request.seeds, &missing)?;
    let mut log = Log::open_runs(&request.out, item)?;
    if request.report_from.is_empty() {
        let of_first = tasks.iter().filter(|task| task.seed == tasks[0].seed);
        let block = of_first.count();
        let mut runs = 0..;
        tasks.retain(|_| runs.next().is_some_and(|run| request.part.has(run, block)));
        return Ok(Job::new(tasks, missing, log));
    }
    for folder in &request.report_from {
        for known in [Log::open_runs(folder, item)?, Log::open_page(folder, item)?] {
            for record in known.records {
                if log.find(&record.task).is_none() {
                    log.append(record)?;
                }
            }
        }
    }
    let mut all = item.tasks(request.scale, request.seeds, &[])?;
    all.retain(|task| log.find(task).is_some() || tasks.contains(task));
    Ok(Job::new(all, missing, log))
}

/// Writes the pages of papers and the overview, of the records beside them.
fn write_pages(request: &Request, items: &[Item]) -> Result<()> {
    let scales = match request.scale {
        Scale::Quick => [Scale::Quick, Scale::Full],
        Scale::Full => [Scale::Full, Scale::Quick],
    };
    let mut jobs = [Vec::new(), Vec::new()];
    for (jobs, scale) in jobs.iter_mut().zip(scales) {
        for item in items {
            let log = Log::open_page(&request.pages, item)?;
            let tasks = log.records.iter().map(|record| record.task.clone());
            let tasks: Vec<Task> = tasks.filter(|task| task.scale == scale).collect();
            jobs.push(Job::new(tasks, item.missing(&request.data_dir), log));
        }
    }
    let both: [Vec<Page<'_>>; 2] = [0, 1].map(|at| {
        let page = |(item, job)| Page::new(item, scales[at], job);
        items.iter().zip(&jobs[at]).map(page).collect()
    });
    files::make_folder(&request.pages)?;
    let mut texts = pages::papers(&both);
    let overview = pages::overview([(scales[0], &both[0]), (scales[1], &both[1])]);
    texts.push(("README".to_owned(), overview));
    for (name, text) in texts {
        files::write_atomically(&request.pages.join(format!("{name}.md")), text.as_bytes())?;
    }
    Ok(())
}
