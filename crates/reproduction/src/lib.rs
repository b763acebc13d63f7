//! Tables and figures of the papers, and verdicts on what they claim.
//!
//! An `item` is a file in the folder of its paper. Its `plan` is a list of runs; those that are not in its
//! `log` are executed (`execute`), by the function for learners (`learn`) or by their own (`functions`). Pages
//! (`page`, `overview`) are made from the records alone, and so are the verdicts (`claim`).
//!
//! `cargo xtask-all reproduce` uses this crate; `xtask/experiments/README.md` documents the files of items.

mod cells;
mod chart;
mod claim;
mod data;
mod execute;
mod export;
mod functions;
mod item;
mod learn;
mod load;
mod log;
mod metric;
mod overview;
mod page;
mod plan;
mod record;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::Result;
use comparison::notice::print_line;
use comparison::record::Host;
use comparison::{Part, files};
use data::Library;
use execute::Job;
use item::Item;
use log::Log;
use overview::Pages;
use page::Page;
use plan::Plan;
use record::{Outcome, Task};

pub use record::Scale;

/// The items to run, their scale, and the folders.
#[derive(Clone, Debug)]
pub struct Request {
    /// The folder with a folder for each paper, which holds a file for each item.
    pub experiments: PathBuf,
    /// `paper` or `paper/item`; empty for everything.
    pub items: Vec<String>,
    /// The scale of the runs.
    pub scale: Scale,
    /// Repetitions with the seeds 0, 1, …; by default the number in the item's file.
    pub seeds: Option<u64>,
    /// The part of all runs that is done here.
    pub part: Part,
    /// Folders of records of other runs, such as of other parts, which are imported.
    pub report_from: Vec<PathBuf>,
    /// Number of parallel runs, each with one thread.
    pub threads: usize,
    /// The folder of the named data sets.
    pub data_dir: PathBuf,
    /// The folder for the records.
    pub out: PathBuf,
    /// The folder for pages, tables and pictures.
    pub pages: PathBuf,
    /// Whether the numbers of each page are written as CSV, too.
    pub csv: bool,
    /// Whether the tables of each page are written as LaTeX, too.
    pub tex: bool,
}

/// Whether every run succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every run succeeded.
    Complete,
    /// At least one run failed; its page states the reason.
    RunsFailed,
}

/// Returns the requested items, a line each.
///
/// # Errors
/// Returns an error for an invalid file, or an unknown item.
pub fn list(request: &Request) -> Result<Vec<String>> {
    let items = load::items(&request.experiments, &request.items)?;
    Ok(items.iter().map(line).collect())
}

/// Writes the rows that the runs learn and are tested on to a folder, for the learners of other programs.
///
/// # Errors
/// Returns an error for an invalid file or data set, or a file that cannot be written.
pub fn write_rows(request: &Request, folder: &Path) -> Result<()> {
    let items = load::items(&request.experiments, &request.items)?;
    let library = Library::new(&request.data_dir);
    items.iter().try_for_each(|item| {
        let plan = Plan::new(item, request.scale, request.seeds, &request.data_dir)?;
        export::rows(&plan, &library, folder)
    })
}

/// Runs what is missing, then writes a page for each paper, with a section for each item, and the overview.
///
/// # Errors
/// Returns an error for an invalid file, or one that cannot be written. A run that fails shows on its page and in the [`Ending`].
pub fn run(request: &Request) -> Result<Ending> {
    let items = load::items(&request.experiments, &request.items)?;
    let jobs = run_items(request, &items)?;
    write_files(request, &items, &jobs)?;
    write_pages(request, &load::items(&request.experiments, &[])?)?;
    print_line(&format!(
        "pages: {}",
        request.pages.join("README.md").display()
    ));
    let outcomes = jobs.iter().flat_map(|job| {
        let tasks = job.plan.tasks.iter();
        let records = tasks.filter_map(|task| job.log.latest(task));
        records.map(|record| &record.outcome)
    });
    let mut failed = outcomes.filter(|outcome| matches!(outcome, Outcome::Error(_)));
    Ok(match failed.next() {
        None => Ending::Complete,
        Some(_) => Ending::RunsFailed,
    })
}

