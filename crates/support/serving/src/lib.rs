//! One learner learns while any number of threads ask it, and none of them waits for a batch.
//!
//! [`shared`] makes two halves of a learner: a [`Writer`] that learns, and a [`Reader`] that answers, of which there may be
//! as many clones as there are threads. A reader has a model of whole batches: all of a batch that the writer has learned, or
//! none of it.
//!
//! ```
//! use std::thread;
//!
//! use mondrian::{ForestSettings, MondrianClassifier, OnlineClassifier, OnlineLearner, Schema};
//! use ndarray::Array2;
//! use serving::shared;
//!
//! let forest = MondrianClassifier::new(Schema::new(1)?, mondrian::fixed(10.0), ForestSettings::default())?;
//! let (mut writer, reader) = shared(forest);
//! thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
//!     let asking = scope.spawn(|| (0..1000).all(|_| reader.model().predict_label(&[0.9]).is_ok()));
//!     for batch in 0..10 {
//!         let rows = Array2::from_shape_fn((100, 1), |(row, _)| (row as f32 + batch as f32 / 10.0) / 100.0);
//!         let classes: Vec<u32> = rows.column(0).iter().map(|x| u32::from(*x > 0.5)).collect();
//!         writer.learn(rows.view(), &classes)?;
//!     }
//!     assert!(asking.join().expect("readers do not panic"));
//!     Ok(())
//! })?;
//! assert_eq!(reader.model().samples_seen(), 1000);
//! assert_eq!(reader.model().predict_label(&[0.9])?, Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works, and what it costs
//!
//! There are two copies of the learner. Readers ask the current one. The writer has the other one learn a batch, makes it the
//! current one, and then has the first learn the same batch; learning depends on nothing but the learner and the rows, so both
//! have the same bits again. Memory and time to learn are twice those of one learner. A reader takes a lock that no writer
//! holds: about ten nanoseconds, with a writer and without, and it never waits (`cargo bench -p benches --bench serving`).
//!
//! The writer waits for readers that hold a [`Model`] from before: a reader that keeps one keeps the writer.

mod copies;

use std::fmt;
use std::ops::Deref;

use forest_core::{InputError, OnlineLearner, Task};
use ndarray::ArrayView2;

use copies::{Copies, Guard, Shared};

/// Both halves of a learner.
pub fn shared<L: Clone>(learner: L) -> (Writer<L>, Reader<L>) {
    let copies = Shared::new(Copies::new(learner));
    let reader = Reader {
        copies: copies.clone(),
    };
    (Writer { copies }, reader)
}

/// The half that learns. There is one of it.
pub struct Writer<L> {
    copies: Shared<Copies<L>>,
}

/// The half that answers. Clones answer from the same learner.
pub struct Reader<L> {
    copies: Shared<Copies<L>>,
}

/// A learner as it is after some batch, for as long as it is held. The writer waits for it before it learns the batch after
/// the next one.
pub struct Model<'a, L> {
    guard: Guard<'a, L>,
}

impl<L: Clone> Writer<L> {
    /// Changes the learner. `change` is applied to two copies and must do the same to both.
    ///
    /// # Errors
    /// What `change` refuses; then the learner is as before.
    pub fn update<E>(&mut self, change: impl FnMut(&mut L) -> Result<(), E>) -> Result<(), E> {
        self.copies.update(change)
    }
}

impl<T: Task, L: OnlineLearner<Task = T> + Clone> Writer<L> {
    /// Learns a batch: readers have all of it or none.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`]; then nothing is learned.
    pub fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.update(|learner| learner.learn(features, targets))
    }
}

impl<L> Reader<L> {
    /// The learner after the latest batch, without waiting.
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
