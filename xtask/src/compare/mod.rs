//! `cargo xtask compare`: algorithms side by side, as a table, a report and data.
//!
//! Everything is decided and opened before anything is written ([`plan`]); then every comparison runs
//! over every seed ([`session`], [`mod@run`]), each run noted at once ([`record`]); tables, plots and
//! report are made from the records alone ([`summary`], [`output`]).

mod args;
mod estimate;
mod grid;
mod holdout;
mod host;
mod interrupt;
mod markdown;
mod metric;
mod number;
mod output;
mod plan;
mod plot;
mod prepare;
mod preprocess;
mod prequential;
mod progress;
mod record;
mod report;
mod report_section;
mod run;
mod run_log;
mod session;
mod setting;
mod split;
mod standing;
mod summary;
mod summary_csv;
mod terminal;

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::Result;
use forest_core::threads;

use crate::files;
pub use args::Args;
use plan::Comparison;
use progress::Progress;
use record::Outcome;
use run_log::RunLog;
use session::{Echo, Session};

/// Runs the comparison.
///
/// # Errors
/// Whatever cannot be understood, opened or written. A run that fails is no error here but a line
/// of the result, and shows in the exit code.
pub fn run(args: &Args) -> Result<ExitCode> {
    let datasets = plan::open(args)?;
    let comparisons = plan::comparisons(args, &datasets)?;
    for remark in plan::remarks(args, &datasets) {
        progress::say(&remark);
    }
    interrupt::watch()?;
    let mut session = start(args, &comparisons)?;
    let threads = session.host.threads;
    let flow = threads::with_threads(threads, || session.run(&comparisons))??;
    session.progress.end();
    conclude(args, &session, flow)
}

fn start(args: &Args, comparisons: &[Comparison<'_>]) -> Result<Session> {
    let seeds = args.seeds.get();
    let runs: usize = comparisons
        .iter()
        .map(|comparison| comparison.algorithms.len())
        .sum();
    let rows =
        |comparison: &Comparison<'_>| comparison.rows_per_run() * comparison.algorithms.len();
    let rows: usize = comparisons.iter().map(rows).sum();
    files::make_folder(&args.out)?;
    output::clear(&args.out)?;
    Ok(Session {
        host: host::describe(args.threads),
        trees: args.trees.get(),
        seeds: seeds as u64,
        echo: echo(args),
        run_log: RunLog::create(args.out.join("runs.jsonl"))?,
        progress: Progress::new(runs * seeds, rows * seeds),
        records: Vec::new(),
        rows_done: 0,
    })
}

fn echo(args: &Args) -> Echo {
    if args.json { Echo::Json } else { Echo::Quiet }
}

/// Tables and files from what is finished, whether or not that is all.
fn conclude(args: &Args, session: &Session, flow: ControlFlow<()>) -> Result<ExitCode> {
    let sections = summary::sections(&session.records);
    let report_sections = report_section::report_sections(&sections);
    if session.echo == Echo::Quiet && !report_sections.is_empty() {
        terminal::print(&report_sections)?;
    }
    output::write(&args.out, session, flow, &report_sections)?;
    let (runs, report) = (session.records.len(), args.out.join("report.html"));
    let so_far = match flow {
        ControlFlow::Continue(()) => "runs",
        ControlFlow::Break(()) => "runs before the interruption",
    };
    progress::say(&format!("{runs} {so_far}; report: {}", report.display()));
    Ok(exit_code(session, flow))
}

fn exit_code(session: &Session, flow: ControlFlow<()>) -> ExitCode {
    let failed = |record: &record::Record| matches!(record.outcome, Outcome::Failed { .. });
    if flow.is_break() {
        ExitCode::from(interrupt::EXIT_CODE)
    } else if session.records.iter().any(failed) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
