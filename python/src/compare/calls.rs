//! Calls of Python from a thread that measures: the thread that started the comparison makes them.
//!
//! Signal handlers run on Python's main thread only. So the comparison runs on a thread of its own, and the thread that started it
//! waits for calls: Ctrl-C and alarms then interrupt the learner that is being called.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

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
    stop: Arc<Stop>,
}

/// The reason to end before the last run.
#[derive(Default)]
struct Stop {
    requested: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Stop {
    fn request(&self, error: PyErr) {
        self.requested.store(true, Ordering::Relaxed);
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
    }
}

impl Calls {
    /// Runs `work` on another thread, which may call Python, and returns its result with the exception that ended it early.
    pub fn serve<R: Send>(
        py: Python<'_>,
        work: impl FnOnce(Self) -> R + Send,
    ) -> (thread::Result<R>, Option<PyErr>) {
        let (jobs, received) = mpsc::channel();
        let stop = Arc::<Stop>::default();
        let calls = Self {
            jobs: jobs.clone(),
            stop: stop.clone(),
        };
        let waiting = stop.clone();
        let done = py.detach(move || {
            thread::scope(|scope| {
                let worker = scope.spawn(move || {
                    // Unwind safe: nothing that it changes is used afterwards.
                    let done = catch_unwind(AssertUnwindSafe(|| work(calls)));
                    // The receiver lives until this arrives.
                    let _ = jobs.send(None);
                    done
                });
                wait(&received, &waiting);
                worker.join().unwrap_or_else(Err)
            })
        });
        let error = stop
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
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
                stop_unless_of_learner(py, &stop, error);
                InputError::Failed { reason }
            });
            // The caller waits for it.
            let _ = result.send(done);
        };
        let ended = || InputError::Failed {
            reason: "the comparison has ended".to_owned(),
        };
        self.jobs.send(Some(Box::new(job))).map_err(|_| ended())?;
        returned.recv().map_err(|_| ended())?
    }

    /// Returns whether the comparison is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.requested.load(Ordering::Relaxed)
    }
}

/// Makes calls until there are no more.
fn wait(received: &Receiver<Option<Job>>, stop: &Stop) {
    let own = process::id();
    loop {
        match received.recv_timeout(A_WHILE) {
            Ok(Some(job)) => Python::attach(|py| {
                job(py);
                end_child(py, own);
            }),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                if let Err(error) = py.check_signals() {
                    stop_unless_of_learner(py, stop, error);
                }
            }),
        }
    }
}

/// Ends a process that a learner forked and that returned from it: it has the other's files, but not its threads.
fn end_child(py: Python<'_>, own: u32) {
    if process::id() != own {
        let exit = py
            .import("os")
            .and_then(|os| os.call_method1("_exit", (1,)));
        // Without Python's function, this ends it too.
        exit.map_or_else(|_| process::abort(), drop);
    }
}

/// Ends the comparison for what no learner should raise by itself: Ctrl-C, and exceptions of other signal handlers. `sys.exit()` in a
/// learner is a failure of it, and so is the alarm of the time limit.
fn stop_unless_of_learner(py: Python<'_>, stop: &Stop, error: PyErr) {
    let is_limit = error.get_type(py).hasattr("of_time_limit").unwrap_or(false);
    let is_of_learner = error.is_instance_of::<PyException>(py)
        || error.is_instance_of::<PySystemExit>(py)
        || error.is_instance_of::<PyGeneratorExit>(py);
    if !is_limit && !is_of_learner {
        stop.request(error);
    }
}

/// Describes an exception as Python does in its last line, with the place that raised it.
fn in_words(py: Python<'_>, error: &PyErr) -> String {
    let place = error.traceback(py).map(|traceback| -> PyResult<String> {
        let summary = py
            .import("traceback")?
            .call_method1("extract_tb", (traceback,))?;
        let last = summary.get_item(-1)?;
        let file: String = last.getattr("filename")?.extract()?;
        let name = file.rsplit(['/', '\\']).next().unwrap_or(&file);
        Ok(format!(" ({name}, line {})", last.getattr("lineno")?))
    });
    let place = place.transpose().ok().flatten();
    format!("{error}{}", place.unwrap_or_default())
}
