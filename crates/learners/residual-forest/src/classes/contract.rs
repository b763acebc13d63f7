//! The learner of classes as an online learner that can forget.

use std::cell::RefCell;

use forest_core::{
    CheckedBatch, CheckedRows, Classification, FeatureValues, Footprint, Forget, ForgetError,
    ImplementLearner, InputError, InvariantError, OnlineLearner, PredictionRows, Schema,
    SettingError,
};
use ndarray::s;

use super::quadratic::Quadratic;
use super::recent::Recent;
use super::{COLUMNS, Memory, ROWS_A_ROUND, ResidualClassifier, new_quadratic};

thread_local! {
    /// Working memory of queries: they allocate nothing once it is large enough.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl ImplementLearner for ResidualClassifier {
    type Task = Classification;

    fn schema(&self) -> &Schema<Classification> {
        OnlineLearner::schema(&self.forest)
    }

    fn feature_values(&self) -> FeatureValues {
        OnlineLearner::feature_values(&self.forest)
    }

    fn samples_seen(&self) -> u64 {
        OnlineLearner::samples_seen(&self.forest)
    }

    fn has_learned(&self) -> bool {
        OnlineLearner::has_learned(&self.forest)
    }

    fn footprint(&self) -> Footprint {
        let own = Footprint {
            bytes: self.discriminant.bytes()
                + self.quadratic.as_ref().map_or(0, Quadratic::bytes)
                + self.memory.bytes(),
            ..Footprint::default()
        };
        let recent = self.recent.as_ref().map(Recent::footprint);
        OnlineLearner::footprint(&self.forest) + own + recent.unwrap_or_default()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        OnlineLearner::check_room(&self.forest, rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        OnlineLearner::check_invariants(&self.forest)?;
        let schema = OnlineLearner::schema(&self.forest);
        let of_trees = self.settings.of_trees(schema.features());
        let what = "the forest does not match them";
        InvariantError::require(*self.forest.settings() == of_trees, "settings", what)?;
        self.discriminant.check(schema.features(), schema.width())?;
        let is_there = self.quadratic.is_some() == new_quadratic(schema.features()).is_some();
        let what = "it is there for other numbers of features";
        InvariantError::require(is_there, "quadratic function", what)?;
        if let Some(quadratic) = &self.quadratic {
            quadratic.check(schema.features(), schema.width())?;
        }
        self.mixture.check(COLUMNS)?;
        let what = "they are there without windows, or windows without them";
        let is_there = self.recent.is_some() != self.settings.recent.is_empty();
        InvariantError::require(is_there, "recent rows", what)?;
        let mut recent = self.recent.iter();
        recent.try_for_each(|recent| recent.check(&self.settings.recent, &self.forest))
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.predict_rows_then_learn(batch.rows().matrix(), batch.targets(), |_| {});
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        let width = OnlineLearner::schema(&self.forest).width().max(1);
        // If this thread is already predicting for another learner, that one has the memory, and this one gets a new one.
        let mut memory = MEMORY.with_borrow_mut(std::mem::take);
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND * width).enumerate() {
            let start = round * ROWS_A_ROUND;
            let part = rows
                .matrix()
                .slice_move(s![start..start + predictions.len() / width, ..]);
            self.predict_rows(part, &mut memory, predictions);
        }
        MEMORY.set(memory);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        let each = |row: &[f64]| predictions.push(row.len()).copy_from_slice(row);
        self.predict_rows_then_learn(batch.rows().matrix(), batch.targets(), each);
        predictions
    }
}

/// Trees forget a sample. The linear function and the weights of the mixture forget by discount, and completely when no sample is left.
impl Forget for ResidualClassifier {
    fn forget(&mut self, arrival: u64) -> Result<(), ForgetError> {
        self.forest.forget(arrival)?;
        if let Some(recent) = &mut self.recent {
            recent.forget(arrival)?;
        }
        self.begin_again_if_empty();
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), SettingError> {
        self.forest.keep_latest(n)?;
        let mut recent = self.recent.iter_mut();
        recent.try_for_each(|recent| recent.keep_latest(n))
    }
}
