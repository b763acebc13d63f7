//! The parts as one online learner.

use forest_core::{
    CheckedBatch, CheckedRows, FeatureValues, Footprint, ImplementLearner, InputError,
    InvariantError, OnlineLearner, PredictionRows, Schema,
};
use registry::NamedTask;

use crate::RowParts;
use crate::predictions::mean;

impl<T: NamedTask> ImplementLearner for RowParts<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        self.parts[0].learner().feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let parts = self.parts.iter();
        let learners: Footprint = parts.clone().map(|part| part.learner().footprint()).sum();
        let working: usize = parts.map(|part| part.working_bytes()).sum();
        let own = Footprint {
            bytes: working + self.settings.base.capacity(),
            ..Footprint::default()
        };
        learners + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let deal = self.deal();
        self.parts.iter().try_for_each(|part| {
            let own = deal.rows_of(part.number(), rows).len();
            part.learner().check_room(own)
        })
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.learn_rows(batch.rows().matrix(), batch.targets());
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        let (width, voters) = (self.schema.width(), self.voters().len() as f64);
        self.add_predictions(rows.matrix(), predictions, width);
        let predictions = predictions.chunks_exact_mut(width.max(1));
        predictions.for_each(|prediction| mean::<T>(voters, prediction));
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.predict_rows_then_learn(batch.rows().matrix(), batch.targets(), |of_parts| {
            let prediction = predictions.push(of_parts.known());
            let voters = of_parts.add(prediction);
            mean::<T>(voters as f64, prediction);
        });
        predictions
    }
}
