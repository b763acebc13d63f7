//! One thread trains a learner while any number of threads predict without waiting for a batch.
//!
//! A [`Writer`] learns, and [`Reader`]s predict, of which there may be as many clones as there are threads. A reader
//! sees a model of whole batches: a batch that the writer has learned is visible completely or not at all.
//!
//! ```
//! use std::thread;
//!
//! use forest_model::shared::Writer;
//! use ndarray::Array2;
//! use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner, Schema};
//!
//! let forest = "mondrian".parse::<Algorithm>()?.build::<Classification>(Schema::new(1)?, ForestSettings::default())?;
//! let mut writer = Writer::new(forest);
//! let reader = writer.reader().clone();
//! thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
//!     let reading = scope.spawn(|| (0..1000).all(|_| reader.model().predict_label(&[0.9]).is_ok()));
//!     for batch in 0..10 {
//!         let rows = Array2::from_shape_fn((100, 1), |(row, _)| (row as f32 + batch as f32 / 10.0) / 100.0);
//!         let classes: Vec<u32> = rows.column(0).iter().map(|x| u32::from(*x > 0.5)).collect();
//!         writer.update(|forest| forest.learn(rows.view(), &classes))?;
//!     }
//!     assert!(reading.join().expect("readers do not panic"));
//!     Ok(())
//! })?;
//! assert_eq!(reader.model().samples_seen(), 1000);
//! assert_eq!(reader.model().predict_label(&[0.9])?, Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works, and what it costs
//!
//! There are two copies of the learner. Readers use the current one. The writer trains the other one on a batch, makes
//! it the current one, and then trains the first on the same batch; learning depends only on the learner and the rows,
//! so both have the same bits again. Memory and time to learn are twice those of one learner. A reader takes a lock
//! that the writer does not hold: about ten nanoseconds, with a writer and without, and it never waits
//! (`cargo bench -p benches --bench serving`).
//!
//! The writer waits for readers that hold an older model: a reader that keeps one blocks the writer.

use std::ops::Deref;

#[cfg(feature = "loom")]
use loom::sync::{
    Arc, RwLock, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};
#[cfg(not(feature = "loom"))]
use std::sync::{
    Arc, RwLock, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};

/// Two equal learners, one of which is read while the other changes.
struct Copies<L> {
    copies: [RwLock<L>; 2],
    /// The index of the copy that readers take.
    current: AtomicUsize,
}

/// The half that predicts. Clones share the learner.
pub struct Reader<L>(Arc<Copies<L>>);

/// The half that learns. It is unique.
pub struct Writer<L>(Reader<L>);

impl<L> Reader<L> {
    /// Returns the learner after the latest batch, without waiting. It is unchanged while it is held, and the writer
    /// waits for that before it learns the batch after the next one.
    pub fn model(&self) -> impl Deref<Target = L> {
        let Copies { copies, current } = &*self.0;
        loop {
            let index = current.load(Ordering::Acquire);
            // The writer does not lock the current copy: a failure means that the copies were swapped meanwhile.
            if let Ok(guard) = copies[index].try_read() {
                // The other copy may be ahead of the current one; a reader that took it could see an older learner next
                // time.
                if current.load(Ordering::Acquire) == index {
                    return guard;
                }
            }
            #[cfg(feature = "loom")]
            loom::thread::yield_now();
            #[cfg(not(feature = "loom"))]
            std::hint::spin_loop();
        }
    }
}

impl<L> Clone for Reader<L> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<L: Clone> Writer<L> {
    /// Begins to share a learner.
    pub fn new(learner: L) -> Self {
        Self(Reader(Arc::new(Copies {
            copies: [RwLock::new(learner.clone()), RwLock::new(learner)],
            current: AtomicUsize::new(0),
        })))
    }

    /// Returns a reader of the learner.
    pub fn reader(&self) -> &Reader<L> {
        &self.0
    }

    /// Changes the learner. `change` is applied to two copies, first to the one that is not read, and must do the same
    /// to both.
    ///
    /// # Errors
    /// Returns the error of `change`; then the learner is unchanged.
    pub fn update<E>(&mut self, mut change: impl FnMut(&mut L) -> Result<(), E>) -> Result<(), E> {
        let copies = &*self.0.0;
        let current = copies.current.load(Ordering::Acquire);
        let other = 1 - current;
        let refused = change(&mut copies.lock(other)).err();
        if let Some(error) = refused {
            // Undo what the change did before it failed.
            let unchanged = L::clone(&self.0.model());
            *copies.lock(other) = unchanged;
            return Err(error);
        }
        copies.current.store(other, Ordering::Release);
        change(&mut copies.lock(current))
    }
}

impl<L> Copies<L> {
    /// Waits for readers of this copy. After a change that panicked, readers continue with the intact copy.
    fn lock(&self, copy: usize) -> RwLockWriteGuard<'_, L> {
        let lock = self.copies[copy].write();
        lock.expect("a change that panics ends the writer")
    }
}
