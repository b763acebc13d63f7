//! One change after another.

use std::cell::RefCell;
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

use crate::error::in_turn;

thread_local! {
    /// Those who change now in this thread.
    static CHANGING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// How long a thread waits before it looks whether Python wants to interrupt it.
pub const A_WHILE: Duration = Duration::from_millis(100);

/// The turns in which a learner is changed.
#[derive(Default)]
pub struct Turns {
    taken: Mutex<bool>,
    freed: Condvar,
}

/// The right to change a learner. It is not the learner's lock: what a label or a number of Python runs meanwhile may ask the learner.
pub struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits until nobody else changes the learner.
    ///
    /// # Errors
    /// A learner that this thread is changing, or what a signal handler raises.
    pub fn take(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        let me = ptr::from_ref(self).addr();
        if CHANGING.with_borrow(|changing| changing.contains(&me)) {
            return Err(in_turn());
        }
        while !self.take_within(Duration::ZERO) && !py.detach(|| self.take_within(A_WHILE)) {
            py.check_signals()?;
        }
        CHANGING.with_borrow_mut(|changing| changing.push(me));
        Ok(Turn(self))
    }

    fn take_within(&self, time: Duration) -> bool {
        let mut taken = self.taken();
        if *taken && !time.is_zero() {
            let waited = self.freed.wait_timeout_while(taken, time, |taken| *taken);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        !std::mem::replace(&mut *taken, true)
    }

    /// Held for moments only, and never while Python is waited for.
    fn taken(&self) -> MutexGuard<'_, bool> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let me = ptr::from_ref(self.0).addr();
        CHANGING.with_borrow_mut(|changing| changing.retain(|other| *other != me));
        *self.0.taken() = false;
        self.0.freed.notify_one();
    }
}
