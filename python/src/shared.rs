//! A learner that threads of Python share.

use std::panic::resume_unwind;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use online_forests::{Proceed, threads};
use pyo3::prelude::*;
use pyo3::sync::RwLockExt as _;

use crate::error::{broken, empty, refused};
use crate::held::Held;
use crate::inner::Inner;
use crate::task::PythonTask;
use crate::turn::{A_WHILE, Turn, Turns};

/// Whether this process was forked after the module was loaded: it does not have the threads of the other.
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
///
/// What changes the learner has its [`Turn`], for all blocks of a batch; the lock itself is held for one block. So others predict
/// between two blocks, and so may a signal handler that runs there.
pub struct Shared<T: PythonTask> {
    /// `None` before the first rows of a learner that was made without knowing their features.
    held: RwLock<Option<Held<T>>>,
    turns: Turns,
    /// 0: as many as cores.
    threads: AtomicUsize,
}

impl<T: PythonTask> Shared<T> {
    /// A learner for which this number of threads works; 0 for as many as cores.
    ///
    /// # Errors
    /// More threads than are started.
    pub fn new(held: Option<Held<T>>, threads: usize) -> PyResult<Self> {
        threads::check(threads).map_err(refused)?;
        Ok(Self {
            held: RwLock::new(held),
            turns: Turns::default(),
            threads: AtomicUsize::new(threads),
        })
    }

    /// How many threads work for it; 0 for as many as cores.
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Has this number of threads work for it.
    pub fn set_threads(&self, threads: usize) {
        self.threads.store(threads, Ordering::Relaxed);
    }

    /// Waits until nobody else changes the learner.
    ///
    /// # Errors
    /// A learner that this thread is changing.
    pub fn turn(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        self.turns.take(py)
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

    /// Asks the learner about much.
    ///
    /// # Errors
    /// Threads that cannot be started, a learner that is empty, or one that is broken.
    pub fn read<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        self.look(py, |held| held.map(|held| work(&held.inner)))?
            .ok_or_else(empty)
    }

    /// Asks the learner about a single row, or what costs as little.
    ///
    /// # Errors
    /// A learner that is empty or broken.
    pub fn read_one<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Inner<T>) -> R,
    ) -> PyResult<R> {
        self.glance(py, |held| held.map(|held| work(&held.inner)))?
            .ok_or_else(empty)
    }

    /// Changes the learner by much.
    ///
    /// # Errors
    /// As [`Shared::write_rows`].
    pub fn write<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        self.write_rows(py, usize::MAX, work)
    }

    /// Changes the learner by a single row, or what costs as little.
    ///
    /// # Errors
    /// As [`Shared::write_rows`].
    pub fn write_one<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        self.write_rows(py, 1, work)
    }

    /// Changes the learner by this number of rows.
    ///
    /// # Errors
    /// As [`Shared::read`] and [`Shared::turn`].
    pub fn write_rows<R: Send>(
        &self,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&mut Inner<T>) -> R + Send,
    ) -> PyResult<R> {
        let turn = self.turn(py)?;
        let work = |held: &mut Option<Held<T>>| held.as_mut().map(|held| work(&mut held.inner));
        self.change(&turn, py, rows, work)?.ok_or_else(empty)
    }

    /// Looks at the learner with its names, if there is one, for long.
    ///
    /// # Errors
    /// Threads that cannot be started, or a learner that is broken.
    pub fn look<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Option<&Held<T>>) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            self.with_threads(|| {
                let held = self.held.read().map_err(|_| broken())?;
                Ok(work(held.as_ref()))
            })
        })
    }

    /// Looks at the learner with its names, if there is one, for the time that a single row takes.
    ///
    /// # Errors
    /// A learner that is broken.
    pub fn glance<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Option<&Held<T>>) -> R,
    ) -> PyResult<R> {
        let held = self.held.read_py_attached(py).map_err(|_| broken())?;
        Ok(self.on_a_row(|| work(held.as_ref())))
    }

    /// Changes the learner with its names by this number of rows, in a turn.
    ///
    /// # Errors
    /// As [`Shared::look`].
    pub fn change<R: Send>(
        &self,
        _turn: &Turn<'_>,
        py: Python<'_>,
        rows: usize,
        work: impl FnOnce(&mut Option<Held<T>>) -> R + Send,
    ) -> PyResult<R> {
        if rows <= 1 {
            let mut held = self.held.write_py_attached(py).map_err(|_| broken())?;
            return Ok(self.on_a_row(|| work(&mut held)));
        }
        py.detach(|| {
            self.with_threads(|| {
                let mut held = self.held.write().map_err(|_| broken())?;
                Ok(work(&mut held))
            })
        })
    }

    /// Does work that cannot be cut into blocks in another thread, while this one handles signals of Python: Python runs handlers in its main
    /// thread alone. The learner itself is not locked.
    ///
    /// # Errors
    /// Threads that cannot be started, and what a signal handler raises: then the work is stopped, and its result is dropped.
    pub fn work_for<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Proceed<'_>) -> R + Send,
    ) -> PyResult<R> {
        let [stopped, done] = [(); 2].map(|()| AtomicBool::new(false));
        let caller = thread::current();
        thread::scope(|scope| {
            let work = || {
                let result = self.with_threads(|| Ok(work(&|| !stopped.load(Ordering::Relaxed))));
                done.store(true, Ordering::Release);
                caller.unpark();
                result
            };
            let worker = thread::Builder::new().spawn_scoped(scope, work)?;
            let mut signals = Ok(());
            // A thread that panicked is finished and not done.
            while !done.load(Ordering::Acquire) && !worker.is_finished() {
                py.detach(|| thread::park_timeout(A_WHILE));
                signals = signals.and_then(|()| py.check_signals());
                stopped.store(signals.is_err(), Ordering::Relaxed);
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            signals.and(result)
        })
    }

    /// Asks what only a learner that could be changed shows, and changes nothing.
    ///
    /// # Errors
    /// A learner that is empty or broken.
    pub fn ask<R>(&self, py: Python<'_>, work: impl FnOnce(&mut Inner<T>) -> R) -> PyResult<R> {
        let mut held = self.held.write_py_attached(py).map_err(|_| broken())?;
        let held = held.as_mut().ok_or_else(empty)?;
        Ok(work(&mut held.inner))
    }

    fn with_threads<R: Send>(&self, work: impl FnOnce() -> PyResult<R> + Send) -> PyResult<R> {
        match self.threads() {
            0 if !FORKED.load(Ordering::Relaxed) => work(),
            threads => threads::with_threads(threads, work).map_err(refused)?,
        }
    }

    /// A single row is worth a few threads for hundreds of trees, but not that any are started for it.
    fn on_a_row<R>(&self, work: impl FnOnce() -> R) -> R {
        if FORKED.load(Ordering::Relaxed) || self.threads() == 1 {
            threads::alone(work)
        } else {
            work()
        }
    }
}
