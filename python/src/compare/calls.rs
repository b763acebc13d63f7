//! Calls of Python from a thread that measures: the thread that started the comparison makes them.
//!
//! Signal handlers run on Python's main thread only. So the comparison runs on a thread of its own, and the thread that started it
//! waits for calls: Ctrl-C and alarms then interrupt the learner that is being called.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{process, thread};

use forest_core::InputError;
use pyo3::exceptions::{PyException, PyGeneratorExit, PySystemExit};
use pyo3::prelude::*;

/// Signals are looked for this often while no call is made.
const A_WHILE: Duration = Duration::from_millis(50);

type Job = Box<dyn FnOnce(Python<'_>) + Send>;

/// Makes calls of Python on the thread that started the comparison.
#[derive(Clone)]
pub struct Calls {
    /// `None` ends the waiting.
    jobs: Sender<Option<Job>>,
    stop: Stop,
}

/// The exception that ends the comparison before the last run.
#[derive(Clone, Default)]
struct Stop(Arc<Mutex<Option<PyErr>>>);

impl Stop {
    fn error(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the comparison for what no learner should raise by itself: Ctrl-C, and exceptions of other signal handlers. `sys.exit()` in a
    /// learner is a failure of it, and so is the alarm of the time limit.
    fn unless_of_learner(&self, py: Python<'_>, error: PyErr) {
        let is_limit = error.get_type(py).hasattr("of_time_limit").unwrap_or(false);
        let is_of_learner = error.is_instance_of::<PyException>(py)
            || error.is_instance_of::<PySystemExit>(py)
            || error.is_instance_of::<PyGeneratorExit>(py);
        if !is_limit && !is_of_learner {
            self.error().get_or_insert(error);
        }
    }
}

impl Calls {
    /// Runs `work` on another thread, which may call Python, and returns its result with the exception that ended it early.
    pub fn serve<R: Send>(
        py: Python<'_>,
        work: impl FnOnce(Self) -> R + Send,
    ) -> (thread::Result<R>, Option<PyErr>) {
        let (jobs, received) = mpsc::channel();
        let (ended, stop) = (jobs.clone(), Stop::default());
        let calls = Self {
            jobs,
            stop: stop.clone(),
        };
        let waiting = stop.clone();
        let done = py.detach(move || {
            thread::scope(|scope| {
                let worker = scope.spawn(move || {
                    // Unwind safe: nothing that it changes is used afterwards.
                    let done = catch_unwind(AssertUnwindSafe(|| work(calls)));
                    // The receiver lives until this arrives.
                    let _ = ended.send(None);
                    done
                });
                wait(&received, &waiting);
                worker.join().unwrap_or_else(Err)
            })
        });
        let error = stop.error().take();
        (done, error)
    }

    /// Calls Python and waits for the result.
    ///
    /// # Errors
    /// Returns [`InputError::Failed`] with the exception in words. One that is not the learner's, such as that of Ctrl-C, ends the
    /// comparison.
    pub fn call<R: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>) -> PyResult<R> + Send + 'static,
    ) -> Result<R, InputError> {
        let (result, returned) = mpsc::channel();
        let stop = self.stop.clone();
        let job = move |py: Python<'_>| {
            let done = work(py).map_err(|error| {
                let reason = in_words(py, &error);
                stop.unless_of_learner(py, error);
                InputError::Failed { reason }
            });
            // The caller waits for it.
            let _ = result.send(done);
        };
        // Without anybody who makes it, the call is dropped, and nothing returns.
        let _ = self.jobs.send(Some(Box::new(job)));
        let ended = "the comparison has ended".to_owned();
        returned
            .recv()
            .unwrap_or(Err(InputError::Failed { reason: ended }))
    }

    /// Returns whether the comparison is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.error().is_some()
    }
}

/// Makes calls until there are no more.
fn wait(received: &Receiver<Option<Job>>, stop: &Stop) {
    let own = process::id();
    loop {
        match received.recv_timeout(A_WHILE) {
            Ok(Some(job)) => Python::attach(|py| {
                job(py);
                // A process that a learner forked and that returned from it has the other's files, but not its threads.
                if process::id() != own {
                    let exit = py
                        .import("os")
                        .and_then(|os| os.call_method1("_exit", (1,)));
                    exit.map_or_else(|_| process::abort(), drop);
                }
            }),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                if let Err(error) = py.check_signals() {
                    stop.unless_of_learner(py, error);
                }
            }),
        }
    }
}

/// Describes an exception as Python does in its last line, with the place that raised it.
fn in_words(py: Python<'_>, error: &PyErr) -> String {
    let place = || -> PyResult<String> {
        let extract = py.import("traceback")?.getattr("extract_tb")?;
        let last = extract.call1((error.traceback(py),))?.get_item(-1)?;
        let file: String = last.getattr("filename")?.extract()?;
        let name = file.rsplit(['/', '\\']).next().unwrap_or(&file);
        Ok(format!(" ({name}, line {})", last.getattr("lineno")?))
    };
    format!("{error}{}", place().unwrap_or_default())
}
