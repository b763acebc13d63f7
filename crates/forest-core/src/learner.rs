//! The learner, as users see it.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

use crate::{FeatureValues, Footprint, InputError, InvariantError, PredictionRows, Schema, Task};

/// A learner that learns one sample at a time and can predict at any moment.
///
/// Object-safe: comparison code holds `Box<dyn OnlineLearner<Task = Classification>>`. Batches are
/// the primitive, so dynamic dispatch costs once per batch. Input is checked once; a learner's author
/// writes [`ImplementLearner`](crate::ImplementLearner), which gets it checked.
///
/// Features are `f32`, targets are [`Task::Target`], predictions are rows of `f64`: class
/// probabilities (as many as classes are known) or the mean (one). [`OnlineClassifier`] and
/// [`OnlineRegressor`] predict a class or a number.
///
/// [`OnlineClassifier`]: crate::OnlineClassifier
/// [`OnlineRegressor`]: crate::OnlineRegressor
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

    /// Returns the shape of the stream, with the classes known so far.
    fn schema(&self) -> &Schema<Self::Task>;

    /// Returns the values of features that it takes.
    fn feature_values(&self) -> FeatureValues;

    /// Returns the number of samples learned.
    fn samples_seen(&self) -> u64;

    /// Returns whether predictions follow from samples: not before the first one, nor once all are forgotten.
    fn has_learned(&self) -> bool {
        self.samples_seen() > 0
    }

    /// Returns the memory that the learner takes.
    fn footprint(&self) -> Footprint;

    /// Checks that the learner's data do not contradict themselves: after every insert in tests,
    /// and after a snapshot has been read. Costs a pass over everything held.
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check_invariants(&self) -> Result<(), InvariantError>;

    /// Whether `rows` more samples fit.
    ///
    /// # Errors
    /// [`InputError::StoreFull`].
    fn check_room(&self, rows: usize) -> Result<(), InputError>;

    /// Learns `features` (one sample a row) with their `targets`, one after another.
    ///
    /// # Errors
    /// [`InputError`] if anything in the batch is refused; then no part of it was learned.
    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<(), InputError>;

    /// Overwrites `predictions` with the predictions for `features`, one row of `schema().width()`
    /// numbers after another. Changes nothing in the learner.
    ///
    /// The buffer becomes as long as it has to be. One that is used again and again is soon large
    /// enough, and then a query allocates nothing (a large batch, shared out among threads, may).
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a [value](OnlineLearner::feature_values) that it does not take; then `predictions` is unchanged.
    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError>;

    /// Tests, then trains: returns, for every row, the prediction made just before that row was learned.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`].
    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError>;

    /// Learns one sample.
    ///
    /// # Errors
    /// As [`OnlineLearner::learn`].
    fn learn_one(
        &mut self,
        features: &[f32],
        target: <Self::Task as Task>::Target,
    ) -> Result<(), InputError> {
        self.learn(one_row(features), &[target])
    }

    /// Predicts `features`: returns one prediction row per row, `schema().width()` wide. Changes nothing.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let mut predictions = Vec::new();
        self.predict_into(features, &mut predictions)?;
        let shape = (features.nrows(), self.schema().width());
        Ok(Array2::from_shape_vec(shape, predictions).expect("there is a prediction for each row"))
    }

    /// Predicts one point.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_one(&self, features: &[f32]) -> Result<Vec<f64>, InputError> {
        let mut prediction = Vec::new();
        self.predict_one_into(features, &mut prediction)?;
        Ok(prediction)
    }

    /// Overwrites `prediction` with the prediction for one point, as [`OnlineLearner::predict_into`].
    ///
    /// ```
    /// use forest_core::{OnlineLearner, Prior, Regression, Schema};
    ///
    /// let mut mean = Prior::<Regression>::new(Schema::new(1)?);
    /// mean.learn_one(&[0.0], 3.0)?;
    /// let mut prediction = Vec::new();
    /// for x in [0.1, 0.2, 0.3] {
    ///     mean.predict_one_into(&[x], &mut prediction)?; // allocates for the first point only
    ///     assert_eq!(prediction, [3.0]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_one_into(
        &self,
        features: &[f32],
        prediction: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.predict_into(one_row(features), prediction)
    }
}

fn one_row(features: &[f32]) -> ArrayView2<'_, f32> {
    ArrayView1::from(features).insert_axis(Axis(0))
}