fn line(item: &Item) -> String {
    format!(
        "{:<40} {} ({} claims)",
        item.address(),
        item.title,
        item.claim.len()
    )
}

fn run_items(request: &Request, items: &[Item]) -> Result<Vec<Job>> {
    let mut jobs = jobs(request, items)?;
    for (item, job) in items.iter().zip(&mut jobs) {
        take_over(request, item, job)?;
    }
    for (item, job) in items.iter().zip(&jobs) {
        for (panel, reason) in &job.plan.missing {
            print_line(&format!(
                "{}: {panel} is left out. {}",
                item.address(),
                reason.trim()
            ));
        }
    }
    if !request.report_from.is_empty() {
        return Ok(jobs);
    }
    let host = Host::current();
    execute::run(&mut jobs, &request.data_dir, &host, request.threads)?;
    Ok(jobs)
}

fn jobs(request: &Request, items: &[Item]) -> Result<Vec<Job>> {
    let job = |item: &Item| {
        let plan = Plan::new(item, request.scale, request.seeds, &request.data_dir)?;
        Ok(Job {
            plan: plan.part(request.part),
            log: Log::open_runs(&request.out, item)?,
        })
    };
    items.iter().map(job).collect()
}

/// Imports missing records from other folders, including those beside pages.
fn take_over(request: &Request, item: &Item, job: &mut Job) -> Result<()> {
    if request.report_from.is_empty() {
        return Ok(());
    }
    for folder in &request.report_from {
        let runs = Log::open_runs(folder, item)?.records.into_iter();
        for record in runs.chain(Log::open_page(folder, item)?.records) {
            if job.log.find(&record.task).is_none() {
                job.log.append(record)?;
            }
        }
    }
    let plan = job.plan.clone();
    job.plan = plan.with_recorded(item, request.scale, &job.log)?;
    Ok(())
}

/// Returns the runs of a scale that the page of an item was made of, whatever this call requests.
fn page_job(request: &Request, item: &Item, scale: Scale) -> Result<Job> {
    let log = Log::open_page(&request.pages, item)?;
    let tasks = log.records.iter().map(|record| record.task.clone());
    let tasks: Vec<Task> = tasks.filter(|task| task.scale == scale).collect();
    let without = item.data.iter().filter(|data| {
        let mut panels = tasks.iter().map(|task| &task.panel);
        !panels.any(|panel| *panel == data.name)
    });
    let missing = without.filter_map(|data| {
        let reason = data.missing(&request.data_dir)?;
        Some((data.name.clone(), reason))
    });
    let plan = Plan {
        missing: missing.collect(),
        seeds: item.size(scale).seeds,
        tasks,
    };
    Ok(Job { plan, log })
}

fn write_files(request: &Request, items: &[Item], jobs: &[Job]) -> Result<()> {
    let mut pages = items.iter().zip(jobs);
    pages.try_for_each(|(item, job)| Page::new(item, request.scale, job).write(request))
}

/// Writes the page of each paper and the overview, from the records beside them.
fn write_pages(request: &Request, items: &[Item]) -> Result<()> {
    let jobs = |scale| -> Result<Vec<Job>> {
        let jobs = items.iter().map(|item| page_job(request, item, scale));
        jobs.collect()
    };
    let (quick, full) = (jobs(Scale::Quick)?, jobs(Scale::Full)?);
    let pages = |scale, jobs| Pages::new(scale, items, jobs);
    let mut both = [pages(Scale::Quick, &quick), pages(Scale::Full, &full)];
    if request.scale == Scale::Full {
        both.reverse();
    }
    files::make_folder(&request.pages)?;
    for (paper, text) in overview::papers(items, &both) {
        let path = request.pages.join(format!("{paper}.md"));
        files::write_atomically(&path, text.as_bytes())?;
    }
    let path = request.pages.join("README.md");
    files::write_atomically(&path, overview::write(&both).as_bytes())?;
    Ok(())
}
