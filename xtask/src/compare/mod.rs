//! `cargo xtask compare`: algorithms side by side, as a table, a report and data.
//!
//! Everything is decided and opened before anything is written ([`plan`]); then every contest runs
//! over every seed ([`session`], [`mod@run`]), each run noted at once ([`record`]); tables, plots and
//! report are made from the records alone ([`summary`], [`output`]).

mod args;
mod chapter;
mod estimate;
mod grid;
mod holdout;
mod host;
mod interrupt;
mod journal;
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
mod run;
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
use journal::Journal;
use plan::Contest;
use progress::Progress;
use record::Outcome;
use session::{Echo, Session};

/// Runs the comparison.
///
/// # Errors
/// Whatever cannot be understood, opened or written. A run that fails is no error here but a line
/// of the result, and shows in the exit code.
pub fn run(args: &Args) -> Result<ExitCode> {
    let datasets = plan::open(args)?;
    let contests = plan::contests(args, &datasets)?;
    for remark in plan::remarks(args, &datasets) {
        progress::say(&remark);
    }
    interrupt::watch()?;
    let mut session = start(args, &contests)?;
    let threads = session.host.threads;
    let flow = threads::with_threads(threads, || session.run(&contests))??;
    session.progress.end();
    conclude(args, &session, flow)
}

fn start(args: &Args, contests: &[Contest<'_>]) -> Result<Session> {
    let seeds = args.seeds.get();
    let runs: usize = contests
        .iter()
        .map(|contest| contest.algorithms.len())
        .sum();
    let rows = |contest: &Contest<'_>| contest.rows_per_run() * contest.algorithms.len();
    let rows: usize = contests.iter().map(rows).sum();
    files::make_folder(&args.out)?;
    output::clear(&args.out)?;
    Ok(Session {
        host: host::describe(args.threads),
        trees: args.trees.get(),
        seeds: seeds as u64,
        echo: echo(args),
        journal: Journal::create(args.out.join("runs.jsonl"))?,
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
    let chapters = chapter::chapters(&sections);
    if session.echo == Echo::Quiet && !chapters.is_empty() {
        terminal::print(&chapters)?;
    }
    output::write(&args.out, session, flow, &chapters)?;
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
