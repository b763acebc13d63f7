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

use std::path::PathBuf;

use anyhow::Result;
use comparison::host::print_line;
use comparison::{GridPart, files};

use item::Item;
use pages::Page;
use runs::{Job, Log, Outcome, Task};

pub use runs::Scale;

/// What is reproduced, and where.
#[derive(Clone, Debug)]
pub struct Request {
    /// The folder of items.
    pub experiments: PathBuf,
    /// Papers, or items as `paper/item`; all if there are none.
    pub items: Vec<String>,
    /// How much is run.
    pub scale: Scale,
    /// Seeds in place of those of the items.
    pub seeds: Option<u64>,
    /// The part of the runs of each item.
    pub part: GridPart,
    /// Folders whose records are taken over; then nothing is run.
    pub report_from: Vec<PathBuf>,
    /// Runs at the same time.
    pub threads: usize,
    /// The folder of data.
    pub data_dir: PathBuf,
    /// The folder of records.
    pub out: PathBuf,
    /// The folder of pages.
    pub pages: PathBuf,
    /// Whether numbers are also written as CSV.
    pub csv: bool,
}

/// Returns a line for each item.
///
/// # Errors
/// Returns an error for a file that cannot be read.
pub fn list(request: &Request) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for item in item::items(&request.experiments, &request.items)? {
        let (address, claims) = (item.address(), item.claims.len());
        lines.push(format!("{address:<40} {} ({claims} claims)", item.title));
    }
    Ok(lines)
}

/// Runs what is missing, and writes the pages. Returns whether a run failed.
///
/// # Errors
/// Returns an error for items that cannot be read, and files that cannot be written.
pub fn run(request: &Request) -> Result<bool> {
    let items = item::items(&request.experiments, &request.items)?;
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
        runs::run(&mut jobs, &request.data_dir, request.threads)?;
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
