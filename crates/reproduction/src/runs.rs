//! Runs of items: what is run, its records, and the threads that run what is missing.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use comparison::files::FileError;
use comparison::host::print_line;
use comparison::record::Host;
use comparison::{RunLog, read_records, write_packed};
use forest_core::threads;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use toml::Value;

use crate::functions;
use crate::item::Item;
use crate::learn::{Learn, Library};

const TEMPLATE: &str = "{bar:30} {pos}/{len} runs · {eta} left · {msg}";

/// The records that the page of a paper is made of.
pub(crate) const OF_PAGES: &str = "runs.jsonl.gz";

/// How much is run.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Minutes for all items.
    Quick,
    /// As large as the papers.
    Full,
}

/// A run. The names of fields are the JSON keys of its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub item: String,
    pub scale: Scale,
    pub panel: String,
    pub series: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    #[serde(flatten)]
    pub work: Work,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Work {
    /// A named learner on a data set.
    Learn(Box<Learn>),
    /// A function with its own code.
    Call {
        function: String,
        parameters: Parameters,
    },
}

pub(crate) type Parameters = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    #[serde(flatten)]
    pub task: Task,
    pub host: Host,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Rows(Vec<Row>),
    Error(String),
}

/// Measured values of one line at one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub panel: String,
    pub series: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    pub values: BTreeMap<String, f64>,
}

impl Record {
    fn new(task: Task, host: &Host, outcome: Outcome) -> Self {
        let host = host.clone();
        Self {
            task,
            host,
            outcome,
        }
    }
}

impl Row {
    pub(crate) fn new(panel: &str, series: &str, x: Option<f64>) -> Self {
        let (panel, series, values) = (panel.to_owned(), series.to_owned(), BTreeMap::new());
        Self {
            panel,
            series,
            x,
            values,
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: f64) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · {}", self.item, self.panel, self.series)?;
        self.x.map_or(Ok(()), |x| write!(f, " · {x}"))?;
        write!(f, " · seed {}", self.seed)
    }
}

/// The records of an item.
pub(crate) struct Log {
    path: PathBuf,
    file: Option<RunLog>,
    pub records: Vec<Record>,
}

impl Job {
    /// Returns runs, but for panels that have some the missing ones.
    pub(crate) fn new(tasks: Vec<Task>, mut missing: Vec<(String, String)>, log: Log) -> Self {
        missing.retain(|(name, _)| tasks.iter().all(|task| task.panel != *name));
        Self {
            tasks,
            missing,
            log,
        }
    }
}

impl Log {
    /// Opens the records of the runs of an item: `<out>/<paper>/<item>/runs.jsonl`.
    pub(crate) fn open_runs(out: &Path, item: &Item) -> Result<Self, FileError> {
        Self::read(out.join(item.address()).join("runs.jsonl"))
    }

    /// Opens the records that the section of an item is made of; those of a paper are one file.
    pub(crate) fn open_page(pages: &Path, item: &Item) -> Result<Self, FileError> {
        let mut log = Self::read(pages.join(&item.paper).join(OF_PAGES))?;
        log.records
            .retain(|record| record.task.item == item.address());
        Ok(log)
    }

    /// Replaces the records of an item at a scale in that file.
    pub(crate) fn write_of_page(
        pages: &Path,
        item: &Item,
        scale: Scale,
        records: &[&Record],
    ) -> Result<(), FileError> {
        let mut log = Self::read(pages.join(&item.paper).join(OF_PAGES))?;
        let place = |record: &Record| (record.task.item.clone(), record.task.scale);
        log.records
            .retain(|record| place(record) != (item.address(), scale));
        log.records.extend(records.iter().copied().cloned());
        log.records.sort_by_cached_key(place);
        write_packed(&log.path, log.records)
    }

    fn read(path: PathBuf) -> Result<Self, FileError> {
        let mut log = Self {
            path,
            file: None,
            records: Vec::new(),
        };
        if log.path.is_file() {
            log.records = read_records(&log.path)?;
        }
        Ok(log)
    }

    /// Returns the record of a run that did not fail.
    pub(crate) fn find(&self, task: &Task) -> Option<&Record> {
        let is_done =
            |record: &&Record| matches!(record.outcome, Outcome::Rows(_)) && record.task == *task;
        self.records.iter().find(is_done)
    }

    /// Returns the same, or the latest failure.
    pub(crate) fn latest(&self, task: &Task) -> Option<&Record> {
        let mut latest = self.records.iter().rev();
        (self.find(task)).or(latest.find(|record| record.task == *task))
    }

    pub(crate) fn append(&mut self, record: Record) -> Result<(), FileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => RunLog::open(&self.path)?,
        };
        self.file.insert(file).append(&record)?;
        self.records.push(record);
        Ok(())
    }
}

/// The runs of an item that are wanted, and the records there are.
pub(crate) struct Job {
    pub tasks: Vec<Task>,
    /// Panels whose data are missing, with the reason.
    pub missing: Vec<(String, String)>,
    pub log: Log,
}

/// Runs what is missing in parallel, each run with one thread, so that their number does not change results.
pub(crate) fn run(jobs: &mut [Job], folder: &Path, threads: usize) -> Result<()> {
    fn lock<V>(shared: &Mutex<V>) -> MutexGuard<'_, V> {
        shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
    let mut missing = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        let tasks = job.tasks.iter().filter(|task| job.log.find(task).is_none());
        missing.extend(tasks.map(|task| (number, task.clone())));
    }
    let all = missing.len();
    let bar = ProgressBar::new(all as u64);
    bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
    let (host, library) = (Host::current(), Library::new(folder));
    let (queue, logs) = (Mutex::new(missing.into_iter()), Mutex::new((jobs, Ok(()))));
    let worker = || loop {
        let Some((job, task)) = lock(&queue).next() else {
            return;
        };
        bar.set_message(task.to_string());
        let rows = catch_unwind(AssertUnwindSafe(|| rows(&task, &library)));
        let rows = rows.unwrap_or_else(|_| Err(anyhow!("the run panicked; see the message above")));
        let outcome = rows.map_or_else(|error| Outcome::Error(format!("{error:#}")), Outcome::Rows);
        bar.inc(1);
        let done = bar.position();
        match &outcome {
            Outcome::Error(error) => print_line(&format!("{task}: {error}")),
            Outcome::Rows(_) if bar.is_hidden() => print_line(&format!("[{done}/{all}] {task}")),
            Outcome::Rows(_) => {}
        }
        let mut logs = lock(&logs);
        let written = logs.0[job].log.append(Record::new(task, &host, outcome));
        if written.is_err() {
            logs.1 = written;
            *lock(&queue) = Vec::new().into_iter();
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| threads::with_threads(1, worker).expect("there is one thread"));
        }
    });
    bar.finish_and_clear();
    let logs = logs.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(logs.1?)
}

fn rows(task: &Task, library: &Library) -> Result<Vec<Row>> {
    match &task.work {
        Work::Learn(learn) => {
            let mut row = Row::new(&task.panel, &task.series, task.x);
            row.values = learn.measure(task.seed, library)?;
            Ok(vec![row])
        }
        Work::Call {
            function,
            parameters,
        } => functions::read(function, parameters)?.rows(task, library),
    }
}
