//! Two equal values, one of which is read while the other changes.

#[cfg(feature = "loom")]
use loom::sync::{
    Arc, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};
#[cfg(not(feature = "loom"))]
use std::sync::{
    Arc, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};

pub(crate) type Shared<V> = Arc<V>;
pub(crate) type Guard<'a, V> = RwLockReadGuard<'a, V>;

pub(crate) struct Copies<V> {
    copies: [RwLock<V>; 2],
    /// The index of the copy that readers take.
    current: AtomicUsize,
}

impl<V> Copies<V> {
    /// Returns the current value. The writer does not lock it: a failure means that the copies were swapped meanwhile.
    pub(crate) fn current(&self) -> Guard<'_, V> {
        loop {
            let current = self.current.load(Ordering::Acquire);
            if let Ok(guard) = self.copies[current].try_read() {
                // The other copy may be ahead of the current one; a reader that took it could see an older value next time.
                if self.current.load(Ordering::Acquire) == current {
                    return guard;
                }
            }
            try_again();
        }
    }
}

impl<V: Clone> Copies<V> {
    pub(crate) fn new(value: V) -> Self {
        Self {
            copies: [RwLock::new(value.clone()), RwLock::new(value)],
            current: AtomicUsize::new(0),
        }
    }

    /// Applies a change to both copies, first to the one that is not read.
    pub(crate) fn update<E>(
        &self,
        mut change: impl FnMut(&mut V) -> Result<(), E>,
    ) -> Result<(), E> {
        let current = self.current.load(Ordering::Acquire);
        let other = 1 - current;
        let refused = change(&mut self.lock(other)).err();
        if let Some(error) = refused {
            // Undo what the change did before it failed.
            let unchanged = self.current().clone();
            *self.lock(other) = unchanged;
            return Err(error);
        }
        self.current.store(other, Ordering::Release);
        change(&mut self.lock(current))
    }

    /// Waits for readers of this copy. After a change that panicked, readers continue with the intact copy.
    fn lock(&self, copy: usize) -> RwLockWriteGuard<'_, V> {
        self.copies[copy]
            .write()
            .expect("a change that panics ends the writer")
    }
}

fn try_again() {
    #[cfg(feature = "loom")]
    loom::thread::yield_now();
    #[cfg(not(feature = "loom"))]
    std::hint::spin_loop();
}
