//! A learner that threads of Python share: its lock, and rows in blocks between which others have their turn.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray};
use online_forests::{OnlineLearner as _, threads};
use pyo3::prelude::*;
use pyo3::sync::RwLockExt as _;
use pyo3::types::PyTuple;

use crate::convert::{self, Made, Targets};
use crate::error::{broken, refused, wrong_value};
use crate::names::{Columns, Names};
use crate::saved::{Inner, each};

/// Whether this process was forked after the module was loaded: it does not have the threads of the other.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Records, in the child, that the process was forked.
#[pyfunction]
pub fn note_fork() {
    FORKED.store(true, Ordering::Relaxed);
}

/// More rows than are worth working on while the interpreter is held.
pub const MANY: usize = usize::MAX;

/// A learner with its labels and columns: they are learned, copied and pickled together.
#[derive(Clone)]
pub struct Held {
    /// The learner.
    pub inner: Inner,
    /// The labels in the order of their classes; `None` if classes have no labels. Labels beyond the known classes
    /// belong to rows that are still to be learned.
    pub labels: Option<Arc<Names>>,
    /// Whether other labels are refused.
    pub is_closed: bool,
    /// The names of the columns; `None` if they have no names.
    pub columns: Option<Arc<Columns>>,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
    /// The number of changes in this process.
    pub changes: u64,
}

/// A learner for Python.
///
/// The interpreter is released while a batch is worked on. For a single row it is released only if another thread holds
/// the lock, which could need the interpreter. The lock is held while a block of rows is learned with its names:
/// between two blocks other threads predict, copy and learn, and signals are handled.
#[pyclass(frozen, subclass, module = "online_forests._core")]
pub struct Learner(RwLock<Held>);

impl Held {
    /// Combines a learner with its labels and columns; `words` says which columns hold words.
    pub fn of(
        inner: Inner,
        threads: usize,
        labels: Option<Bound<'_, PyTuple>>,
        is_closed: bool,
        columns: Option<Bound<'_, PyTuple>>,
        words: Vec<Option<bool>>,
    ) -> PyResult<Self> {
        threads::check(threads).map_err(refused)?;
        let labels = labels.as_ref().map(Names::of).transpose()?.map(Arc::new);
        let columns = columns
            .map(|names| Columns::of(&names, words))
            .transpose()?;
        Ok(Self {
            inner,
            labels,
            is_closed,
            columns: columns.map(Arc::new),
            threads,
            changes: 0,
        })
    }

    /// Returns the labels, and how many of them belong to known classes.
    pub fn known_labels(&self) -> Option<(Arc<Names>, usize)> {
        let width = each!(&self.inner, it => it.schema().width());
        self.labels.clone().map(|labels| (labels, width))
    }

    /// Returns whether it learns classes.
    pub fn learns_classes(&self) -> bool {
        matches!(self.inner, Inner::Classes(_))
    }
}

impl Learner {
    /// Makes a learner that threads may share.
    pub fn of(held: Held) -> Self {
        Self(RwLock::new(held))
    }

