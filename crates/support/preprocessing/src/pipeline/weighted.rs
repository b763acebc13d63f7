//! Pipelines around learners that take weights.

use forest_core::{InputError, OnlineLearner, Rows, SampleWeight, Task};
use ndarray::ArrayView2;
use registry::Capable;

use super::Pipeline;
use super::learner::SOUND;

/// A pipeline whose learner takes weights: [`Pipeline::as_weighted_mut`].
///
/// Only the learner uses weights: running steps count each row once, regardless of its weight.
#[derive(Debug)]
pub struct WeightedPipeline<'a, L: OnlineLearner> {
    pipeline: &'a mut Pipeline<L>,
}

impl<L: Capable> Pipeline<L> {
    /// Returns the pipeline for weighted learning, if its learner takes weights and rows are not held back to fit steps on: those
    /// are kept without weights.
    ///
    /// ```
    /// use forest_core::{ForestSettings, OnlineLearner, Schema};
    /// use mondrian::{MondrianClassifier, fixed};
    /// use ndarray::array;
    /// use preprocessing::{Pipeline, StandardScaler};
    ///
    /// let settings = fixed(0.0);
    /// let forest = MondrianClassifier::new(Schema::new(1)?, settings, ForestSettings::default())?;
    /// let mut pipeline = Pipeline::new([StandardScaler::running(1).into()], forest)?;
    /// if let Some(mut weighted) = pipeline.as_weighted_mut() {
    ///     weighted.learn_weighted(array![[20.0], [30.0]].view(), &[0, 1], &[3.0, 1.0])?;
    /// }
    /// assert_eq!(pipeline.predict_one(&[25.0])?, [0.75, 0.25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_weighted_mut(&mut self) -> Option<WeightedPipeline<'_, L>> {
        let takes_weights = self.window.is_none() && self.learner.as_weighted_mut().is_some();
        takes_weights.then_some(WeightedPipeline { pipeline: self })
    }
}

impl<L: Capable> WeightedPipeline<'_, L> {
    /// Learns weighted raw rows, as [`LearnWeighted::learn_weighted`](forest_core::LearnWeighted::learn_weighted).
    ///
    /// # Errors
    /// Returns an error as there; then neither the learner nor a step has learned any of the batch.
    pub fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<L::Task as Task>::Target],
        weights: &[f64],
    ) -> Result<(), InputError> {
        let pipeline = &mut *self.pipeline;
        let rows = Rows::for_learner(pipeline, features)?;
        pipeline.schema.check_targets(rows.len(), targets)?;
        SampleWeight::check_rows(rows.len(), weights)?;
        pipeline.learner.check_room(rows.len())?;
        pipeline.admit(targets);
        let rows = pipeline.taken(rows.matrix().to_owned());
        let learner = pipeline.learner.as_weighted_mut();
        let learned = learner.map(|learner| learner.learn_weighted(rows.view(), targets, weights));
        learned.expect(TAKES).expect(SOUND);
        Ok(())
    }
}

const TAKES: &str = "a pipeline becomes weighted only if its learner takes weights";
