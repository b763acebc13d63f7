//! One comparison and its report, with the options of `cargo xtask compare`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use comparison::files::FileError;
use comparison::folder::{self, Earlier, Folder};
use comparison::metric::Metric;
use comparison::protocol::{Design, Preprocessing, TrainSize};
use comparison::record::{Host, Protocol, Record};
use comparison::report::{self as pages, Index};
use comparison::{
    Comparison, Completion, GridPart, Limits, Observer, Runner, SetupError, host, read_records,
    to_line,
};
use datasets::{Dataset, OpenOptions, Target, TaskKind};
use forest_core::{ForestSettings, threads};
use numpy::PyReadonlyArray2;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tables::preprocessing::FeatureScaling;

use super::calls::Calls;
use super::outside::{Described, bind};
use crate::error::{refused, wrong_value};

/// Runs a comparison and writes its records and report. Returns the folder.
///
/// # Errors
/// Returns an error for a comparison that cannot be run; the exception of Ctrl-C after its report is written.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    learners: Vec<Described>,
    data: Vec<Source<'_>>,
    options: &Bound<'_, PyDict>,
    follow: Py<PyAny>,
) -> PyResult<PathBuf> {
    let options = Options::of(options)?;
    let learners: Vec<Arc<Described>> = learners.into_iter().map(Arc::new).collect();
    let (mut sets, mut tables) = (Vec::new(), Vec::new());
    for source in data {
        let (set, warnings, table) = source.open(&options.data_dir)?;
        for warning in warnings {
            let warning = format!("warning: {}: {warning}", set.name);
            follow.call_method1(py, "remark", (warning,))?;
        }
        sets.push(set);
        tables.push(Arc::new(table));
    }
    let addresses: Vec<String> = sets.iter().map(|set| set.name.clone()).collect();
    datasets::disambiguate(&mut sets, &addresses);
    let work = |calls| {
        let observer = Follow::new(calls, follow);
        run(
            &plan(&learners, &sets, &tables, &options, &observer)?,
            &options,
            &observer,
        )
    };
    let (done, stopped) = Calls::serve(py, work);
    let folder = done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    stopped.map_or(Ok(folder), Err)
}

/// Plans every data set under every protocol, and gives learners of Python the data set that they are made for.
fn plan<'a>(
    learners: &[Arc<Described>],
    sets: &'a [Dataset],
    tables: &[Arc<Py<PyAny>>],
    Options {
        protocols,
        design,
        metrics,
        ..
    }: &Options,
    observer: &Follow,
) -> PyResult<Vec<Comparison<'a>>> {
    let tasks: Vec<TaskKind> = sets.iter().map(Dataset::task).collect();
    SetupError::check_metrics(metrics, &tasks).map_err(refused)?;
    let calls = &observer.calls;
    let algorithms = learners.iter().map(|it| it.contender(calls, &tables[0], 1));
    let algorithms = algorithms.collect::<PyResult<Vec<_>>>()?;
    let planned = comparison::comparisons(sets, &algorithms, protocols, design);
    let mut planned = planned.map_err(refused)?;
    for comparison in &mut planned {
        for (set, table) in sets.iter().zip(tables) {
            if std::ptr::eq(set, comparison.dataset) {
                bind(comparison, learners, calls, table)?;
            }
        }
    }
    for remark in comparison::remarks(sets, &algorithms, protocols, design) {
        observer.tell("remark", (remark,));
    }
    Ok(planned)
}

