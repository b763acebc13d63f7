//! One comparison and its report, with the options of `cargo xtask compare`.

use std::env;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use comparison::files::{self, FileError, Folder};
use comparison::metric::Metric;
use comparison::record::Record;
use comparison::report as pages;
use comparison::{Comparison, Completion, Observer, Request, host, read_records, to_line};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::threads;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use super::calls::Calls;
use super::outside::Described;
use crate::error::refused;

/// The options of Python's `compare`, which are those of `cargo xtask compare`.
#[derive(Deserialize)]
struct Options {
    #[serde(flatten)]
    request: Request,
    command: String,
}

/// Runs a comparison, whose options are JSON, and writes its records and report. Returns the folder; the exception of
/// Ctrl-C comes after the report is written.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    learners: Vec<Described>,
    data: Vec<Source<'_>>,
    options: &str,
    follow: Py<PyAny>,
) -> PyResult<PathBuf> {
    // Errors of a value name no place in the text.
    let options: Value = serde_json::from_str(options).map_err(refused)?;
    let options: Options = serde_json::from_value(options).map_err(refused)?;
    options.request.check().map_err(refused)?;
    let learners: Vec<Arc<Described>> = learners.into_iter().map(Arc::new).collect();
    let data_dir = options.request.data_dir.clone();
    let data_dir = data_dir.or(env::var_os("FOREST_DATA").map(PathBuf::from));
    let mut sets = Vec::new();
    let mut tables = Vec::new();
    for source in data {
        let (set, warnings, table) = source.open(data_dir.clone())?;
        for warning in warnings {
            let warning = format!("warning: {}: {warning}", set.name);
            follow.call_method1(py, "remark", (warning,))?;
        }
        sets.push(set);
        tables.push(Arc::new(table));
    }
    let addresses: Vec<String> = sets.iter().map(|set| set.name.clone()).collect();
    datasets::disambiguate(&mut sets, &addresses);
    let object = Arc::new(follow);
    let (done, stopped) = Calls::serve(py, |calls| {
        let observer = Follow { calls, object };
        let comparisons = plan(&learners, &sets, &tables, &options.request, &observer)?;
        run(&comparisons, &options, &observer)
    });
    let folder = done.unwrap_or_else(|panic| resume_unwind(panic))?;
    stopped.map_or(Ok(folder), Err)
}

/// Plans every data set under every protocol, and gives learners of Python the data set that they are made for.
fn plan<'a>(
    learners: &[Arc<Described>],
    sets: &'a [Dataset],
    tables: &[Arc<Py<PyAny>>],
    request: &Request,
    observer: &Follow,
) -> PyResult<Vec<Comparison<'a>>> {
    let calls = &observer.calls;
    let mut contenders = Vec::new();
    for learner in learners {
        contenders.push(learner.contender(calls, &tables[0], 1)?);
    }
    let (mut planned, remarks) = request.plan(sets, &contenders).map_err(refused)?;
    for comparison in &mut planned {
        let dataset = comparison.dataset;
        let Some(place) = sets.iter().position(|set| ptr::eq(set, dataset)) else {
            continue;
        };
        let width = dataset.n_classes().unwrap_or(1);
        for contender in comparison.contenders.iter_mut().filter(|one| one.is_own()) {
            if let Some(described) = learners.iter().find(|it| it.label == contender.name()) {
                *contender = described.contender(calls, &tables[place], width)?;
            }
        }
    }
    for remark in remarks {
        calls.notify(&observer.object, "remark", (remark,));
    }
    Ok(planned)
}