    /// Reads the learner to work on this number of rows.
    pub fn read<R: Send>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&Held) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        if rows <= 1 {
            let held = &*self.0.read_py_attached(py).map_err(|_| broken())?;
            return on_threads(held.threads, rows, || work(held));
        }
        py.detach(|| {
            let held = &*self.0.read().map_err(|_| broken())?;
            on_threads(held.threads, rows, || work(held))
        })
    }

    /// Changes the learner with this number of rows.
    pub fn write<R: Send>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&mut Held) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        if rows <= 1 {
            let held = &mut *self.0.write_py_attached(py).map_err(|_| broken())?;
            return on_threads(held.threads, rows, || work(held));
        }
        py.detach(|| self.write_detached(rows, work))
    }

    /// Changes the learner from a thread that does not hold the interpreter.
    pub fn write_detached<R: Send>(
        &self,
        rows: usize,
        work: impl FnOnce(&mut Held) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let held = &mut *self.0.write().map_err(|_| broken())?;
        on_threads(held.threads, rows, || work(held))
    }

    /// Reads the learner to work on the rows of an array. Refuses numbers in a column of words, and words in one of
    /// numbers.
    pub fn query_rows<'py, A: IntoPyArray + Send>(
        &self,
        x: &Bound<'py, PyAny>,
        work: impl FnOnce(&Held, ArrayView2<'_, f32>) -> PyResult<A> + Send,
    ) -> Made<'py, PyArray<A::Item, A::Dim>> {
        let py = x.py();
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let columns = self.read(py, 1, |held| Ok(held.columns.clone()))?;
        if let Some(columns) = columns.filter(|it| it.words.iter().any(Option::is_some)) {
            columns.after(py, rows)?;
        }
        let made = self.read(py, rows.nrows(), |held| work(held, rows))?;
        Ok(made.into_pyarray(py))
    }

    /// Returns the targets in an array: classes or numbers, as the learner learns them.
    pub fn targets(&self, y: &Bound<'_, PyAny>) -> PyResult<Targets> {
        let classes = self.read(y.py(), 1, |held| Ok(held.learns_classes()))?;
        Targets::of(y, classes)
    }

    /// Returns the row of a dictionary of features.
    pub fn features_of(&self, x: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
        let (columns, features, values) = self.read(x.py(), 1, |held| {
            let columns = held.columns.clone().ok_or_else(no_names)?;
            Ok(each!(&held.inner, it => (columns, it.schema().features(), it.feature_values())))
        })?;
        let (row, _) = columns.row(&convert::dict(x)?, features, values)?;
        Ok(row)
    }

    /// Calls `work` with the prediction for a dictionary of features: values, their labels, and whether they are
    /// probabilities.
    pub fn with_prediction<R>(
        &self,
        x: &Bound<'_, PyAny>,
        work: impl FnOnce(&[f64], Option<&Names>, bool) -> PyResult<R>,
    ) -> PyResult<R> {
        let mut row = self.features_of(x)?;
        threads::with_buffer(|prediction| {
            let (labels, learns_classes) = self.read(x.py(), 1, |held| {
                each!(&held.inner, it => {
                    // Another thread may have added features meanwhile; this row does not have them.
                    row.resize(it.schema().features(), 0.0);
                    it.predict_one_into(&row, prediction).map_err(refused)?;
                });
                Ok((held.labels.clone(), held.learns_classes()))
            })?;
            work(prediction, labels.as_deref(), learns_classes)
        })
    }
}

/// Returns the error of a learner without names of columns, which dictionaries need.
pub fn no_names() -> PyErr {
    wrong_value!(
        "the columns of this learner have no names, so it reads arrays and no dictionaries"
    )
}

/// Works with this number of threads. None are started for a single row, which uses those that run already.
fn on_threads<R: Send>(
    threads: usize,
    rows: usize,
    work: impl FnOnce() -> PyResult<R> + Send,
) -> PyResult<R> {
    let forked = FORKED.load(Ordering::Relaxed);
    if threads == 1 || (rows <= 1 && forked) {
        threads::alone(work)
    } else if rows <= 1 || (threads == 0 && !forked) {
        work()
    } else {
        threads::with_threads(threads, work).map_err(refused)?
    }
}

/// The number of rows of the first block; those of the others follow from the time that a block takes.
const FIRST_BLOCK: usize = 64;
/// The time of a block in milliseconds: long compared with its overhead, short compared with the second within which an
/// interrupt stops it.
const SHORT_BLOCK: u128 = 50;
const LONG_BLOCK: u128 = 200;
/// The pause in which other threads can take the lock.
const PAUSE: Duration = Duration::from_micros(50);

/// Works on rows in blocks; between two blocks, signals are handled and other threads can take the lock.
pub fn in_blocks(
    py: Python<'_>,
    rows: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let mut start = 0;
    let mut block = FIRST_BLOCK;
    while start < rows {
        let end = rows.min(start + block);
        let begun = Instant::now();
        work(start..end)?;
        py.check_signals()?;
        match begun.elapsed().as_millis() {
            ..SHORT_BLOCK => block *= 2,
            LONG_BLOCK.. => block = (block / 2).max(1),
            _ => {}
        }
        if end < rows {
            py.detach(|| thread::sleep(PAUSE));
        }
        start = end;
    }
    Ok(())
}
