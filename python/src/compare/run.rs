//! One comparison and its report, with the options of `cargo xtask compare`.

use std::env;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum as _;
use comparison::files::FileError;
use comparison::folder::{self, Earlier, Folder};
use comparison::metric::Metric;
use comparison::protocol::{Design, Order, Preprocessing, Splitting, TrainSizeError, Validation};
use comparison::record::{Host, Protocol, Record};
use comparison::report::{self as pages, Index};
use comparison::{
    Comparison, Completion, GridPart, Limits, Observer, Runner, SetupError, host, read_records,
    to_line,
};
use datasets::{Dataset, OpenOptions, Target, TaskKind};
use forest_core::{ForestSettings, threads};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde::Deserialize;

use super::calls::Calls;
use super::outside::{Described, bind};
use crate::error::{refused, wrong_value};

/// The keyword arguments of Python's `compare`, which are the options of `cargo xtask compare`.
#[derive(Deserialize)]
struct Options {
    protocols: Vec<Protocol>,
    order: Option<Order>,
    train: Option<String>,
    split: Option<String>,
    folds: Option<usize>,
    validation: Option<Validation>,
    delay: Option<usize>,
    preprocessing: Preprocessing,
    metrics: Vec<String>,
    seeds: u64,
    trees: usize,
    threads: usize,
    out: Option<PathBuf>,
    resume: bool,
    data_dir: Option<PathBuf>,
    max_memory: Option<u64>,
    /// Above 0.
    time_limit: Option<f64>,
    command: String,
}

impl Options {
    fn design(&self) -> PyResult<Design> {
        let default = Design::default();
        let train = self.train.as_deref().map(str::parse).transpose();
        let split = self
            .split
            .as_deref()
            .map(|text| Splitting::from_str(text, false));
        let split = split
            .transpose()
            .map_err(|error| wrong_value!("split: {error}"))?;
        Ok(Design {
            order: self.order,
            train: train.map_err(|error: TrainSizeError| refused(error))?,
            splitting: split.unwrap_or_default(),
            folds: self.folds.unwrap_or(default.folds),
            validation: self.validation.unwrap_or_default(),
            delay: self.delay.unwrap_or(default.delay),
            preprocessing: self.preprocessing,
        })
    }
}

/// Runs a comparison, whose options are JSON, and writes its records and report. Returns the folder; the exception of Ctrl-C comes after the
/// report is written.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    learners: Vec<Described>,
    data: Vec<Source<'_>>,
    options: &str,
    follow: Py<PyAny>,
) -> PyResult<PathBuf> {
    let options: Options = serde_json::from_str(options).map_err(refused)?;
    ForestSettings::check_trees(options.trees).map_err(refused)?;
    threads::check(options.threads).map_err(refused)?;
    let learners: Vec<Arc<Described>> = learners.into_iter().map(Arc::new).collect();
    let folder = options
        .data_dir
        .clone()
        .or(env::var_os("FOREST_DATA").map(PathBuf::from));
    let folder = folder.unwrap_or_else(|| datasets::DEFAULT_DATA_DIR.into());
    let (mut sets, mut tables) = (Vec::new(), Vec::new());
    for source in data {
        let (set, warnings, table) = source.open(&folder)?;
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
        let comparisons = plan(&learners, &sets, &tables, &options, &observer)?;
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
    options: &Options,
    observer: &Follow,
) -> PyResult<Vec<Comparison<'a>>> {
    let tasks: Vec<TaskKind> = sets.iter().map(Dataset::task).collect();
    SetupError::check_metrics(&named(&options.metrics)?, &tasks).map_err(refused)?;
    let (protocols, design) = (&options.protocols, options.design()?);
    let (calls, first) = (&observer.calls, &tables[0]);
    let algorithms = learners.iter().map(|it| it.contender(calls, first, 1));
    let algorithms = algorithms.collect::<PyResult<Vec<_>>>()?;
    let planned = comparison::comparisons(sets, &algorithms, protocols, &design);
    let mut planned = planned.map_err(refused)?;
    for comparison in &mut planned {
        for (set, table) in sets.iter().zip(tables) {
            if std::ptr::eq(set, comparison.dataset) {
                bind(comparison, learners, calls, table)?;
            }
        }
    }
    for remark in comparison::remarks(sets, &algorithms, protocols, &design) {
        calls.tell(&observer.object, "remark", (remark,));
    }
    Ok(planned)
}

