//! The pipeline as a learner.

use forest_core::{
    CheckedBatch, CheckedRows, FeatureValues, Footprint, ImplementLearner, InputError,
    InvariantError, OnlineLearner, PredictionRows, Rows, Schema, Task,
};
use ndarray::{Array2, ArrayView2, Axis};

use super::{Pipeline, Step, Window};

/// The reason why the learner accepts the output of the steps.
pub(super) const SOUND: &str =
    "steps return finite rows of the learner's width, and targets are checked";

type Target<L> = <<L as OnlineLearner>::Task as Task>::Target;

impl<L: OnlineLearner> Pipeline<L> {
    /// Transforms raw rows for the learner.
    pub(super) fn transformed(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let steps = self.steps.iter();
        steps.fold(rows.to_owned(), |rows, step| step.transform_checked(rows))
    }

    /// Transforms raw rows that are learned, and updates running steps.
    pub(super) fn taken(&mut self, rows: Array2<f32>) -> Array2<f32> {
        let steps = self.steps.iter_mut();
        steps.fold(rows, |rows, step| step.learn_checked(rows))
    }

    fn learn_through(&mut self, rows: Array2<f32>, targets: &[Target<L>]) {
        let rows = self.taken(rows);
        self.learner.learn(rows.view(), targets).expect(SOUND);
    }

    fn predict_through(&self, rows: ArrayView2<'_, f32>) -> Array2<f64> {
        let rows = self.transformed(rows);
        self.learner.predict(rows.view()).expect(SOUND)
    }

    /// Holds back rows that fit into the window. Once it is full, fits the steps and learns it.
    fn hold_back(&mut self, rows: ArrayView2<'_, f32>, targets: &[Target<L>]) -> PredictionRows {
        let Some(window) = &mut self.window else {
            return PredictionRows::default();
        };
        let predictions = window.take(rows, targets);
        if let Some(full) = self.window.take_if(|window| window.room() == 0) {
            let (rows, targets) = full.into_samples();
            self.learn_through(rows, &targets);
        }
        predictions
    }

    /// Predicts and learns rows with steps that do not change, as one batch.
    fn test_then_train(&mut self, rows: Array2<f32>, targets: &[Target<L>]) -> PredictionRows {
        let rows = self.taken(rows);
        let predictions = self.learner.predict_then_learn(rows.view(), targets);
        predictions.expect(SOUND)
    }

    /// Predicts and learns rows with running steps: a row is predicted before they take it.
    fn test_then_train_running(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[Target<L>],
    ) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        for (row, target) in rows.axis_chunks_iter(Axis(0), 1).zip(targets) {
            let prediction = self.predict_through(row);
            predictions
                .push(prediction.ncols())
                .iter_mut()
                .zip(&prediction)
                .for_each(|(to, from)| *to = *from);
            self.learn_through(row.to_owned(), std::slice::from_ref(target));
        }
        predictions
    }

    pub(super) fn admit(&mut self, targets: &[Target<L>]) {
        targets.iter().for_each(|&target| self.schema.admit(target));
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
        let held_back = self.window.as_ref().map_or(0, Window::len);
        self.learner.samples_seen() + held_back as u64
    }

    fn has_learned(&self) -> bool {
        self.learner.has_learned() || self.window.as_ref().is_some_and(|window| window.len() > 0)
    }

    fn footprint(&self) -> Footprint {
        let steps: usize = self.steps.iter().map(Step::bytes).sum();
        let held_back = self.window.as_ref();
        let own = Footprint {
            stored_samples: held_back.map_or(0, Window::len),
            bytes: steps + held_back.map_or(0, Window::bytes),
            ..Footprint::default()
        };
        self.learner.footprint() + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let held_back = self.window.as_ref().map_or(0, Window::len);
        self.learner.check_room(rows.saturating_add(held_back))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.admit(batch.targets());
        let (early, late) = self.parts(batch.rows());
        let (early_targets, late_targets) = batch.targets().split_at(early.nrows());
        self.hold_back(early, early_targets);
        if !late.is_empty() {
            self.learn_through(late.to_owned(), late_targets);
        }
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        let rows = rows.matrix();
        let computed = match &self.window {
            Some(window) => window.predict(rows),
            None => self.predict_through(rows),
        };
        let cells = predictions.iter_mut().zip(&computed);
        cells.for_each(|(cell, prediction)| *cell = *prediction);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        self.admit(batch.targets());
        let (early, late) = self.parts(batch.rows());
        let (early_targets, late_targets) = batch.targets().split_at(early.nrows());
        let mut predictions = self.hold_back(early, early_targets);
        let later = if late.is_empty() {
            PredictionRows::default()
        } else if self.steps.iter().any(Step::is_running) {
            self.test_then_train_running(late, late_targets)
        } else {
            self.test_then_train(late.to_owned(), late_targets)
        };
        for row in later.iter() {
            predictions.push(row.len()).copy_from_slice(row);
        }
        predictions
    }
}

impl<L: OnlineLearner> Pipeline<L> {
    /// Splits rows into those that fit into the window, and the rest.
    fn parts<'r>(&self, rows: &'r Rows<'_>) -> (ArrayView2<'r, f32>, ArrayView2<'r, f32>) {
        let early = self.rows_to_fit().min(rows.len());
        rows.matrix().split_at(Axis(0), early)
    }
}