fn run(comparisons: &[Comparison<'_>], options: &Options, observer: &Follow) -> PyResult<PathBuf> {
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
        observer,
        limits: options.limits,
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
    if let Some(index) = Index::of(&records, options.command.clone()) {
        let complete = completion == Completion::Complete;
        write(
            &folder.path,
            Index { complete, ..index },
            &records,
            &options.metrics,
        )?;
    }
    Ok(folder.path)
}

fn write(out: &Path, index: Index, records: &[Record], metrics: &[Metric]) -> PyResult<()> {
    let sections = pages::sections_by(records, metrics);
    for warning in pages::write(out, index, &sections).map_err(refused)? {
        comparison::notice::print_line(&format!("warning: {warning}"));
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
        Some(index) => write(&folder, index, &records, &named(metrics)?),
        None => Ok(()),
    }
}

/// Returns the tables of a folder of runs as text.
///
/// # Errors
/// Returns an error for a folder without runs, or an unknown metric.
#[pyfunction]
pub fn tables_of_runs(folder: PathBuf, metrics: Vec<String>) -> PyResult<String> {
    let records: Vec<Record> = read_records(&folder::runs(&folder)).map_err(refused)?;
    Ok(pages::tables(&pages::sections_by(
        &records,
        &named(metrics)?,
    )))
}

fn named(metrics: Vec<String>) -> PyResult<Vec<Metric>> {
    metrics
        .iter()
        .map(|name| name.parse().map_err(refused))
        .collect()
}

/// The keyword arguments of Python's `compare`, which are the options of `cargo xtask compare`.
struct Options {
    protocols: Vec<Protocol>,
    design: Design,
    limits: Limits,
    metrics: Vec<Metric>,
    seeds: u64,
    trees: usize,
    threads: usize,
    out: Option<PathBuf>,
    resume: bool,
    data_dir: PathBuf,
    command: String,
}

const PROTOCOLS: [(&str, &[Protocol]); 6] = [
    ("both", &[Protocol::Holdout, Protocol::Prequential]),
    ("holdout", &[Protocol::Holdout]),
    ("prequential", &[Protocol::Prequential]),
    ("kfold", &[Protocol::KFold]),
    ("prequential-kfold", &[Protocol::PrequentialKFold]),
    ("delayed", &[Protocol::Delayed]),
];

impl Options {
    fn of(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let default = Design::default();
        let (trees, threads) = (
            value(given, "trees")?.unwrap_or(10),
            value(given, "threads")?,
        );
        let threads: usize = threads.unwrap_or(1);
        ForestSettings::check_trees(trees).map_err(refused)?;
        threads::check(threads).map_err(refused)?;
        let protocol: String = value(given, "protocol")?.unwrap_or_default();
        let protocols = PROTOCOLS.iter().find(|(name, _)| *name == protocol);
        let protocols =
            protocols.ok_or_else(|| one_of("protocol", &protocol, PROTOCOLS.map(|it| it.0)))?;
        let train = value::<String>(given, "train")?.map(|text| text.parse::<TrainSize>());
        let seconds = value(given, "time_limit")?.map(Duration::try_from_secs_f64);
        let time = seconds
            .transpose()
            .ok()
            .filter(|time| *time != Some(Duration::ZERO));
        let time =
            time.ok_or_else(|| wrong_value("time_limit must be a number of seconds above 0"))?;
        let folder = std::env::var_os("FOREST_DATA").unwrap_or(datasets::DEFAULT_DATA_DIR.into());
        Ok(Self {
            protocols: protocols.1.to_vec(),
            design: Design {
                order: word(given, "order")?,
                train: train.transpose().map_err(refused)?,
                splitting: word(given, "split")?.unwrap_or(default.splitting),
                folds: value(given, "folds")?.unwrap_or(default.folds),
                validation: word(given, "validation")?.unwrap_or(default.validation),
                delay: value(given, "delay")?.unwrap_or(default.delay),
                preprocessing: Preprocessing {
                    scaling: word(given, "scale")?.unwrap_or(FeatureScaling::Minmax),
                    weights: word(given, "weights")?.unwrap_or_default(),
                    components: value(given, "components")?,
                },
            },
            limits: Limits {
                bytes: value(given, "max_memory")?,
                time,
            },
            metrics: named(value(given, "metrics")?.unwrap_or_default())?,
            seeds: value(given, "seeds")?.unwrap_or(5),
            trees,
            threads,
            out: value(given, "out")?,
            resume: value(given, "resume")?.unwrap_or(false),
            data_dir: value(given, "data_dir")?.unwrap_or(folder.into()),
            command: value(given, "command")?.unwrap_or_default(),
        })
    }
}

/// Returns an option; `None` where Python has none.
fn value<'py, V: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    given: &Bound<'py, PyDict>,
    option: &str,
) -> PyResult<Option<V>> {
    let value = given.get_item(option)?.filter(|value| !value.is_none());
    value.map(|value| value.extract()).transpose()
}

/// Returns an option that is one of the words that the program has.
fn word<V: ValueEnum>(given: &Bound<'_, PyDict>, option: &str) -> PyResult<Option<V>> {
    let Some(text) = value::<String>(given, option)? else {
        return Ok(None);
    };
    V::from_str(&text, false).map(Some).map_err(|_| {
        let known = V::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value);
        one_of(
            option,
            &text,
            known.map(|value| value.get_name().to_owned()),
        )
    })
}

fn one_of(option: &str, text: &str, known: impl IntoIterator<Item: AsRef<str>>) -> PyErr {
    let known: Vec<String> = known
        .into_iter()
        .map(|it| format!("{:?}", it.as_ref()))
        .collect();
    wrong_value(format!(
        "{option} must be one of {}, but is {text:?}",
        known.join(", ")
    ))
}

/// Data as Python describes them.
#[derive(FromPyObject)]
pub struct Source<'py> {
    /// The address or the name.
    name: String,
    /// Rows in memory; `None` for an address.
    rows: Option<PyReadonlyArray2<'py, f32>>,
    features: Vec<String>,
    /// Classes by name, one a row.
    words: Option<Vec<String>>,
    /// Numbers, one a row.
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

/// Rows are reported at most this often.
const A_WHILE: Duration = Duration::from_millis(200);

/// Tells Python's object what happens.
struct Follow {
    calls: Calls,
    object: Arc<Py<PyAny>>,
    rows: AtomicUsize,
    reported: Mutex<Instant>,
}

impl Follow {
    fn new(calls: Calls, object: Py<PyAny>) -> Self {
        let (object, reported) = (Arc::new(object), Mutex::new(Instant::now()));
        Self {
            calls,
            object,
            rows: AtomicUsize::new(0),
            reported,
        }
    }

    fn tell<A: for<'py> PyCallArgs<'py> + Send + 'static>(&self, what: &'static str, arguments: A) {
        let object = self.object.clone();
        // An exception here is that of a signal, which has been noted.
        let tell = move |py: Python<'_>| object.bind(py).call_method1(what, arguments).map(drop);
        let _ = self.calls.call(tell);
    }
}

impl Observer for Follow {
    fn plan(&self, runs: &[usize]) {
        self.tell("plan", (runs.len(), runs.iter().sum::<usize>()));
    }

    fn start_run(&self, name: &str) {
        self.tell("start", (name.to_owned(),));
    }

    fn advance(&self, rows: usize) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.elapsed() > A_WHILE {
            *reported = Instant::now();
            self.tell("advance", (self.rows.swap(0, Ordering::Relaxed),));
        }
    }

    fn finish_run(&self, rows: usize, record: &Record) {
        self.rows.store(0, Ordering::Relaxed);
        self.tell("finish", (rows, to_line(record)));
    }

    fn is_stopped(&self) -> bool {
        self.calls.is_stopped()
    }
}
