//! A learner that threads of Python share.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{RwLock, TryLockError};

use online_forests::threads;
use pyo3::prelude::*;

use crate::error::{broken, refused};
use crate::inner::Inner;
use crate::task::PythonTask;

/// Whether this process was forked after the module was loaded: it has none of the threads of the other.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Takes note, in the child, that the process was forked.
#[pyfunction]
pub fn note_fork() {
    FORKED.store(true, Ordering::Relaxed);
}

/// A learner behind a lock, and how many threads work for it.
///
/// Batches are worked on while the interpreter is released. A single row is not worth that, unless another thread holds
/// the lock: that thread could need the interpreter.
pub struct Shared<T: PythonTask> {
    inner: RwLock<Inner<T>>,
    /// 0: as many as cores.
    threads: AtomicUsize,
}

impl<T: PythonTask> Shared<T> {
    /// A learner for which this number of threads works; 0 for as many as cores.
    ///
    /// # Errors
    /// More threads than are started.
    pub fn new(inner: Inner<T>, threads: usize) -> PyResult<Self> {
        threads::check(threads).map_err(refused)?;
        Ok(Self {
            inner: RwLock::new(inner),
            threads: AtomicUsize::new(threads),
        })
    }

    /// How many threads work for it; 0 for as many as cores.
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Asks the learner about this number of rows.
    ///
    /// # Errors
    /// As [`Shared::read`].
    pub fn read_rows<R: Send>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        match rows {
            ..=1 => self.read_one(py, work),
            _ => self.read(py, work),
        }
    }

    /// Changes the learner by this number of rows.
    ///
    /// # Errors
    /// As [`Shared::read`].
    pub fn write_rows<R: Send>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        match rows {
            ..=1 => self.write_one(py, work),
            _ => self.write(py, work),
        }
    }

    /// Asks the learner about much.
    ///
    /// # Errors
    /// Threads that cannot be started, or a learner that is broken.
    pub fn read<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            self.with_threads(|| {
                let inner = self.inner.read().map_err(|_| broken())?;
                Ok(work(&inner))
            })
        })
    }

    /// Changes the learner by much.
    ///
    /// # Errors
    /// As [`Shared::read`].
    pub fn write<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            self.with_threads(|| {
                let mut inner = self.inner.write().map_err(|_| broken())?;
                Ok(work(&mut inner))
            })
        })
    }

    /// Asks the learner about a single row, or what costs as little.
    ///
    /// # Errors
    /// A learner that is broken.
    pub fn read_one<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        let work = |inner: &Inner<T>| self.on_a_row(|| work(inner));
        match self.inner.try_read() {
            Ok(inner) => Ok(work(&inner)),
            Err(TryLockError::WouldBlock) => py.detach(|| {
                let inner = self.inner.read().map_err(|_| broken())?;
                Ok(work(&inner))
            }),
            Err(TryLockError::Poisoned(_)) => Err(broken()),
        }
    }

    /// Changes the learner by a single row.
    ///
    /// # Errors
    /// As [`Shared::read_one`].
    pub fn write_one<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        let work = |inner: &mut Inner<T>| self.on_a_row(|| work(inner));
        match self.inner.try_write() {
            Ok(mut inner) => Ok(work(&mut inner)),
            Err(TryLockError::WouldBlock) => py.detach(|| {
                let mut inner = self.inner.write().map_err(|_| broken())?;
                Ok(work(&mut inner))
            }),
            Err(TryLockError::Poisoned(_)) => Err(broken()),
        }
    }

    fn with_threads<R: Send>(&self, work: impl FnOnce() -> PyResult<R> + Send) -> PyResult<R> {
        match self.threads() {
            0 if !FORKED.load(Ordering::Relaxed) => work(),
            threads => threads::with_threads(threads, work).map_err(refused)?,
        }
    }

    /// A single row is worth a few threads for hundreds of trees, but not that any are started for it.
    fn on_a_row<R>(&self, work: impl FnOnce() -> R) -> R {
        match FORKED.load(Ordering::Relaxed) || self.threads() == 1 {
            true => threads::alone(work),
            false => work(),
        }
    }
}
