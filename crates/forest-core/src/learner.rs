//! The learner: everything that compares or deploys goes through this trait.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::{
    Batch, Classification, InputError, InvariantError, PredictionRows, Rows, Schema, Task,
};

/// A learner that takes samples as they come and answers at any moment.
///
/// Object-safe: comparison code holds `Box<dyn OnlineLearner<Task = Classification>>`. Batches are
/// the primitive, so dynamic dispatch costs once per batch. The methods that users call check their
/// input once and hand it to the `_checked` ones, which an implementation writes and cannot fail.
///
/// Features are `f32`, targets are [`Task::Target`], predictions are rows of `f64`: class
/// probabilities (as many as classes are known) or the mean (one).
///
/// ```
/// use forest_core::{Classification, OnlineLearner, Prior, Schema};
///
/// let schema = Schema::<Classification>::new(1)?.with_classes(2)?;
/// let mut peers: Vec<Box<dyn OnlineLearner<Task = Classification>>> =
///     vec![Box::new(Prior::new(schema)), Box::new(Prior::new(schema))];
/// for learner in &mut peers {
///     assert_eq!(learner.predict_one(&[0.5])?, [0.5, 0.5]);
///     learner.learn_one(&[0.5], 1)?;
///     assert_eq!(learner.predict_one(&[0.5])?, [0.0, 1.0]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A regression target for a classifier does not compile:
///
/// ```compile_fail,E0308
/// use forest_core::{Classification, OnlineLearner};
///
/// fn learn(learner: &mut dyn OnlineLearner<Task = Classification>) {
///     learner.learn_one(&[0.5], 1.5).unwrap();
/// }
/// ```
pub trait OnlineLearner: Send + Sync {
    /// Classification or regression.
    type Task: Task;

    /// The shape of the stream, with the classes known so far.
    fn schema(&self) -> &Schema<Self::Task>;

    /// Number of samples learned.
    fn samples_seen(&self) -> u64;

    /// What the learner holds in memory.
    fn footprint(&self) -> Footprint;

    /// Whether `rows` more samples fit; all do, unless an implementation says otherwise.
    ///
    /// # Errors
    /// [`InputError::StoreFull`].
    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let _ = rows;
        Ok(())
    }

    /// Checks that the learner's data do not contradict themselves: after every insert in tests,
    /// and after a snapshot has been read. Costs a pass over everything held.
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check_invariants(&self) -> Result<(), InvariantError>;

    /// Learns the samples of a checked batch one after another.
    fn learn_checked(&mut self, batch: &Batch<'_, Self::Task>);

    /// Answers checked rows, one prediction row each.
    fn predict_checked(&self, rows: &Rows<'_>) -> Array2<f64>;

    /// Answers each row of a checked batch and then learns it, row after row.
    fn predict_then_learn_checked(&mut self, batch: &Batch<'_, Self::Task>) -> PredictionRows;

    /// Learns `features` (one sample a row) with their `targets`, one after another.
    ///
    /// # Errors
    /// [`InputError`] if anything in the batch is refused; then nothing of it was learned.
    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<(), InputError> {
        let batch = Batch::check(features, targets, self.schema())?;
        self.check_room(batch.len())?;
        self.learn_checked(&batch);
        Ok(())
    }

    /// Learns one sample.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`].
    fn learn_one(
        &mut self,
        features: &[f32],
        target: <Self::Task as Task>::Target,
    ) -> Result<(), InputError> {
        let batch = Batch::one(features, &target, self.schema())?;
        self.check_room(1)?;
        self.learn_checked(&batch);
        Ok(())
    }

    /// Answers `features`: one prediction row per row, `schema().width()` wide. Changes nothing.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema().features())?;
        Ok(self.predict_checked(&rows))
    }

    /// Answers one point.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict`].
    fn predict_one(&self, features: &[f32]) -> Result<Vec<f64>, InputError> {
        let rows = Rows::one(features, self.schema().features())?;
        Ok(self.predict_checked(&rows).into_raw_vec_and_offset().0)
    }

    /// Test-then-train: for every row, the prediction made just before that row was learned.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`].
    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        let batch = Batch::check(features, targets, self.schema())?;
        self.check_room(batch.len())?;
        Ok(self.predict_then_learn_checked(&batch))
    }
}

/// Classifiers whose members can vote for one class each.
pub trait HardVote: OnlineLearner<Task = Classification> {
    /// For every row, the fraction of the members whose most probable class is each class
    /// (a member's ties go to the smaller class).
    ///
    /// # Errors
    /// As [`OnlineLearner::predict`].
    fn hard_votes(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;
}

/// What a learner holds in memory.
///
/// Bytes are those allocated, unused capacity included: what the learner takes from the machine.
/// They depend a little on how the stream was cut into batches; nodes and samples do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footprint {
    /// Tree nodes.
    pub nodes: usize,
    /// Samples kept, each counted once however many trees name it.
    pub stored_samples: usize,
    /// Bytes allocated for nodes, statistics and samples.
    pub bytes: usize,
}

impl Footprint {
    /// Nodes and stored samples: what does not depend on how the stream was cut into batches.
    pub fn counts(&self) -> (usize, usize) {
        (self.nodes, self.stored_samples)
    }
}

impl std::ops::Add for Footprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            stored_samples: self.stored_samples + other.stored_samples,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl std::iter::Sum for Footprint {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| a + b)
    }
}
