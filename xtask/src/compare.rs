//! `cargo xtask compare`: compares algorithms in tables, a report and data.
//!
//! Everything is planned and opened before anything is written. The library `comparison` runs every
//! comparison with every seed; each run is recorded when it ends, and tables, charts and report are
//! made from these records alone.

mod output;
mod progress;
mod python;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use comparison::folder::Folder;
use comparison::host::{self, print_line};
use comparison::record::Record;
use comparison::{Completion, Contender, Request, SetupError, to_line};
use forest_core::registry::AlgorithmError;
use forest_core::{memory_limit, threads};

use crate::data::Reading;
use crate::terminal::print;
use output::Output;
use progress::Progress;

/// The default data, generated: classes, numbers, and classes that depend on several axes.
const DEFAULT_DATA: &str = "gaussian-mixture:n=5000 friedman:n=5000 mondrian-cube:n=5000";

/// Compare online forests with each other and with a trivial baseline.
///
/// Without arguments: generated data, one algorithm of each family that supports the task, five seeds.
/// `cargo xtask algorithms` lists algorithms, `cargo xtask data list` data sets.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Data: a named set, a data set of OpenML by number (`openml:61`), a file, or a generator such as `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    data: Vec<OsString>,

    /// Algorithm and its parameters; may be repeated [default: one of each
    /// family that learns online]; `cargo xtask algorithms` lists names, and with a NAME its parameters
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", value_parser = algorithm)]
    algorithms: Vec<Contender>,

    /// Python file whose dictionary `learners` joins the algorithms: names and learners, as `online_forests.compare` takes
    /// them. The Python package runs the comparison; tables are read with default options, and memory is limited by
    /// --max-memory alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "task", "TableOptions", "part", "report_from"])]
    python: Option<PathBuf>,

    #[command(flatten)]
    request: Request,

    /// Run nothing: build a report from these runs.jsonl files, next to the first one or in --out. If a part of a grid or the end of a file is
    /// missing, the report covers the rest, and the exit code is 1
    #[arg(long, value_name = "runs.jsonl", num_args = 1.., conflicts_with_all = ["data", "algorithms", "resume", "part"])]
    report_from: Vec<PathBuf>,

    /// Print the runs, one JSON object a line, and nothing else on standard output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

/// The offline learners of smartcore, which `cargo xtask` is built without.
const SMARTCORE: &str = "random-forest decision-tree k-nn logistic-regression svm";

/// Parses an algorithm. An unknown name may be one of smartcore's learners, where this program is built without them.
pub(crate) fn algorithm(text: &str) -> Result<Contender, String> {
    let name = text.split(':').next().unwrap_or_default();
    text.parse().map_err(|error| match error {
        AlgorithmError::Unknown { .. } if SMARTCORE.split(' ').any(|known| known == name) => {
            format!("`{name}` is an offline learner of smartcore, a part of `cargo xtask-all` only")
        }
        AlgorithmError::Unknown { .. } if cfg!(not(feature = "baselines")) => {
            let learners = SMARTCORE.replace(' ', ", ");
            format!(
                "{error}; `cargo xtask-all` also has the offline learners of smartcore: {learners}"
            )
        }
        error => error.to_string(),
    })
}

/// Returns an error for invalid arguments, or a file that cannot be opened or written. A run that fails is a line of the
/// result, and shows in the exit code.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_of_smartcore_are_known_or_where_they_are_is_said() {
        let known = Contender::all().filter(|one| one.is_offline());
        let mut known = known.filter(|one| !one.name().starts_with("batch-"));
        assert!(known.all(|one| SMARTCORE.contains(one.name())));
        for name in SMARTCORE.split(' ') {
            match algorithm(name) {
                Ok(known) => assert!(cfg!(feature = "baselines") && known.is_offline(), "{name}"),
                Err(said) => assert!(said.ends_with("a part of `cargo xtask-all` only"), "{said}"),
            }
        }
    }
}
