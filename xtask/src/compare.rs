//! `cargo xtask compare`: compares algorithms in tables, a report and data.
//!
//! Everything is planned and opened before anything is written; tables, charts and page are made from records alone.

mod args;
mod output;
mod progress;
mod python;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use comparison::files::Folder;
use comparison::host::{self, print_line};
use comparison::record::Record;
use comparison::{Completion, SetupError, to_line};
use forest_core::{memory_limit, threads};

use crate::terminal::print;
pub(crate) use args::{Args, algorithm};
use output::Output;
use progress::Progress;

/// The default data, generated: classes, numbers, and classes that depend on several axes.
const DEFAULT_DATA: &str = "gaussian-mixture:n=5000 friedman:n=5000 mondrian-cube:n=5000";

/// Returns an error for invalid arguments, or files that cannot be read or written; failed runs show in the exit code.
pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    if !args.report_from.is_empty() {
        return output::draw_again(args);
    }
    args.request.check().map_err(name_option)?;
    if args.data.is_empty() {
        args.data
            .extend(DEFAULT_DATA.split(' ').map(OsString::from));
    }
    if let Some(file) = args.python.clone() {
        return python::run(args, &file);
    }
    let mut request = args.request;
    request.max_memory = memory_limit::or_default(request.max_memory);
    let mut datasets = Vec::new();
    for address in &args.data {
        datasets.push(args.reading.open(address, request.data_dir.clone())?);
    }
    datasets::disambiguate(&mut datasets, &args.data);
    let (comparisons, remarks) = request
        .plan(&datasets, &args.algorithms)
        .map_err(name_option)?;
    remarks.iter().for_each(|remark| print_line(remark));
    let folder = Folder::open(&request)?;
    let output = Output {
        folder: folder.path.clone(),
        metrics: request.metrics.clone(),
        is_json: args.json,
    };
    progress::listen(output.clone())?;
    let progress = Progress::new();
    let follow = |record: &Record| {
        if args.json {
            return print(&to_line(record));
        }
        Ok(())
    };
    let run = || request.run(&comparisons, &folder, &progress, follow);
    let (records, completion) = threads::with_threads(host::threads(request.threads), run)??;
    progress.bar.finish_and_clear();
    output.finish(&records, completion)?;
    Ok(match completion {
        Completion::Interrupted => ExitCode::from(progress::INTERRUPTED),
        Completion::Complete => u8::from(records.iter().any(Record::failed)).into(),
    })
}

/// Adds which option to change.
fn name_option(error: SetupError) -> anyhow::Error {
    match error.option {
        Some(option) => anyhow::Error::new(error).context(option),
        None => error.into(),
    }
}
