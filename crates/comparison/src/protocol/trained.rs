//! A trained learner, to be tested.

use std::time::Duration;

use forest_core::Footprint;

use super::batches::PredictedBatches;
use super::online::{Online, Predicting};
use super::rows::Part;
use super::watch::{Limits, Watch};
use crate::clock::Stopwatch;
use crate::metric::{INTERVAL_LEVEL, Tested};
use crate::record::Measured;
use crate::scores::Scores;
use crate::{AnyAlgorithm, BatchTask, Fitted, RunError};

/// A completed run.
pub(crate) struct Run {
    /// The algorithm with all of its parameters.
    pub algorithm: AnyAlgorithm,
    pub trees: usize,
    pub measured: Measured,
}

/// An online or offline learner that has learned the training part of a fold. It can be tested on any rows.
pub struct Trained<T: BatchTask> {
    /// The algorithm with all of its parameters.
    pub(super) algorithm: AnyAlgorithm,
    pub(super) trees: usize,
    /// Time inside the learner.
    pub(super) learn: Duration,
    pub(super) model: Model<T>,
}

pub(super) enum Model<T: BatchTask> {
    Online(Online<T>),
    Fitted(Box<dyn Fitted>),
}

impl<T: BatchTask> Trained<T> {
    /// Predicts the rows and measures the predictions, with time and size.
    ///
    /// # Errors
    /// Returns an error for rows that the learner rejects.
    pub fn test(&self, rows: &Part<T::Target>) -> Result<Measured, RunError> {
        let mut scores = Scores::<T>::all();
        let watch = Watch::start(&(), Limits::default());
        let predict = self.score(rows, &mut scores, &watch)?;
        Ok(self.measured(&scores, predict))
    }

    /// Returns the number of trees; 0 if the learner is not a forest.
    pub fn trees(&self) -> usize {
        self.trees
    }

    pub(super) fn footprint(&self) -> Option<Footprint> {
        match &self.model {
            Model::Online(online) => online.footprint(),
            Model::Fitted(fitted) => fitted.footprint(),
        }
    }

    /// Adds the scores of all rows, and returns the time of predictions without that of intervals.
    pub(super) fn score(
        &self,
        test: &Part<T::Target>,
        scores: &mut Scores<T>,
        watch: &Watch<'_>,
    ) -> Result<Duration, RunError> {
        let learner: &dyn Predicting = match &self.model {
            Model::Online(online) => online,
            Model::Fitted(fitted) => fitted,
        };
        let (mut total, mut batches) = (Duration::ZERO, PredictedBatches::new(test.len()));
        while let Some(rows) = batches.next() {
            let (features, observed) = test.slice(&rows);
            let clock = Stopwatch::start();
            let predictions = learner.predict(features)?;
            let time = clock.elapsed();
            total += time;
            batches.record_time(time);
            let intervals = learner.intervals(features, INTERVAL_LEVEL)?;
            for (index, prediction) in predictions.rows().into_iter().enumerate() {
                let bounds = intervals.as_ref().map(|bounds| bounds.row(index));
                scores.add(&Tested {
                    prediction: &prediction.to_vec(),
                    truth: test.truth(rows.start + index),
                    observed: observed[index],
                    interval: bounds.map(|bounds| [bounds[0], bounds[1]]),
                });
            }
            watch.advance(rows.len())?;
        }
        Ok(total)
    }

    pub(super) fn run(self, scores: &Scores<T>, predict: Duration) -> Run {
        Run {
            measured: self.measured(scores, predict),
            algorithm: self.algorithm,
            trees: self.trees,
        }
    }

    fn measured(&self, scores: &Scores<T>, predict: Duration) -> Measured {
        let mut measured = Measured {
            learn_seconds: self.learn.as_secs_f64(),
            predict_seconds: Some(predict.as_secs_f64()),
            standard_errors: scores.standard_errors(),
            ..scores.measured()
        };
        measured.set_footprint(self.footprint());
        measured
    }
}
