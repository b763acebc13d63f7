//! The learner, as its author writes it: behind the one place where input is checked.

use std::marker::PhantomData;
use std::ops::Deref;

use ndarray::ArrayView2;

use crate::{
    Batch, FeatureValues, Footprint, InputError, InvariantError, OnlineLearner, PredictionRows,
    Rows, Schema, Task,
};

/// The trait that a learner's author implements; [`OnlineLearner`], which users see, follows from it.
///
/// The `_checked` methods get input that fits [`ImplementLearner::schema`], and cannot fail. Only the
/// verbs of [`OnlineLearner`] can call them: [`Checked`](crate::Checked) input is made nowhere else.
///
/// Most learners are a [`Forest`](crate::Forest), which implements this for any tree. A learner that
/// has another one inside implements [`OnlineLearner`] itself, by the verbs of the other.
pub trait ImplementLearner: Send + Sync + Sized {
    /// Classification or regression.
    type Task: Task;

    /// See [`OnlineLearner::schema`].
    fn schema(&self) -> &Schema<Self::Task>;

    /// See [`OnlineLearner::feature_values`]; numbers alone by default.
    fn feature_values(&self) -> FeatureValues {
        FeatureValues::Numbers
    }

    /// See [`OnlineLearner::samples_seen`].
    fn samples_seen(&self) -> u64;

    /// See [`OnlineLearner::has_learned`].
    fn has_learned(&self) -> bool {
        self.samples_seen() > 0
    }

    /// See [`OnlineLearner::footprint`].
    fn footprint(&self) -> Footprint;

    /// See [`OnlineLearner::check_invariants`].
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check_invariants(&self) -> Result<(), InvariantError>;

    /// See [`OnlineLearner::check_room`]; all fit, unless an implementation says otherwise.
    ///
    /// # Errors
    /// [`InputError::StoreFull`].
    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let _ = rows;
        Ok(())
    }

    /// Learns the samples of a batch, for which there is room, one after another.
    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>);

    /// Predicts `rows`: `schema().width()` numbers each, one row after another. `predictions` is as long as
    /// that, and all 0.
    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]);

    /// Predicts each row of a batch and then learns it, row after row.
    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows;
}

impl<L: ImplementLearner> OnlineLearner for L {
    type Task = <L as ImplementLearner>::Task;

    fn schema(&self) -> &Schema<<L as ImplementLearner>::Task> {
        ImplementLearner::schema(self)
    }

    fn feature_values(&self) -> FeatureValues {
        ImplementLearner::feature_values(self)
    }

    fn samples_seen(&self) -> u64 {
        ImplementLearner::samples_seen(self)
    }

    fn has_learned(&self) -> bool {
        ImplementLearner::has_learned(self)
    }

    fn footprint(&self) -> Footprint {
        ImplementLearner::footprint(self)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        ImplementLearner::check_invariants(self)
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        ImplementLearner::check_room(self, rows)
    }

    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<<L as ImplementLearner>::Task as Task>::Target],
    ) -> Result<(), InputError> {
        let batch = CheckedBatch::for_learner(self, features, targets)?;
        self.learn_checked(batch);
        Ok(())
    }

    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let rows = CheckedRows::for_learner(self, features)?;
        predictions.clear();
        predictions.resize(rows.len() * ImplementLearner::schema(self).width(), 0.0);
        self.predict_checked(rows, predictions);
        Ok(())
    }

    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<<L as ImplementLearner>::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        let batch = CheckedBatch::for_learner(self, features, targets)?;
        Ok(self.predict_then_learn_checked(batch))
    }
}

/// Input that was checked against the schema of a learner of type `L`, the only type that takes it.
///
/// The verbs of [`OnlineLearner`](crate::OnlineLearner) check their input and hand it to
/// [`ImplementLearner`] as this type. It has no public constructor, so input cannot reach a learner
/// that it was not checked for. A learner with another one inside calls the verbs of that one.
///
/// A batch of three features cannot be made for one learner and fed to one of two features:
///
/// ```compile_fail,E0624
/// use forest_core::{Batch, Classification, ImplementLearner, Prior, Schema, ndarray::array};
///
/// let three = Prior::<Classification>::new(Schema::new(3).unwrap());
/// let mut two = Prior::<Classification>::new(Schema::new(2).unwrap());
/// let rows = array![[0.1, 0.2, 0.3]];
/// let batch = Batch::check(rows.view(), &[0], ImplementLearner::schema(&three)).unwrap();
/// two.learn_checked(batch);
/// ```
///
/// Nor can a learner pass on the batch that it was given:
///
/// ```compile_fail,E0308
/// use forest_core::{CheckedBatch, ImplementLearner};
///
/// fn pass_on<A, B>(batch: CheckedBatch<'_, A>, inner: &mut B)
/// where
///     A: ImplementLearner,
///     B: ImplementLearner<Task = A::Task>,
/// {
///     inner.learn_checked(batch);
/// }
/// ```
///
/// The methods of `OnlineLearner` refuse it:
///
/// ```
/// use forest_core::{Classification, InputError, OnlineLearner, Prior, Schema, ndarray::array};
///
/// let mut two = Prior::<Classification>::new(Schema::new(2)?);
/// let refused = two.learn(array![[0.1, 0.2, 0.3]].view(), &[0]);
/// assert_eq!(refused, Err(InputError::WrongWidth { expected: 2, got: 3 }));
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Debug)]
pub struct Checked<I, L> {
    input: I,
    learner: PhantomData<fn(L)>,
}

/// A batch for a learner of type `L`.
pub type CheckedBatch<'a, L> = Checked<Batch<'a, <L as ImplementLearner>::Task>, L>;

/// Rows for a learner of type `L` to predict.
pub type CheckedRows<'a, L> = Checked<Rows<'a>, L>;

impl<'a, L: ImplementLearner> CheckedBatch<'a, L> {
    /// Checks samples that `learner` is about to learn.
    pub(crate) fn for_learner(
        learner: &L,
        features: ArrayView2<'a, f32>,
        targets: &'a [<L::Task as Task>::Target],
    ) -> Result<Self, InputError> {
        let taken = ImplementLearner::feature_values(learner);
        let input = Batch::check(features, targets, ImplementLearner::schema(learner), taken)?;
        ImplementLearner::check_room(learner, input.len())?;
        let learner = PhantomData;
        Ok(Self { input, learner })
    }
}

/// Checks samples that `learner` is about to learn in a way of its own, such as [with weights](crate::LearnWeighted).
///
/// # Errors
/// As [`OnlineLearner::learn`].
pub fn check_batch<L: ImplementLearner>(
    learner: &L,
    features: ArrayView2<'_, f32>,
    targets: &[<L::Task as Task>::Target],
) -> Result<(), InputError> {
    CheckedBatch::for_learner(learner, features, targets).map(drop)
}

impl<'a, L: ImplementLearner> CheckedRows<'a, L> {
    /// Checks rows that `learner` is about to predict.
    pub(crate) fn for_learner(
        learner: &L,
        features: ArrayView2<'a, f32>,
    ) -> Result<Self, InputError> {
        let input = Rows::for_learner(learner, features)?;
        let learner = PhantomData;
        Ok(Self { input, learner })
    }
}

impl<I, L> Deref for Checked<I, L> {
    type Target = I;

    fn deref(&self) -> &I {
        &self.input
    }
}
