//! One comparison, and its report.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use comparison::files::FileError;
use comparison::folder::{self, Earlier, Folder};
use comparison::record::{Host, Record};
use comparison::report::{self as pages, Index};
use comparison::{Comparison, Completion, GridPart, Runner, SetupError, host, read_records};
use datasets::{Dataset, TaskKind};
use forest_core::{ForestSettings, threads};
use pyo3::prelude::*;

use super::calls::Calls;
use super::data::Source;
use super::follow::Follow;
use super::learners::{Described, bind};
use super::options::{Options, metrics};
use crate::error::refused;

/// Runs a comparison and writes its records and report. Returns the folder.
///
/// # Errors
/// Returns an error for a comparison that cannot be run; the exception of Ctrl-C after its report is written.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    learners: Vec<Described>,
    data: Vec<Source<'_>>,
    options: Options,
    follow: Py<PyAny>,
) -> PyResult<PathBuf> {
    let (done, stopped) = {
        ForestSettings::check_trees(options.trees).map_err(refused)?;
        threads::check(options.threads).map_err(refused)?;
        let learners: Vec<Arc<Described>> = learners.into_iter().map(Arc::new).collect();
        let mut opened = Opened::of(data, &options, follow.bind(py))?;
        let addresses: Vec<String> = opened.data.iter().map(|data| data.name.clone()).collect();
        datasets::disambiguate(&mut opened.data, &addresses);
        Calls::serve(py, |calls| run(&learners, &opened, &options, calls, follow))
    };
    let folder = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    stopped.map_or(Ok(folder), Err)
}

/// Data sets that are open, and how Python describes each to learners.
struct Opened {
    data: Vec<Dataset>,
    tables: Vec<Arc<Py<PyAny>>>,
}

impl Opened {
    fn of(
        sources: Vec<Source<'_>>,
        options: &Options,
        follow: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let folder = options.data_dir.clone().unwrap_or_else(default_folder);
        let (mut data, mut tables) = (Vec::new(), Vec::new());
        for source in sources {
            let (set, guesses, table) = source.open(folder.clone())?;
            for guess in guesses {
                follow.call_method1("remark", (format!("warning: {guess}"),))?;
            }
            data.push(set);
            tables.push(Arc::new(table));
        }
        Ok(Self { data, tables })
    }
}

/// Returns the folder of named sets: that of `FOREST_DATA`, or the default.
fn default_folder() -> PathBuf {
    let set = std::env::var_os("FOREST_DATA");
    set.map_or_else(|| PathBuf::from(datasets::DEFAULT_DATA_DIR), PathBuf::from)
}

fn run(
    learners: &[Arc<Described>],
    opened: &Opened,
    options: &Options,
    calls: Calls,
    follow: Py<PyAny>,
) -> PyResult<PathBuf> {
    let observer = Follow::new(calls, follow);
    let comparisons = plan(learners, opened, options, &observer)?;
    let earlier = if options.resume {
        Earlier::Resumed
    } else {
        Earlier::Refused
    };
    let mut folder = Folder::open(options.out.as_deref(), earlier).map_err(refused)?;
    let mut records = std::mem::take(&mut folder.finished);
    let finished = records.clone();
    let runner = Runner {
        host: Host::current(),
        threads: host::threads(NonZeroUsize::new(options.threads)),
        trees: options.trees,
        seeds: 0..options.seeds,
        part: GridPart::WHOLE,
        observer: &observer,
        limits: options.limits()?,
        finished: &finished,
    };
    let mut log = folder.open_log().map_err(refused)?;
    let keep = |record: Record| -> Result<(), FileError> {
        log.append(&record)?;
        records.push(record);
        Ok(())
    };
    let completion = threads::with_threads(options.threads, || runner.run(&comparisons, keep));
    let completion = completion.map_err(refused)?.map_err(refused)?;
    if let Some(index) = Index::of(&records, options.command.clone()) {
        let complete = completion == Completion::Complete;
        let index = Index { complete, ..index };
        write(&folder.path, index, &records, &options.metrics)?;
    }
    Ok(folder.path)
}

/// Plans every data set under every protocol, and gives learners of Python the data set that they are made for.
fn plan<'a>(
    learners: &[Arc<Described>],
    opened: &'a Opened,
    options: &Options,
    observer: &Follow,
) -> PyResult<Vec<Comparison<'a>>> {
    let tasks: Vec<TaskKind> = opened.data.iter().map(Dataset::task).collect();
    SetupError::check_metrics(&metrics(&options.metrics)?, &tasks).map_err(refused)?;
    let (protocols, design) = (options.protocols()?, options.design()?);
    let first = &opened.tables[0];
    let algorithms = learners
        .iter()
        .map(|it| it.contender(&observer.calls, first, 1));
    let algorithms: Vec<_> = algorithms.collect::<PyResult<_>>()?;
    let planned = comparison::comparisons(&opened.data, &algorithms, protocols, &design);
    let mut planned = planned.map_err(refused)?;
    for comparison in &mut planned {
        let mut sets = opened.data.iter().zip(&opened.tables);
        let set = sets.find(|(data, _)| std::ptr::eq(*data, comparison.dataset));
        let (_, table) = set.expect("every comparison is of one of these");
        bind(comparison, learners, &observer.calls, table)?;
    }
    for remark in comparison::remarks(&opened.data, &algorithms, protocols, &design) {
        observer.remark(remark);
    }
    Ok(planned)
}

fn write(out: &Path, index: Index, records: &[Record], names: &[String]) -> PyResult<()> {
    let sections = pages::sections_by(records, &metrics(names)?);
    let warnings = pages::write(out, index, &sections).map_err(refused)?;
    for warning in warnings {
        host::print_line(&format!("warning: {warning}"));
    }
    Ok(())
}

/// Writes the report of a folder of runs again, with these metrics in its tables.
///
/// # Errors
/// Returns an error for a folder without runs, or one that cannot be written.
#[pyfunction]
pub fn write_report(folder: PathBuf, metrics: Vec<String>, command: String) -> PyResult<()> {
    let _lock = folder::lock(&folder).map_err(refused)?;
    let records: Vec<Record> = read_records(&folder::runs(&folder)).map_err(refused)?;
    match Index::of(&records, command) {
        Some(index) => write(&folder, index, &records, &metrics),
        None => Ok(()),
    }
}

/// Returns the tables of a folder of runs as text.
///
/// # Errors
/// Returns an error for a folder without runs, or an unknown metric.
#[pyfunction]
pub fn tables_of_runs(folder: PathBuf, names: Vec<String>) -> PyResult<String> {
    let records: Vec<Record> = read_records(&folder::runs(&folder)).map_err(refused)?;
    Ok(pages::tables(&pages::sections_by(
        &records,
        &metrics(&names)?,
    )))
}
