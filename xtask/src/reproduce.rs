//! `cargo xtask reproduce`: tables and figures of the papers, and verdicts on what they claim.
//!
//! An [`item`] is a file below `xtask/experiments`. Its [`plan`] is a list of runs; those that are not in its [`log`]
//! are run ([`execute`]), by the one function for learners ([`learn`]) or by one of their own ([`functions`]). Pages
//! ([`page`], [`overview`]) are made from the records alone, and so are the verdicts ([`claim`]).

mod args;
mod chart;
mod claim;
mod data;
mod execute;
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
mod results;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Result;

use crate::compare::print_line;
pub use args::Args;
use evaluation::files;
use evaluation::plot::style;
use execute::Job;
use item::Item;
use log::Log;
use page::Page;
use plan::Plan;
use record::{Host, Outcome};

/// Fails if a file cannot be understood or written. A run that fails shows on its page and in the exit code.
pub fn run(args: &Args) -> Result<ExitCode> {
    let items = load::items(&load::experiments(), &args.items)?;
    if args.list {
        items.iter().for_each(list);
        return Ok(ExitCode::SUCCESS);
    }
    style::register_font()?;
    let (jobs, pages) = (run_items(args, &items)?, folder_of_pages(args));
    // The overview is over everything that was ever run, whatever was asked for now.
    write_pages(args, &items, &jobs, pages)?;
    let all = load::items(&load::experiments(), &[])?;
    write_overview(args, &all, pages)?;
    print_line(&format!("pages: {}", pages.join("README.md").display()));
    let outcomes = jobs.iter().flat_map(|job| {
        let records = job
            .plan
            .tasks
            .iter()
            .filter_map(|task| job.log.latest(task));
        records.map(|record| &record.outcome)
    });
    let failed = outcomes.filter(|outcome| matches!(outcome, Outcome::Error(_)));
    Ok(match failed.count() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn list(item: &Item) {
    println!(
        "{:<40} {} ({} claims)",
        item.address(),
        item.title,
        item.claim.len()
    );
}

fn folder_of_pages(args: &Args) -> &Path {
    args.pages.as_deref().unwrap_or(&args.out)
}

fn run_items(args: &Args, items: &[Item]) -> Result<Vec<Job>> {
    let mut jobs = jobs(args, items)?;
    for (item, job) in items.iter().zip(&jobs) {
        for (panel, reason) in &job.plan.missing {
            print_line(&format!(
                "{}: {panel} is left out. {}",
                item.address(),
                reason.trim()
            ));
        }
    }
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = args.threads.unwrap_or_else(cores).get();
    execute::run(&mut jobs, &args.data_dir, &Host::here(), threads)?;
    Ok(jobs)
}

fn jobs(args: &Args, items: &[Item]) -> Result<Vec<Job>> {
    let seeds = args.seeds.map(|seeds| seeds.get() as u64);
    let job = |item: &Item| {
        Ok(Job {
            plan: Plan::new(item, args.scale, seeds, &args.data_dir)?,
            log: Log::open(&args.out, item)?,
        })
    };
    items.iter().map(job).collect()
}

fn write_pages(args: &Args, items: &[Item], jobs: &[Job], folder: &Path) -> Result<()> {
    let mut pages = items.iter().zip(jobs);
    pages.try_for_each(|(item, job)| Page::new(item, args.scale, job).write(folder))
}

fn write_overview(args: &Args, items: &[Item], folder: &Path) -> Result<()> {
    let jobs = jobs(args, items)?;
    let pages = items.iter().zip(&jobs);
    let pages: Vec<Page<'_>> = pages
        .map(|(item, job)| Page::new(item, args.scale, job))
        .collect();
    let pairs: Vec<_> = items.iter().zip(&pages).collect();
    let text = overview::markdown(&pairs, args.scale);
    files::make_folder(folder)?;
    files::write_atomically(&folder.join("README.md"), text.as_bytes())?;
    Ok(())
}
