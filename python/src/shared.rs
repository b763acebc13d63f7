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
use pyo3::types::{PyDict, PyTuple};

use crate::convert::{self, Made, Targets};
use crate::error::{broken, refused, wrong_value};
use crate::names::{Columns, Names, with_row};
use crate::saved::{Inner, each};

/// Whether this process was forked after the module was loaded: it does not have the threads of the other.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Takes note, in the child, that the process was forked.
#[pyfunction]
pub fn note_fork() {
    FORKED.store(true, Ordering::Relaxed);
}

/// More rows than are worth working on while the interpreter is held.
pub const MANY: usize = usize::MAX;

/// A learner with what its numbers mean: what is learned together, copied together and pickled together.
#[derive(Clone)]
pub struct Held {
    /// The learner.
    pub inner: Inner,
    /// The labels, in the order of their classes; none where classes are but numbers. Those behind the classes that are known are of rows that
    /// will be learned.
    pub labels: Option<Arc<Names>>,
    /// Whether no other labels become classes.
    pub is_closed: bool,
    /// Names of the features that have a column; none where columns have no names.
    pub columns: Option<Arc<Columns>>,
    /// How many threads work for it; 0 for as many as cores.
    pub threads: usize,
}

/// A learner for Python.
///
/// Batches are worked on while the interpreter is released. A single row is not worth that, unless another thread holds the lock: that
/// thread could need the interpreter. The lock is held for a block of rows at a time, which is learned with its names: between two blocks
/// others predict, copy and learn, and signals are handled.
#[pyclass(frozen, subclass, module = "online_forests._core")]
pub struct Learner(RwLock<Held>);

impl Held {
    /// A learner with its labels, whether they are all, and the names of its columns.
    pub fn of(
        inner: Inner,
        threads: usize,
        labels: Option<Bound<'_, PyTuple>>,
        is_closed: bool,
        columns: Option<Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        threads::check(threads).map_err(refused)?;
        let labels = labels.as_ref().map(Names::of).transpose()?.map(Arc::new);
        let columns = columns.as_ref().map(Columns::of).transpose()?.map(Arc::new);
        Ok(Self {
            inner,
            labels,
            is_closed,
            columns,
            threads,
        })
    }

    /// The labels, and how many of them are of classes that are known.
    pub fn known_labels(&self) -> Option<(Arc<Names>, usize)> {
        let width = each!(&self.inner, it => it.schema().width());
        self.labels.clone().map(|labels| (labels, width))
    }

    /// Whether it learns classes.
    pub fn learns_classes(&self) -> bool {
        matches!(self.inner, Inner::Classes(_))
    }
}

impl Learner {
    /// A learner that threads may share.
    pub fn of(held: Held) -> Self {
        Self(RwLock::new(held))
    }

    /// Asks the learner about this number of rows.
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

    /// Changes the learner by this number of rows.
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

    /// Changes it by a thread that does not hold the interpreter.
    pub fn write_detached<R: Send>(
        &self,
        rows: usize,
        work: impl FnOnce(&mut Held) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let held = &mut *self.0.write().map_err(|_| broken())?;
        on_threads(held.threads, rows, || work(held))
    }

    /// Asks the learner about the rows in an array.
    pub fn ask_rows<'py, A: IntoPyArray + Send>(
        &self,
        x: &Bound<'py, PyAny>,
        work: impl FnOnce(&Held, ArrayView2<'_, f32>) -> PyResult<A> + Send,
    ) -> Made<'py, PyArray<A::Item, A::Dim>> {
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let made = self.read(x.py(), rows.nrows(), |held| work(held, rows))?;
        Ok(made.into_pyarray(x.py()))
    }

    /// The targets in an array, of the task of the learner.
    pub fn targets(&self, y: &Bound<'_, PyAny>) -> PyResult<Targets> {
        let classes = self.read(y.py(), 1, |held| Ok(held.learns_classes()))?;
        Targets::of(y, classes)
    }

    /// What is made of the row of a dictionary of features.
    pub fn with_features<R>(
        &self,
        x: &Bound<'_, PyDict>,
        work: impl FnOnce(&mut Vec<f32>) -> PyResult<R>,
    ) -> PyResult<R> {
        let (columns, features, values) = self.read(x.py(), 1, |held| {
            let columns = held.columns.clone().ok_or_else(no_names)?;
            Ok(each!(&held.inner, it => (columns, it.schema().features(), it.feature_values())))
        })?;
        with_row(|row| {
            columns.fill(x, features, values, row)?;
            work(row)
        })
    }

    /// What is made of the prediction for a dictionary of features: numbers, their labels, and whether they are probabilities of classes.
    pub fn with_prediction<R>(
        &self,
        x: &Bound<'_, PyDict>,
        work: impl FnOnce(&[f64], Option<&Names>, bool) -> PyResult<R>,
    ) -> PyResult<R> {
        threads::with_buffer(|prediction| {
            let (labels, learns_classes) = self.with_features(x, |row| {
                self.read(x.py(), 1, |held| {
                    each!(&held.inner, it => {
                        // Another thread may have added features meanwhile; this row does not have them.
                        row.resize(it.schema().features(), 0.0);
                        it.predict_one_into(row, prediction).map_err(refused)?;
                    });
                    Ok((held.labels.clone(), held.learns_classes()))
                })
            })?;
            work(prediction, labels.as_deref(), learns_classes)
        })
    }
}

/// What reads dictionaries has names of columns.
pub fn no_names() -> PyErr {
    wrong_value!(
        "the columns of this learner have no names, so it reads arrays and no dictionaries"
    )
}

/// A single row is worth a few threads for hundreds of trees, but not that any are started for it.
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

/// Rows of the first block; those of the others follow from the time that it took.
const FIRST_BLOCK: usize = 64;
/// How many milliseconds a block takes: long beside what surrounds it, short beside the second within which an interrupt is obeyed.
const SHORT: u128 = 50;
const LONG: u128 = 200;
/// For other threads to take the lock.
const GAP: Duration = Duration::from_micros(50);

/// Works on rows in blocks, between which signals of Python are handled and other threads have their turn.
pub fn in_blocks(
    py: Python<'_>,
    rows: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let (mut start, mut block) = (0, FIRST_BLOCK);
    while start < rows {
        let end = rows.min(start + block);
        let begun = Instant::now();
        work(start..end)?;
        py.check_signals()?;
        match begun.elapsed().as_millis() {
            ..SHORT => block *= 2,
            LONG.. => block = (block / 2).max(1),
            _ => {}
        }
        if end < rows {
            py.detach(|| thread::sleep(GAP));
        }
        start = end;
    }
    Ok(())
}
