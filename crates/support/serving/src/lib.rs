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

mod copies;

use std::fmt;
use std::ops::Deref;

use forest_core::{InputError, OnlineLearner, Task};
use ndarray::ArrayView2;

use copies::{Copies, Guard, Shared};

/// Splits a learner into its writer and a reader.
pub fn shared<L: Clone>(learner: L) -> (Writer<L>, Reader<L>) {
    let copies = Shared::new(Copies::new(learner));
    let reader = Reader {
        copies: copies.clone(),
    };
    (Writer { copies }, reader)
}

/// The half that learns. It is unique.
pub struct Writer<L> {
    copies: Shared<Copies<L>>,
}

/// The half that predicts. Clones share the learner.
pub struct Reader<L> {
    copies: Shared<Copies<L>>,
}

/// A learner after some batch, unchanged while it is held. The writer waits for it before it learns the batch after
/// the next one.
pub struct Model<'a, L> {
    guard: Guard<'a, L>,
}

impl<L: Clone> Writer<L> {
    /// Changes the learner. `change` is applied to two copies and must do the same to both.
    ///
    /// # Errors
    /// Returns the error of `change`; then the learner is unchanged.
    pub fn update<E>(&mut self, change: impl FnMut(&mut L) -> Result<(), E>) -> Result<(), E> {
        self.copies.update(change)
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

impl<L> Reader<L> {
    /// Returns the learner after the latest batch, without waiting.
    pub fn model(&self) -> Model<'_, L> {
        Model {
            guard: self.copies.current(),
        }
    }
}

impl<L> Clone for Reader<L> {
    fn clone(&self) -> Self {
        Self {
            copies: self.copies.clone(),
        }
    }
}

impl<L> Deref for Model<'_, L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.guard
    }
}

impl<L> fmt::Debug for Writer<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<L> fmt::Debug for Reader<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl<L: fmt::Debug> fmt::Debug for Model<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Model").field(&**self).finish()
    }
}
