//! `cargo xtask compare`: algorithms side by side, as tables, a report and data.
//!
//! Everything is decided and opened before anything is written. The library `evaluation` runs every
//! comparison with every seed; each run is written down when it ends, and tables, charts and report are
//! made from these records alone.

mod args;
mod interrupt;
mod progress;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Context, Result};
use datasets::Dataset;
use evaluation::record::{Host, Outcome, Record};
use evaluation::report::{self, Index};
use evaluation::{Comparison, Completion, RunLog, Runner, SetupError, files, host};
use forest_core::threads;

pub use args::Args;
use progress::Progress;
pub use progress::print_line;

/// Generated data of three kinds: classes, numbers, and classes that no single axis explains.
const DEFAULT_DATA: [&str; 3] = [
    "gaussian-mixture:n=5000",
    "friedman:n=5000",
    "mondrian-cube:n=5000",
];

/// Fails if something cannot be understood, opened or written. A run that fails is a line of the
/// result, and shows in the exit code.
pub fn run(args: &Args) -> Result<ExitCode> {
    let datasets = open(args)?;
    let (algorithms, protocols) = (&args.algorithms, args.protocol.protocols());
    let design = args.design();
    let comparisons = evaluation::comparisons(&datasets, algorithms, protocols, &design);
    let comparisons = comparisons.map_err(name_option)?;
    for remark in evaluation::remarks(&datasets, algorithms, protocols, &design) {
        print_line(&remark);
    }
    interrupt::listen()?;
    let host = Host::describe(args.threads);
    let (records, completion) = run_all(args, &comparisons, &host)?;
    write(args, host, &records, completion)?;
    Ok(exit_code(&records, completion))
}

/// Opens every data set that was asked for.
fn open(args: &Args) -> Result<Vec<Dataset>> {
    let defaults = DEFAULT_DATA.map(str::to_owned);
    let asked = match args.data.is_empty() {
        true => &defaults[..],
        false => &args.data[..],
    };
    let options = args.open_options();
    let opened = asked
        .iter()
        .map(|address| datasets::open(address, &options));
    Ok(opened.collect::<Result<_, _>>()?)
}

/// Says which option to change.
fn name_option(error: SetupError) -> anyhow::Error {
    let option = match error {
        SetupError::Components { .. } => "--pca",
        SetupError::TrainingRows { .. } => "--train",
        SetupError::OnlyOffline => "use --protocol holdout",
        _ => return error.into(),
    };
    anyhow::Error::new(error).context(option)
}

/// The records of all runs, each written down when it ends.
fn run_all(
    args: &Args,
    comparisons: &[Comparison<'_>],
    host: &Host,
) -> Result<(Vec<Record>, Completion)> {
    files::make_folder(&args.out)?;
    report::remove_earlier(&args.out)?;
    let mut log = RunLog::create(&args.out.join("runs.jsonl"))?;
    let progress = Progress::of(comparisons, args.seeds.get());
    let runner = Runner {
        host: host.clone(),
        trees: args.trees.get(),
        seeds: 0..args.seeds.get() as u64,
        observer: &progress,
    };
    let mut records = Vec::new();
    let keep = |record: Record| -> Result<()> {
        log.append(&record)?;
        if args.json {
            print(&record.to_line())?;
        }
        records.push(record);
        Ok(())
    };
    let completion = threads::with_threads(host.threads, || runner.run(comparisons, keep))??;
    progress.clear();
    Ok((records, completion))
}

/// Tables and files from the finished runs, whether or not these are all.
fn write(args: &Args, host: Host, records: &[Record], completion: Completion) -> Result<()> {
    let sections = report::sections(records);
    if !args.json && !sections.is_empty() {
        print(&report::tables(&sections))?;
    }
    let index = Index {
        command: host::command(&["cargo", "xtask"]),
        host,
        trees: args.trees.get(),
        seeds: args.seeds.get() as u64,
        runs: records.len(),
        complete: completion == Completion::Complete,
        files: Vec::new(),
    };
    report::write(&args.out, index, &sections)?;
    let runs = match completion {
        Completion::Complete => "runs",
        Completion::Interrupted => "runs before the interruption",
    };
    let page = args.out.join("report.html");
    print_line(&format!(
        "{} {runs}; report: {}",
        records.len(),
        page.display()
    ));
    Ok(())
}

fn print(text: &str) -> Result<()> {
    let printed = io::stdout().write_all(text.as_bytes());
    printed.context("cannot write to standard output")
}

fn exit_code(records: &[Record], completion: Completion) -> ExitCode {
    let failed = |record: &Record| matches!(record.outcome, Outcome::Failed { .. });
    match completion {
        Completion::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        Completion::Complete if records.iter().any(failed) => ExitCode::FAILURE,
        Completion::Complete => ExitCode::SUCCESS,
    }
}
