//! Calls of Python from a thread that measures: the thread that started the comparison makes them.
//!
//! Signal handlers run on Python's main thread only. So the comparison runs on a thread of its own, and the thread that
//! started it waits for calls: Ctrl-C and alarms then interrupt the learner that is being called.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// The time between two checks for signals while no call is made.
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

type Job = Box<dyn FnOnce(Python<'_>) + Send>;

/// Makes calls of Python on the thread that started the comparison.
#[derive(Clone)]
pub struct Calls {
    /// `None` ends the waiting.
    jobs: Sender<Option<Job>>,
    /// The exception that ends the comparison before the last run, such as that of Ctrl-C.
    error: Arc<Mutex<Option<PyErr>>>,
}

impl Calls {
    /// Runs `work` on another thread, which may call Python, and returns its result with the exception that ended it
    /// early.
    pub fn serve<R: Send>(
        py: Python<'_>,
        work: impl FnOnce(Self) -> R + Send,
    ) -> (thread::Result<R>, Option<PyErr>) {
        let (jobs, received) = mpsc::channel();
        let error = Arc::default();
        let calls = &Self { jobs, error };
        let done = py.detach(move || {
            thread::scope(|scope| {
                let worker = scope.spawn(move || {
                    // Unwind safe: nothing that it changes is used afterwards.
                    let done = catch_unwind(AssertUnwindSafe(|| work(calls.clone())));
                    // The receiver lives until this arrives.
                    let _ = calls.jobs.send(None);
                    done
                });
                calls.wait(&received);
                worker.join().unwrap_or_else(Err)
            })
        });
        (done, calls.error().take())
    }

    /// Makes calls until the last one.
    fn wait(&self, received: &Receiver<Option<Job>>) {
        loop {
            match received.recv_timeout(SIGNAL_CHECK) {
                Ok(Some(job)) => Python::attach(job),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                    let signals = py.check_signals();
                    signals.unwrap_or_else(|error| self.note(py, error));
                }),
            }
        }
    }

    fn error(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an exception, unless it is the alarm of the time limit, which ends a run alone.
    fn note(&self, py: Python<'_>, error: PyErr) {
        let is_limit = error.get_type(py).hasattr("of_time_limit");
        if !is_limit.unwrap_or(false) {
            self.error().get_or_insert(error);
        }
    }

    /// Calls Python and waits for the result. `None` if it raises, which ends the comparison: a learner that fails
    /// returns the reason.
    pub fn call<R: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>) -> PyResult<R> + Send + 'static,
    ) -> Option<R> {
        let (result, returned) = mpsc::channel();
        let calls = self.clone();
        // The caller waits for it. Without anybody who makes it, the call is dropped, and nothing returns.
        let job: Job = Box::new(move |py| match work(py) {
            Ok(done) => drop(result.send(done)),
            Err(error) => {
                calls.note(py, error);
                // Only now does the caller continue, which would otherwise record a run that failed.
                drop(result);
            }
        });
        let _ = self.jobs.send(Some(job));
        returned.recv().ok()
    }

    /// Calls a method of an object, whose result does not matter.
    pub fn notify<A: for<'py> PyCallArgs<'py> + Send + 'static>(
        &self,
        object: &Arc<Py<PyAny>>,
        method: &'static str,
        arguments: A,
    ) {
        let object = object.clone();
        self.call(move |py| object.bind(py).call_method1(method, arguments).map(drop));
    }

    /// Returns whether the comparison is to end.
    pub fn is_stopped(&self) -> bool {
        self.error().is_some()
    }
}
