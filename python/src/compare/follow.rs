//! Progress in Python, and the stop.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use comparison::record::Record;
use comparison::{Observer, to_line};
use pyo3::prelude::*;

use super::calls::Calls;

/// Rows are reported at most this often.
const A_WHILE: Duration = Duration::from_millis(200);

/// Passes on to Python's object, what happens.
pub struct Follow {
    pub calls: Calls,
    object: Arc<Py<PyAny>>,
    rows: AtomicUsize,
    reported: Mutex<Instant>,
}

impl Follow {
    /// Returns the observer for an object of Python.
    pub fn new(calls: Calls, object: Py<PyAny>) -> Self {
        Self {
            calls,
            object: Arc::new(object),
            rows: AtomicUsize::new(0),
            reported: Mutex::new(Instant::now()),
        }
    }

    fn call(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()> + Send + 'static) {
        let object = self.object.clone();
        // An exception here is that of a signal, which has been noted.
        let _ = self.calls.call(move |py| work(object.bind(py)));
    }

    /// Shows a remark.
    pub fn remark(&self, text: String) {
        self.call(move |object| object.call_method1("remark", (text,)).map(drop));
    }

    fn is_due(&self) -> bool {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = reported.elapsed() > A_WHILE;
        if is_due {
            *reported = Instant::now();
        }
        is_due
    }
}

impl Observer for Follow {
    fn plan(&self, runs: &[usize]) {
        let plan = (runs.len(), runs.iter().sum::<usize>());
        self.call(move |object| object.call_method1("plan", plan).map(drop));
    }

    fn start_run(&self, name: &str) {
        let name = name.to_owned();
        self.call(move |object| object.call_method1("start", (name,)).map(drop));
    }

    fn advance(&self, rows: usize) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        if self.is_due() {
            let rows = self.rows.swap(0, Ordering::Relaxed);
            self.call(move |object| object.call_method1("advance", (rows,)).map(drop));
        }
    }

    fn finish_run(&self, rows: usize, record: &Record) {
        self.rows.store(0, Ordering::Relaxed);
        let line = to_line(record);
        self.call(move |object| object.call_method1("finish", (rows, line)).map(drop));
    }

    fn is_stopped(&self) -> bool {
        self.calls.is_stopped()
    }
}
