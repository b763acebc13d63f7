//! What only classifiers or only regressors predict.

use ndarray::ArrayView2;

use crate::{Classification, InputError, OnlineLearner, Regression, argmax, threads};

/// A learner that predicts classes and their probabilities.
///
/// Every prediction is `None` before the first label. Of equally probable classes the smaller is predicted.
///
/// ```
/// use forest_core::{Classification, OnlineClassifier, OnlineLearner, Prior, Schema};
///
/// let mut majority = Prior::<Classification>::new(Schema::new(1)?);
/// assert_eq!(majority.predict_label(&[0.5])?, None);
/// majority.learn_one(&[0.5], 1)?;
/// assert_eq!(majority.predict_label(&[0.5])?, Some(1));
/// assert_eq!(majority.predict_proba(&[0.5])?, Some(vec![0.0, 1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OnlineClassifier: OnlineLearner<Task = Classification> {
    /// Returns the most probable class of one point. Allocates nothing, after a thread's first call.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_label(&self, features: &[f32]) -> Result<Option<u32>, InputError> {
        threads::with_buffer(|probabilities| {
            self.predict_one_into(features, probabilities)?;
            let label = argmax(probabilities) as u32;
            Ok((self.has_learned()).then_some(label))
        })
    }

    /// Returns the most probable class of each row.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_labels(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Option<Vec<u32>>, InputError> {
        threads::with_buffer(|probabilities| {
            self.predict_into(features, probabilities)?;
            let width = self.schema().width().max(1);
            let rows = probabilities.chunks_exact(width);
            let labels = rows.map(|row| argmax(row) as u32);
            Ok((self.has_learned()).then(|| labels.collect()))
        })
    }

    /// Returns the probability of each class known, at one point. [`OnlineLearner::predict`] predicts many points.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_proba(&self, features: &[f32]) -> Result<Option<Vec<f64>>, InputError> {
        let probabilities = self.predict_one(features)?;
        Ok((self.has_learned()).then_some(probabilities))
    }
}

impl<L: OnlineLearner<Task = Classification> + ?Sized> OnlineClassifier for L {}

/// A learner that predicts numbers; 0 before the first target.
///
/// ```
/// use forest_core::{OnlineLearner, OnlineRegressor, Prior, Regression, Schema};
///
/// let mut mean = Prior::<Regression>::new(Schema::new(1)?);
/// mean.learn_one(&[0.5], 3.0)?;
/// assert_eq!(mean.predict_value(&[0.5])?, 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OnlineRegressor: OnlineLearner<Task = Regression> {
    /// Returns the mean at one point. Allocates nothing, after a thread's first call.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_value(&self, features: &[f32]) -> Result<f64, InputError> {
        threads::with_buffer(|prediction| {
            self.predict_one_into(features, prediction)?;
            Ok(prediction[0])
        })
    }

    /// Returns the mean at each row.
    ///
    /// # Errors
    /// As [`OnlineLearner::predict_into`].
    fn predict_values(&self, features: ArrayView2<'_, f32>) -> Result<Vec<f64>, InputError> {
        let mut predictions = Vec::new();
        self.predict_into(features, &mut predictions)?;
        Ok(predictions)
    }
}

impl<L: OnlineLearner<Task = Regression> + ?Sized> OnlineRegressor for L {}