fn run(comparisons: &[Comparison<'_>], options: &Options, observer: &Follow) -> PyResult<PathBuf> {
    let earlier = [Earlier::Refused, Earlier::Resumed][usize::from(options.resume)];
    let mut folder = Folder::open(options.out.as_deref(), earlier).map_err(refused)?;
    let mut records = std::mem::take(&mut folder.finished);
    let finished = records.clone();
    let runner = Runner {
        host: Host::current(),
        threads: host::threads(NonZeroUsize::new(options.threads)),
        trees: options.trees,
        seeds: 0..options.seeds,
        part: GridPart::WHOLE,
        observer,
        limits: Limits {
            bytes: options.max_memory,
            time: options.time_limit.map(Duration::from_secs_f64),
        },
        finished: &finished,
    };
    let mut log = folder.open_log().map_err(refused)?;
    let keep = |record: Record| -> Result<(), FileError> {
        log.append(&record)?;
        records.push(record);
        Ok(())
    };
    let completion = threads::with_threads(options.threads, || runner.run(comparisons, keep));
    let completion = completion.map_err(refused)?.map_err(refused)?;
    let complete = completion == Completion::Complete;
    write(
        &folder.path,
        &records,
        complete,
        &options.metrics,
        &options.command,
    )?;
    Ok(folder.path)
}

fn write(
    folder: &Path,
    records: &[Record],
    complete: bool,
    metrics: &[String],
    command: &str,
) -> PyResult<()> {
    let Some(index) = Index::of(records, command.to_owned()) else {
        return Ok(());
    };
    let sections = pages::sections_by(records, &named(metrics)?);
    let warnings = pages::write(folder, Index { complete, ..index }, &sections);
    for warning in warnings.map_err(refused)? {
        host::print_line(&format!("warning: {warning}"));
    }
    Ok(())
}

/// Writes the report of a folder of runs again, with these metrics in its tables.
#[pyfunction]
pub fn write_report(folder: PathBuf, metrics: Vec<String>, command: &str) -> PyResult<()> {
    let _lock = folder::lock(&folder).map_err(refused)?;
    let records: Vec<Record> = read_records(&folder::runs(&folder)).map_err(refused)?;
    write(&folder, &records, true, &metrics, command)
}

/// Returns the tables of a folder of runs as text.
#[pyfunction]
pub fn tables_of_runs(folder: PathBuf, metrics: Vec<String>) -> PyResult<String> {
    let records: Vec<Record> = read_records(&folder::runs(&folder)).map_err(refused)?;
    let sections = pages::sections_by(&records, &named(&metrics)?);
    Ok(pages::tables(&sections))
}

fn named(metrics: &[String]) -> PyResult<Vec<Metric>> {
    let metrics = metrics.iter().map(|name| name.parse().map_err(refused));
    metrics.collect()
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
    fn open(self, folder: &Path) -> PyResult<(Dataset, Vec<String>, Py<PyAny>)> {
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
            let data_dir = Some(folder.to_owned());
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

/// Tells Python's object what happens.
struct Follow {
    calls: Calls,
    object: Arc<Py<PyAny>>,
}

impl Observer for Follow {
    fn plan(&self, runs: &[usize]) {
        let plan = (runs.len(), runs.iter().sum::<usize>());
        self.calls.tell(&self.object, "plan", plan);
    }

    fn start_run(&self, name: &str) {
        self.calls.tell(&self.object, "start", (name.to_owned(),));
    }

    fn advance(&self, rows: usize) {
        self.calls.tell(&self.object, "advance", (rows,));
    }

    fn finish_run(&self, rows: usize, record: &Record) {
        self.calls
            .tell(&self.object, "finish", (rows, to_line(record)));
    }

    fn is_stopped(&self) -> bool {
        self.calls.is_stopped()
    }
}
