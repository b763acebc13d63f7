//! Parts as an online learner.

use forest_core::{
    CheckedBatch, CheckedRows, Footprint, ImplementLearner, InputError, InvariantError,
    OnlineLearner, PredictionRows, Schema,
};
use registry::NamedTask;

use crate::RowParts;
use crate::answers::mean;

impl<T: NamedTask> ImplementLearner for RowParts<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
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

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let (width, voters) = (self.schema.width(), self.voters().len() as f64);
        self.add_answers(rows.matrix(), answers, width);
        let answers = answers.chunks_exact_mut(width.max(1));
        answers.for_each(|answer| mean::<T>(voters, answer));
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        self.answer_then_learn(batch.rows().matrix(), batch.targets(), |answered| {
            let answer = answers.push(answered.known());
            let voters = answered.add(answer);
            mean::<T>(voters as f64, answer);
        });
        answers
    }
}
