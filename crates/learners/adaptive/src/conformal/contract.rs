//! The base as an online learner that records the scores of its predictions.

use forest_core::registry::Capabilities;
use forest_core::{
    Batch, FeatureValues, Footprint, InputError, InvariantError, OnlineLearner, PredictionRows,
    Regression, Rows, Schema,
};

use crate::conformal::Conformal;

impl OnlineLearner for Conformal {
    type Task = Regression;

    fn schema(&self) -> &Schema<Regression> {
        self.base.get().schema()
    }

    fn feature_values(&self) -> FeatureValues {
        self.base.get().feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.base.get().samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.base.get().has_learned()
    }

    fn footprint(&self) -> Footprint {
        let working = self.prediction.capacity() * size_of::<f64>();
        let own = Footprint {
            bytes: self.scores.bytes() + self.settings.base.capacity() + working,
            ..Footprint::default()
        };
        self.base.get().footprint() + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.base.get().check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        match *batch.targets() {
            [target] => self.learn_one_row(batch, target),
            _ => drop(self.predict_rows_then_learn(batch)),
        }
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.base.get().predict_rows(rows, predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let predictions = self.predict_rows_then_learn(batch);
        let mut means = PredictionRows::default();
        for prediction in predictions.iter() {
            means.push(1)[0] = prediction[0];
        }
        means
    }

    /// Those of the base, and intervals.
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            intervals: Some(self),
            ..self.base.get().capabilities()
        }
    }
}
