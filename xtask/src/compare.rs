//! `cargo xtask compare`: compares algorithms in tables, a report and data.
//!
//! Everything is planned and opened before anything is written. The library `comparison` runs every
//! comparison with every seed; each run is recorded when it ends, and tables, charts and report are
//! made from these records alone.

mod args;
mod folder;
mod interrupt;
mod limits;
mod missing;
mod output;
mod progress;
mod python;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use comparison::folder::Folder;
use comparison::notice::print_line;
use comparison::record::{Host, Record};
use comparison::report::Index;
use comparison::{Comparison, Completion, Limits, Runner, SetupError, host, to_line};
use datasets::{Dataset, TaskKind};
use forest_core::{ForestSettings, threads};

pub(crate) use args::{Args, algorithm};
use output::Output;
use progress::Progress;

use crate::terminal::print;

/// The default data, generated: classes, numbers, and classes that depend on several axes.
const DEFAULT_DATA: [&str; 3] = [
    "gaussian-mixture:n=5000",
    "friedman:n=5000",
    "mondrian-cube:n=5000",
];

/// Returns an error for invalid arguments, or a file that cannot be opened or written. A run that fails is a line of the
/// result, and shows in the exit code.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if !args.report_from.is_empty() {
        return output::draw_again(&args.report_from, args);
    }
    check_numbers(args)?;
    args.check_protocol()?;
    if let Some(file) = &args.python {
        return python::run(args, file);
    }
    let datasets = open(args)?;
    let tasks: Vec<TaskKind> = datasets.iter().map(Dataset::task).collect();
    SetupError::check_metrics(&args.metrics, &tasks).map_err(name_option)?;
    let (algorithms, protocols) = (&args.algorithms, args.protocol.protocols());
    let design = args.design();
    let comparisons = comparison::comparisons(&datasets, algorithms, protocols, &design);
    let comparisons = comparisons.map_err(name_option)?;
    let limits = args.limits();
    for remark in comparison::remarks(&datasets, algorithms, protocols, &design) {
        print_line(&remark);
    }
    let folder = folder::choose(args)?;
    let host = Host::current();
    folder.remark_revision(&host);
    let output = Output::new(args, &folder, index(args, &host));
    interrupt::listen(output.clone())?;
    let (records, completion) = run_all(args, &comparisons, host, &folder, limits)?;
    output.finish(&records, completion)?;
    Ok(exit_code(&records, completion))
}

/// Rejects excessive numbers before anything is opened.
fn check_numbers(args: &Args) -> Result<()> {
    ForestSettings::check_trees(args.trees.get()).context("--trees")?;
    threads::check(args.threads.map_or(0, NonZeroUsize::get)).context("--threads")
}

/// Opens every requested data set.
fn open(args: &Args) -> Result<Vec<Dataset>> {
    let asked = addresses(args);
    let open = |address: &&OsStr| Ok(args.reading.open(address, &args.data_dir)?);
    let mut data: Vec<Dataset> = asked.iter().map(open).collect::<Result<_>>()?;
    datasets::disambiguate(&mut data, &asked);
    Ok(data)
}

/// Returns the addresses of the requested data sets.
fn addresses(args: &Args) -> Vec<&OsStr> {
    if args.data.is_empty() {
        DEFAULT_DATA.map(OsStr::new).into()
    } else {
        args.data.iter().map(OsString::as_os_str).collect()
    }
}

/// Adds which option to change.
fn name_option(error: SetupError) -> anyhow::Error {
    match error.option() {
        Some(option) => anyhow::Error::new(error).context(option),
        None => error.into(),
    }
}

/// Returns the plan of a comparison.
fn index(args: &Args, host: &Host) -> Index {
    Index {
        command: host::command(&["cargo", "xtask"]),
        threads: host::threads(args.threads),
        host: host.clone(),
        trees: args.trees.get(),
        seeds: args.seeds.get() as u64,
        runs: 0,
        complete: false,
        files: Vec::new(),
    }
}

/// Returns the records of all runs, earlier ones first; each is written when its run ends.
fn run_all(
    args: &Args,
    comparisons: &[Comparison<'_>],
    host: Host,
    folder: &Folder,
    limits: Limits,
) -> Result<(Vec<Record>, Completion)> {
    let mut log = folder.open_log()?;
    let (trees, seeds) = (args.trees.get(), 0..args.seeds.get() as u64);
    let finished = &folder.finished;
    let part = args.part.unwrap_or_default();
    let progress = Progress::new();
    let threads = host::threads(args.threads);
    let runner = Runner {
        host,
        threads,
        trees,
        seeds,
        part,
        observer: &progress,
        limits,
        finished,
    };
    let mut records = Vec::new();
    let keep = |record: Record| -> Result<()> {
        log.append(&record)?;
        if args.json {
            print(&to_line(&record))?;
        }
        records.push(record);
        Ok(())
    };
    let completion = threads::with_threads(threads, || runner.run(comparisons, keep))??;
    progress.clear();
    Ok(([finished.clone(), records].concat(), completion))
}

fn exit_code(records: &[Record], completion: Completion) -> ExitCode {
    match completion {
        Completion::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        Completion::Complete if records.iter().any(Record::failed) => ExitCode::FAILURE,
        Completion::Complete => ExitCode::SUCCESS,
    }
}
