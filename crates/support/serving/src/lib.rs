//! One thread trains a learner while any number of threads predict without waiting for a batch.
//!
//! [`shared`] makes two halves of a learner: a [`Writer`] that learns, and a [`Reader`] that predicts, of which there may be
//! as many clones as there are threads. A reader sees a model of whole batches: a batch that the writer has learned is
//! visible completely or not at all.
//!
//! ```
//! use std::thread;
//!
//! use mondrian::{ForestSettings, MondrianClassifier, OnlineLearner, Schema};
//! use ndarray::Array2;
//! use serving::shared;
//!
//! let forest = MondrianClassifier::new(Schema::new(1)?, mondrian::fixed(10.0), ForestSettings::default())?;
//! let (mut writer, reader) = shared(forest);
//! thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
//!     let reading = scope.spawn(|| (0..1000).all(|_| reader.model().predict_label(&[0.9]).is_ok()));
//!     for batch in 0..10 {
//!         let rows = Array2::from_shape_fn((100, 1), |(row, _)| (row as f32 + batch as f32 / 10.0) / 100.0);
//!         let classes: Vec<u32> = rows.column(0).iter().map(|x| u32::from(*x > 0.5)).collect();
//!         writer.learn(rows.view(), &classes)?;
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
//! There are two copies of the learner. Readers use the current one. The writer trains the other one on a batch, makes it the
//! current one, and then trains the first on the same batch; learning depends only on the learner and the rows, so both
//! have the same bits again. Memory and time to learn are twice those of one learner. A reader takes a lock that the writer does not
//! hold: about ten nanoseconds, with a writer and without, and it never waits (`cargo bench -p benches --bench serving`).
//!
//! The writer waits for readers that hold an older [`Model`]: a reader that keeps one blocks the writer.

use std::ops::Deref;

use forest_core::{InputError, OnlineLearner, Task};
#[cfg(feature = "loom")]
use loom::sync::{
    Arc, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};
use ndarray::ArrayView2;
#[cfg(not(feature = "loom"))]
use std::sync::{
    Arc, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};

/// Two equal learners, one of which is read while the other changes.
struct Copies<L> {
    copies: [RwLock<L>; 2],
    /// The index of the copy that readers take.
    current: AtomicUsize,
}

/// The half that learns. It is unique.
pub struct Writer<L>(Arc<Copies<L>>);

/// The half that predicts. Clones share the learner.
pub struct Reader<L>(Arc<Copies<L>>);

/// A learner after some batch, unchanged while it is held. The writer waits for it before it learns the batch after
/// the next one.
pub struct Model<'a, L>(RwLockReadGuard<'a, L>);

/// Splits a learner into its writer and a reader.
pub fn shared<L: Clone>(learner: L) -> (Writer<L>, Reader<L>) {
    let copies = Arc::new(Copies {
        copies: [RwLock::new(learner.clone()), RwLock::new(learner)],
        current: AtomicUsize::new(0),
    });
    (Writer(copies.clone()), Reader(copies))
}

impl<L> Reader<L> {
    /// Returns the learner after the latest batch, without waiting.
    pub fn model(&self) -> Model<'_, L> {
        Model(self.0.current())
    }
}

impl<L: Clone> Writer<L> {
    /// Changes the learner. `change` is applied to two copies, first to the one that is not read, and must do the same to both.
    ///
    /// # Errors
    /// Returns the error of `change`; then the learner is unchanged.
    pub fn update<E>(&mut self, mut change: impl FnMut(&mut L) -> Result<(), E>) -> Result<(), E> {
        let current = self.0.current.load(Ordering::Acquire);
        let other = 1 - current;
        let refused = change(&mut self.0.lock(other)).err();
        if let Some(error) = refused {
            // Undo what the change did before it failed.
            let unchanged = self.0.current().clone();
            *self.0.lock(other) = unchanged;
            return Err(error);
        }
        self.0.current.store(other, Ordering::Release);
        change(&mut self.0.lock(current))
    }
}

impl<T: Task, L: OnlineLearner<Task = T> + Clone> Writer<L> {
    /// Learns a batch, which readers see completely or not at all.
    ///
    /// # Errors
    /// Returns an error as [`OnlineLearner::learn`]; then nothing is learned.
    pub fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.update(|learner| learner.learn(features, targets))
    }
}

impl<L> Copies<L> {
    /// Returns the current learner. The writer does not lock it: a failure means that the copies were swapped meanwhile.
    fn current(&self) -> RwLockReadGuard<'_, L> {
        loop {
            let current = self.current.load(Ordering::Acquire);
            if let Ok(guard) = self.copies[current].try_read() {
                // The other copy may be ahead of the current one; a reader that took it could see an older learner next time.
                if self.current.load(Ordering::Acquire) == current {
                    return guard;
                }
            }
            #[cfg(feature = "loom")]
            loom::thread::yield_now();
            #[cfg(not(feature = "loom"))]
            std::hint::spin_loop();
        }
    }

    /// Waits for readers of this copy. After a change that panicked, readers continue with the intact copy.
    fn lock(&self, copy: usize) -> RwLockWriteGuard<'_, L> {
        let lock = self.copies[copy].write();
        lock.expect("a change that panics ends the writer")
    }
}

impl<L> Clone for Reader<L> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<L> Deref for Model<'_, L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.0
    }
}
