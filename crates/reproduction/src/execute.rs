//! Executes runs in parallel, each with one thread, so that their number does not change results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use comparison::notice::print_line;
use comparison::record::Host;
use forest_core::threads;
use indicatif::{ProgressBar, ProgressStyle};

use crate::data::Library;
use crate::log::Log;
use crate::plan::Plan;
use crate::record::{Outcome, Record, Row, Task, Work};
use crate::{functions, learn};

const TEMPLATE: &str = "{bar:30} {pos}/{len} runs · {eta} left · {msg}";

/// An item and its pending runs.
pub(crate) struct Job {
    pub plan: Plan,
    pub log: Log,
}

/// The state that all workers share.
struct Shared<'a> {
    jobs: &'a mut [Job],
    /// Job and number of each pending task; the last is next.
    queue: Vec<(usize, usize)>,
    /// The number of unfinished runs of each job.
    pending: Vec<usize>,
    error: Option<anyhow::Error>,
}

/// Runs what the logs lack, on this many threads. Returns an error if a record cannot be written; a run that fails is a record.
pub(crate) fn run(jobs: &mut [Job], folder: &Path, host: &Host, threads: usize) -> Result<()> {
    let (mut queue, mut pending) = (Vec::new(), vec![0; jobs.len()]);
    for (number, job) in jobs.iter().enumerate() {
        let tasks = job.plan.tasks.iter().enumerate();
        let missing = tasks.filter(|(_, task)| job.log.find(task).is_none());
        queue.extend(missing.map(|(task, _)| (number, task)));
        pending[number] = queue.iter().filter(|(job, _)| *job == number).count();
    }
    queue.reverse();
    let bar = ProgressBar::new(queue.len() as u64);
    bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
    let library = Library::new(folder);
    let shared = Mutex::new(Shared {
        jobs,
        queue,
        pending,
        error: None,
    });
    let worker = || {
        let work = || while step(&shared, &library, host, &bar) {};
        threads::with_threads(1, work)
    };
    let ended: Result<Vec<()>, _> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let ended = workers.into_iter().map(|worker| worker.join());
        ended
            .map(|ended| ended.expect("a worker catches panics"))
            .collect()
    });
    bar.finish_and_clear();
    ended?;
    let work = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    work.error.map_or(Ok(()), Err)
}

/// Executes the next run of the queue; returns false if the queue is empty, or a record could not be written.
fn step(shared: &Mutex<Shared<'_>>, library: &Library, host: &Host, bar: &ProgressBar) -> bool {
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((job, task)) = lock().next() else {
        return false;
    };
    bar.set_message(task.to_string());
    let outcome = outcome(&task, library);
    if let Outcome::Error(error) = &outcome {
        print_line(&format!("{task}: {error}"));
    }
    let record = Record {
        task,
        host: host.clone(),
        outcome,
    };
    let mut work = lock();
    let written = work.jobs[job].log.append(record);
    bar.inc(1);
    work.pending[job] -= 1;
    if work.pending[job] == 0 {
        work.forget_data(library);
        if bar.is_hidden() {
            let item = &work.jobs[job].plan.tasks[0].item;
            print_line(&format!(
                "{item} is done; {} runs are left",
                work.queue.len()
            ));
        }
    }
    if let Err(error) = written {
        work.error = Some(error.into());
        work.queue.clear();
    }
    true
}

impl Shared<'_> {
    fn next(&mut self) -> Option<(usize, Task)> {
        let (job, task) = self.queue.pop()?;
        Some((job, self.jobs[job].plan.tasks[task].clone()))
    }

    /// Closes data that the remaining runs do not need.
    fn forget_data(&self, library: &Library) {
        let addresses: Vec<&str> = self
            .queue
            .iter()
            .filter_map(
                |(job, task)| match &self.jobs[*job].plan.tasks[*task].work {
                    Work::Learn(learn) => Some(learn.data.address.as_str()),
                    Work::Call(call) => call.parameters.get("data")?.as_str(),
                },
            )
            .collect();
        library.keep_only(|address| addresses.contains(&address));
    }
}

/// Executes a run; a panic fails this run only.
fn outcome(task: &Task, library: &Library) -> Outcome {
    let rows = catch_unwind(AssertUnwindSafe(|| rows(task, library)));
    match rows.unwrap_or_else(|_| Err(anyhow!("the run panicked; see the message above"))) {
        Ok(rows) => Outcome::Rows(rows),
        Err(error) => Outcome::Error(format!("{error:#}")),
    }
}

fn rows(task: &Task, library: &Library) -> Result<Vec<Row>> {
    match &task.work {
        Work::Learn(work) => {
            let mut row = Row::new(&task.panel, &task.series, task.x);
            row.values = learn::run(work, task.seed, library)?;
            Ok(vec![row])
        }
        Work::Call(call) => functions::call(call, task, library),
    }
}
