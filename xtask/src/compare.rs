//! `cargo xtask compare`: compares algorithms in tables, a report and data.
//!
//! Everything is planned and opened before anything is written. The library `comparison` runs every
//! comparison with every seed; each run is recorded when it ends, and tables, charts and report are
//! made from these records alone.

mod args;
mod output;
mod progress;
mod python;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use comparison::folder::{Earlier, Folder};
use comparison::host::print_line;
use comparison::record::{Host, Record};
use comparison::report::Index;
use comparison::{Comparison, Completion, Limits, Runner, SetupError, host, to_line};
use datasets::{Dataset, TaskKind};
use forest_core::{ForestSettings, memory_limit, threads};

pub(crate) use args::{Args, algorithm};
use output::Output;
use progress::Progress;

use crate::terminal::print;

/// The default data, generated: classes, numbers, and classes that depend on several axes.
const DEFAULT_DATA: &str = "gaussian-mixture:n=5000 friedman:n=5000 mondrian-cube:n=5000";

/// Returns an error for invalid arguments, or a file that cannot be opened or written. A run that fails is a line of the
/// result, and shows in the exit code.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if !args.report_from.is_empty() {
        return output::draw_again(&args.report_from, args);
    }
    ForestSettings::check_trees(args.trees.get()).context("--trees")?;
    threads::check(args.threads.map_or(0, NonZeroUsize::get)).context("--threads")?;
    args.check_protocol()?;
    if let Some(file) = &args.python {
        return python::run(args, file);
    }
    let asked = addresses(args);
    let mut datasets: Vec<Dataset> = Vec::new();
    for address in &asked {
        datasets.push(args.reading.open(address, &args.data_dir)?);
    }
    datasets::disambiguate(&mut datasets, &asked);
    let tasks: Vec<TaskKind> = datasets.iter().map(Dataset::task).collect();
    SetupError::check_metrics(&args.metrics, &tasks).map_err(name_option)?;
    let (algorithms, protocols) = (&args.algorithms, args.protocol.protocols());
    let design = args.design();
    let comparisons = comparison::comparisons(&datasets, algorithms, protocols, &design);
    let comparisons = comparisons.map_err(name_option)?;
    for remark in comparison::remarks(&datasets, algorithms, protocols, &design) {
        print_line(&remark);
    }
    let earlier = if args.resume {
        Earlier::Resumed
    } else {
        Earlier::Refused
    };
    let folder = Folder::open(args.out.as_deref(), earlier).map_err(args::in_options)?;
    let host = Host::current();
    folder.remark_revision(&host);
    let index = Index {
        command: host::command(&["cargo", "xtask"]),
        threads: host::threads(args.threads),
        host,
        trees: args.trees.get(),
        seeds: args.seeds.get() as u64,
        runs: 0,
        complete: false,
        files: Vec::new(),
    };
    let output = Output {
        folder: folder.path.clone(),
        args: args.clone(),
        index,
    };
    progress::listen(output.clone())?;
    let (records, completion) = run_all(args, &comparisons, &output.index, &folder)?;
    output.finish(&records, completion)?;
    Ok(match completion {
        Completion::Interrupted => ExitCode::from(progress::INTERRUPTED),
        Completion::Complete if records.iter().any(Record::failed) => ExitCode::FAILURE,
        Completion::Complete => ExitCode::SUCCESS,
    })
}

/// Returns the addresses of the requested data sets.
fn addresses(args: &Args) -> Vec<&OsStr> {
    if args.data.is_empty() {
        return DEFAULT_DATA.split(' ').map(OsStr::new).collect();
    }
    args.data.iter().map(OsString::as_os_str).collect()
}

/// Adds which option to change.
fn name_option(error: SetupError) -> anyhow::Error {
    match error.option {
        Some(option) => anyhow::Error::new(error).context(option),
        None => error.into(),
    }
}

/// Returns the records of all runs, earlier ones first; each is written when its run ends.
fn run_all(
    args: &Args,
    comparisons: &[Comparison<'_>],
    index: &Index,
    folder: &Folder,
) -> Result<(Vec<Record>, Completion)> {
    let mut log = folder.open_log()?;
    let progress = Progress::new();
    let bytes = memory_limit::or_default(args.max_memory);
    let runner = Runner {
        host: index.host.clone(),
        threads: index.threads,
        trees: index.trees,
        seeds: 0..index.seeds,
        part: args.part.unwrap_or(comparison::GridPart::WHOLE),
        observer: &progress,
        limits: Limits {
            bytes,
            time: args.time_limit,
        },
        finished: &folder.finished,
    };
    let mut records = folder.finished.clone();
    let keep = |record: Record| -> Result<()> {
        log.append(&record)?;
        if args.json {
            print(&to_line(&record))?;
        }
        records.push(record);
        Ok(())
    };
    let completion = threads::with_threads(index.threads, || runner.run(comparisons, keep))??;
    progress.bar.finish_and_clear();
    Ok((records, completion))
}