fn run(comparisons: &[Comparison<'_>], options: &Options, observer: &Follow) -> PyResult<PathBuf> {
    let Options { request, command } = options;
    let folder = Folder::open(request).map_err(refused)?;
    let run = || request.run(comparisons, &folder, observer, |_| Ok::<(), FileError>(()));
    let done = threads::with_threads(host::threads(request.threads), run);
    let (records, completion) = done.map_err(refused)?.map_err(refused)?;
    write(
        &folder.path,
        &records,
        &request.metrics,
        command,
        completion,
    )?;
    Ok(folder.path)
}

fn write(
    folder: &Path,
    records: &[Record],
    metrics: &[Metric],
    command: &str,
    completion: Completion,
) -> PyResult<()> {
    let warnings = pages::write(folder, records, metrics, command, completion);
    for warning in warnings.map_err(refused)? {
        host::print_line(&format!("warning: {warning}"));
    }
    Ok(())
}

/// Writes the report of a folder of runs again, with these metrics in its tables.
#[pyfunction]
pub fn write_report(folder: PathBuf, metrics: Vec<String>, command: &str) -> PyResult<()> {
    let _lock = files::lock(&folder).map_err(refused)?;
    let records: Vec<Record> = read_records(&files::runs(&folder)).map_err(refused)?;
    let metrics = named(&metrics)?;
    write(&folder, &records, &metrics, command, Completion::Complete)
}

/// Returns the tables of a folder of runs as text.
#[pyfunction]
pub fn tables_of_runs(folder: PathBuf, metrics: Vec<String>) -> PyResult<String> {
    let records: Vec<Record> = read_records(&files::runs(&folder)).map_err(refused)?;
    let sections = pages::sections_by(&records, &named(&metrics)?);
    Ok(pages::tables(&sections))
}

fn named(metrics: &[String]) -> PyResult<Vec<Metric>> {
    let parse = |name: &String| name.parse().map_err(refused);
    metrics.iter().map(parse).collect()
}

/// Data as Python describes them: an address, or rows with a class by name or a value each.
#[derive(FromPyObject)]
pub struct Source<'py> {
    name: String,
    rows: Option<PyReadonlyArray2<'py, f32>>,
    features: Vec<String>,
    words: Option<Vec<String>>,
    values: Option<Vec<f64>>,
    /// The object itself, whose `table` describes the data set to learners.
    itself: Bound<'py, PyAny>,
}

impl Source<'_> {
    /// Opens the data set; returns it with what was guessed, and as Python knows it.
    fn open(self, data_dir: Option<PathBuf>) -> PyResult<(Dataset, Vec<String>, Py<PyAny>)> {
        let (data, warnings) = if let Some(rows) = self.rows {
            let target = match self.words {
                Some(words) => Target::classes(words).map_err(refused)?,
                None => Target::Values {
                    values: self.values.unwrap_or_default(),
                    noise_free: None,
                },
            };
            let rows = rows.as_array().to_owned();
            let data = Dataset::in_memory(&self.name, rows, self.features, target);
            (data.map_err(refused)?, Vec::new())
        } else {
            let options = OpenOptions {
                data_dir,
                ..OpenOptions::default()
            };
            // Other threads of Python continue while files are downloaded and read.
            let open = || datasets::open_with_warnings(&self.name, &options);
            self.itself.py().detach(open).map_err(refused)?
        };
        let classes = match &data.target {
            Target::Classes { names, .. } => Some(names.clone()),
            Target::Values { .. } => None,
        };
        let table = self
            .itself
            .call_method1("table", (data.feature_names.clone(), classes))?;
        let warnings = warnings.iter().map(ToString::to_string).collect();
        Ok((data, warnings, table.unbind()))
    }
}

/// Reports progress to an object of Python.
struct Follow {
    calls: Calls,
    object: Arc<Py<PyAny>>,
}

impl Observer for Follow {
    fn plan(&self, runs: &[usize]) {
        let plan = (runs.len(), runs.iter().sum::<usize>());
        self.calls.notify(&self.object, "plan", plan);
    }

    fn start_run(&self, name: &str) {
        self.calls.notify(&self.object, "start", (name.to_owned(),));
    }

    fn advance(&self, rows: usize) {
        self.calls.notify(&self.object, "advance", (rows,));
    }

    fn finish_run(&self, rows: usize, record: &Record) {
        self.calls
            .notify(&self.object, "finish", (rows, to_line(record)));
    }

    fn is_stopped(&self) -> bool {
        self.calls.is_stopped()
    }
}
