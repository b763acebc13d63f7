//! The pipeline as a learner.

use forest_core::{
    CheckedBatch, CheckedRows, FeatureValues, Footprint, ImplementLearner, InputError,
    InvariantError, OnlineLearner, PredictionRows, Schema, Task,
};
use ndarray::{Array2, ArrayView2};

use super::{Pipeline, Step};

/// The reason why the learner accepts the output of the steps.
const SOUND: &str = "steps return finite rows of the learner's width, and targets are checked";

impl<L: OnlineLearner> Pipeline<L> {
    /// Transforms raw rows for the learner.
    pub(super) fn transformed(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let steps = self.steps.iter();
        steps.fold(rows.to_owned(), |rows, step| step.apply(rows))
    }

    pub(super) fn admit(&mut self, targets: &[<L::Task as Task>::Target]) {
        targets.iter().for_each(|&target| self.schema.admit(target));
    }

    fn check(&self) -> Result<(), InvariantError> {
        self.learner.check_invariants()?;
        let schema = |error| InvariantError::new("schema", error);
        self.schema.check().map_err(schema)?;
        for (index, step) in self.steps.iter().enumerate() {
            let rule = "these numbers cannot result from any rows";
            InvariantError::require(step.is_sound(), format_args!("step {index}"), rule)?;
        }
        let features = super::raw_width(&self.steps, &self.learner);
        let between = |error| InvariantError::new("steps", error);
        super::check_widths(&self.steps, &self.learner).map_err(between)?;
        let same = features == self.schema.features()
            && self.learner.schema().outputs() == self.schema.outputs();
        InvariantError::require(same, "pipeline", "its schema is not that of its learner")?;
        let named = self.class_names.len() <= self.schema.width();
        InvariantError::require(named, "class names", "more names than classes")
    }
}

impl<L: OnlineLearner> ImplementLearner for Pipeline<L> {
    type Task = L::Task;

    fn schema(&self) -> &Schema<L::Task> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        // Steps are fitted on numbers.
        match self.steps[..] {
            [] => self.learner.feature_values(),
            _ => FeatureValues::Numbers,
        }
    }

    fn samples_seen(&self) -> u64 {
        self.learner.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.learner.has_learned()
    }

    fn footprint(&self) -> Footprint {
        let own = Footprint {
            bytes: self.steps.iter().map(Step::bytes).sum(),
            ..Footprint::default()
        };
        self.learner.footprint() + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.learner.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.admit(batch.targets());
        let rows = self.transformed(batch.rows().matrix());
        let learned = self.learner.learn(rows.view(), batch.targets());
        learned.expect(SOUND);
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        let rows = self.transformed(rows.matrix());
        let computed = self.learner.predict(rows.view()).expect(SOUND);
        let cells = predictions.iter_mut().zip(&computed);
        cells.for_each(|(cell, prediction)| *cell = *prediction);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        self.admit(batch.targets());
        let rows = self.transformed(batch.rows().matrix());
        let tested = self
            .learner
            .predict_then_learn(rows.view(), batch.targets());
        tested.expect(SOUND)
    }
}
