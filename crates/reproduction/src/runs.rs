//! Runs of items: what is run, its records, and the threads that run what is missing.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use comparison::files::FileError;
use comparison::notice::print_line;
use comparison::record::Host;
use comparison::{RunLog, read_records, write_packed};
use forest_core::threads;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use toml::Value;

use crate::functions;
use crate::item::Item;
use crate::learn::{Data, Library};

const TEMPLATE: &str = "{bar:30} {pos}/{len} runs · {eta} left · {msg}";

/// The records that the page of a paper is made of.
pub(crate) const OF_PAGES: &str = "runs.jsonl.gz";

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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
    Learn {
        data: Box<Data>,
        algorithm: String,
        trees: usize,
        passes: usize,
        training_error: bool,
    },
    /// A function with its own code.
    Call {
        function: String,
        parameters: BTreeMap<String, Value>,
    },
}

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

impl Row {
    pub(crate) fn new(panel: &str, series: &str, x: Option<f64>) -> Self {
        let (panel, series) = (panel.to_owned(), series.to_owned());
        Self {
            panel,
            series,
            x,
            values: BTreeMap::new(),
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
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: Option<RunLog>,
    pub records: Vec<Record>,
}

impl Log {
    /// Opens the records of the runs of an item: `<out>/<paper>/<item>/runs.jsonl`.
    pub(crate) fn open_runs(out: &Path, item: &Item) -> Result<Self, FileError> {
        Self::read(out.join(&item.paper).join(&item.name).join("runs.jsonl"))
    }

    /// Opens the records that the section of an item is made of; those of a paper are one file.
    pub(crate) fn open_page(pages: &Path, item: &Item) -> Result<Self, FileError> {
        let mut log = Self::read(pages.join(&item.paper).join(OF_PAGES))?;
        let address = item.address();
        log.records.retain(|record| record.task.item == address);
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
        let own = (item.address(), scale);
        log.records.retain(|record| place(record) != own);
        log.records.extend(records.iter().copied().cloned());
        log.records.sort_by_cached_key(place);
        write_packed(&log.path, log.records)
    }

    fn read(path: PathBuf) -> Result<Self, FileError> {
        let records = if path.is_file() {
            read_records(&path)?
        } else {
            Vec::new()
        };
        Ok(Self {
            path,
            file: None,
            records,
        })
    }

    /// Returns the record of a run that did not fail.
    pub(crate) fn find(&self, task: &Task) -> Option<&Record> {
        let is_finished = |record: &&Record| matches!(record.outcome, Outcome::Rows(_));
        self.records
            .iter()
            .filter(is_finished)
            .find(|record| record.task == *task)
    }

    /// Returns the same, or the latest failure.
    pub(crate) fn latest(&self, task: &Task) -> Option<&Record> {
        let last = || {
            self.records
                .iter()
                .rev()
                .find(|record| record.task == *task)
        };
        self.find(task).or_else(last)
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

struct Shared<'a> {
    jobs: &'a mut [Job],
    /// Jobs and tasks by number, the last first.
    queue: Vec<(usize, usize)>,
    error: Option<FileError>,
}

/// Runs what is missing in parallel, each run with one thread, so that their number does not change results.
pub(crate) fn run(jobs: &mut [Job], folder: &Path, host: &Host, threads: usize) -> Result<()> {
    let mut queue = Vec::new();
    for (number, job) in jobs.iter().enumerate().rev() {
        let tasks = job.tasks.iter().enumerate().rev();
        let missing = tasks.filter(|(_, task)| job.log.find(task).is_none());
        queue.extend(missing.map(|(task, _)| (number, task)));
    }
    let bar = ProgressBar::new(queue.len() as u64);
    bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
    let library = Library::new(folder);
    let shared = Mutex::new(Shared {
        jobs,
        queue,
        error: None,
    });
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || {
        let mut work = lock();
        let (job, task) = work.queue.pop()?;
        Some((job, work.jobs[job].tasks[task].clone()))
    };
    let worker = || {
        while let Some((job, task)) = next() {
            bar.set_message(task.to_string());
            let rows = catch_unwind(AssertUnwindSafe(|| rows(&task, &library)));
            let rows =
                rows.unwrap_or_else(|_| Err(anyhow!("the run panicked; see the message above")));
            let outcome =
                rows.map_or_else(|error| Outcome::Error(format!("{error:#}")), Outcome::Rows);
            if let Outcome::Error(error) = &outcome {
                print_line(&format!("{task}: {error}"));
            }
            let item = task.item.clone();
            let mut work = lock();
            let written = work.jobs[job].log.append(Record {
                task,
                host: host.clone(),
                outcome,
            });
            bar.inc(1);
            if let Err(error) = written {
                work.error = Some(error);
                work.queue.clear();
            }
            if work.queue.last().is_none_or(|(next, _)| *next != job) {
                let needed: Vec<&str> = work
                    .queue
                    .iter()
                    .filter_map(|(job, task)| address(&work.jobs[*job].tasks[*task]))
                    .collect();
                library.keep_only(|address| needed.contains(&address));
                if bar.is_hidden() {
                    print_line(&format!(
                        "{item} is done; {} runs are left",
                        work.queue.len()
                    ));
                }
            }
        }
    };
    let ended: Result<Vec<()>, _> = thread::scope(|scope| {
        let start = |_| scope.spawn(|| threads::with_threads(1, worker));
        let workers: Vec<_> = (0..threads).map(start).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker catches panics"))
            .collect()
    });
    bar.finish_and_clear();
    ended?;
    let work = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    work.error.map_or(Ok(()), |error| Err(error.into()))
}

/// Returns the data that a run opens.
fn address(task: &Task) -> Option<&str> {
    match &task.work {
        Work::Learn { data, .. } => Some(&data.address),
        Work::Call { parameters, .. } => parameters.get("data")?.as_str(),
    }
}

fn rows(task: &Task, library: &Library) -> Result<Vec<Row>> {
    match &task.work {
        Work::Learn { data, .. } => {
            let mut row = Row::new(&task.panel, &task.series, task.x);
            row.values = data.measure(&task.work, task.seed, library)?;
            Ok(vec![row])
        }
        Work::Call {
            function,
            parameters,
        } => functions::call(function, parameters, task, library),
    }
}
