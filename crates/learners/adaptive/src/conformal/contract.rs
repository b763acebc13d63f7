//! The base as an online learner that records the scores of its predictions.

use forest_core::{
    CheckedBatch, CheckedRows, FeatureValues, Footprint, ImplementLearner, InputError,
    InvariantError, OnlineLearner, PredictionRows, Regression, Schema, threads,
};

use crate::conformal::Conformal;

impl ImplementLearner for Conformal {
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

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        match *batch.targets() {
            [target] => self.learn_one_row(batch.rows().matrix(), target),
            ref targets => drop(self.predict_rows_then_learn(batch.rows().matrix(), targets)),
        }
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        threads::with_buffer(|base_predictions| {
            let result = self
                .base
                .get()
                .predict_into(rows.matrix(), base_predictions);
            result.expect("rows were checked against the base's schema");
            predictions.copy_from_slice(base_predictions);
        });
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let predictions = self.predict_rows_then_learn(batch.rows().matrix(), batch.targets());
        let mut means = PredictionRows::default();
        for prediction in predictions.iter() {
            means.push(1)[0] = prediction[0];
        }
        means
    }
}
