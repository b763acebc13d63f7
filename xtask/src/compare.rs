//! `cargo xtask compare`: algorithms side by side, as tables, a report and data.
//!
//! Everything is decided and opened before anything is written ([`comparison`]). The [`runner`] runs
//! every comparison with every seed and writes each run down when it ends ([`record`]). Tables,
//! charts and report are made from these records alone ([`summary`], [`output`]).

mod algorithm;
mod args;
mod around;
mod charts;
mod comparison;
mod host;
mod html;
mod interrupt;
mod markdown;
mod measure;
mod metric;
mod number;
mod output;
mod progress;
mod rank;
mod record;
mod rows;
mod runner;
mod split;
mod summary;
mod summary_csv;
mod table;
mod terminal;

use std::process::ExitCode;

use anyhow::Result;
use forest_core::threads;

use crate::files;
pub use algorithm::AnyAlgorithm;
pub use args::Args;
use comparison::Comparison;
use interrupt::Interrupted;
use progress::Progress;
pub use progress::print_line;
use record::{Outcome, Record};
use runner::{RunLog, Runner};

/// Commit of the checkout, and processor.
pub fn checkout() -> (String, String) {
    let host = host::describe(None);
    (host.revision, host.cpu)
}

/// Fails if something cannot be understood, opened or written. A run that fails is a line of the
/// result, and shows in the exit code.
pub fn run(args: &Args) -> Result<ExitCode> {
    let datasets = comparison::open(args)?;
    let comparisons = comparison::comparisons(args, &datasets)?;
    for remark in comparison::remarks(args, &datasets) {
        print_line(&remark);
    }
    interrupt::listen()?;
    let mut runner = create_runner(args, &comparisons)?;
    let threads = runner.host.threads;
    let ended = threads::with_threads(threads, || runner.run(&comparisons))?;
    runner.progress.clear();
    let complete = is_complete(ended)?;
    write(args, &runner, complete)?;
    Ok(exit_code(&runner.records, complete))
}

fn create_runner(args: &Args, comparisons: &[Comparison<'_>]) -> Result<Runner> {
    files::make_folder(&args.out)?;
    output::remove_earlier(&args.out)?;
    let seeds = args.seeds.get();
    let runs = |comparison: &Comparison<'_>| comparison.algorithms.len() * seeds;
    let rows = comparisons
        .iter()
        .map(|comparison| comparison.rows_per_run() * runs(comparison));
    let progress = Progress::new(comparisons.iter().map(runs).sum(), rows.sum());
    Ok(Runner {
        host: host::describe(args.threads),
        trees: args.trees.get(),
        seeds: seeds as u64,
        log: RunLog::create(args.out.join("runs.jsonl"), args.json)?,
        progress,
        records: Vec::new(),
    })
}

fn is_complete(ended: Result<()>) -> Result<bool> {
    match ended {
        Err(error) if error.is::<Interrupted>() => Ok(false),
        ended => ended.map(|()| true),
    }
}

/// Tables and files from the finished runs, whether or not these are all.
fn write(args: &Args, runner: &Runner, complete: bool) -> Result<()> {
    let sections = summary::sections(&runner.records);
    if !args.json && !sections.is_empty() {
        terminal::print(&sections)?;
    }
    output::write(&args.out, runner, complete, &sections)?;
    let runs = match complete {
        true => "runs",
        false => "runs before the interruption",
    };
    let report = args.out.join("report.html");
    print_line(&format!(
        "{} {runs}; report: {}",
        runner.records.len(),
        report.display()
    ));
    Ok(())
}

fn exit_code(records: &[Record], complete: bool) -> ExitCode {
    let failed = |record: &Record| matches!(record.outcome, Outcome::Failed { .. });
    match complete {
        false => ExitCode::from(interrupt::EXIT_CODE),
        true if records.iter().any(failed) => ExitCode::FAILURE,
        true => ExitCode::SUCCESS,
    }
}
