//! The learner of classes as an online learner that can forget.

use std::cell::RefCell;

use forest_core::{
    Ability, Batch, Classification, ExportedTree, FeatureValues, Footprint, InputError,
    InvariantError, OnlineLearner, PredictionRows, Refused, Rows, SampleId, SampleWeight, Schema,
    SettingError,
};
use ndarray::{ArrayView2, s};

use super::linear::Linear;
use super::moments::Own;
use super::quadratic::Quadratic;
use super::recent::Recent;
use super::{COLUMNS, Memory, ROWS_A_ROUND, ResidualClassifier, Tree, own};

thread_local! {
    /// Working memory of queries: they allocate nothing once it is large enough.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl OnlineLearner for ResidualClassifier {
    type Task = Classification;

    fn schema(&self) -> &Schema<Classification> {
        self.forest.schema()
    }

    fn feature_values(&self) -> FeatureValues {
        self.forest.feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.forest.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.forest.has_learned()
    }

    fn footprint(&self) -> Footprint {
        let own = Footprint {
            bytes: self.moments.bytes()
                + self.linear.bytes()
                + self.schedule.bytes()
                + self.weights.capacity() * size_of::<f64>()
                + self.quadratic.as_ref().map_or(0, Quadratic::bytes)
                + self.memory.bytes(),
            ..Footprint::default()
        };
        let recent = self.recent.as_ref().map(Recent::footprint);
        self.forest.footprint() + own + recent.unwrap_or_default()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forest.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        self.forest.check_invariants()?;
        let schema = self.forest.schema();
        let of_trees = self.settings.of_trees();
        let what = "the forest does not match them";
        InvariantError::require(*self.forest.settings() == of_trees, "settings", what)?;
        let (store, width) = (self.forest.samples(), schema.width());
        let is_counted = self
            .schedule
            .is_sound(store.ids().map(|id| store.target(id)));
        let what = "rows are miscounted, or a fit is overdue";
        InvariantError::require(is_counted, "schedule", what)?;
        let first = self.forest.trees().next();
        let is_same = |tree: &Tree| {
            let silent = |tree: &Tree, id| tree.is_silent(id, store);
            first.is_none_or(|first| store.ids().all(|id| silent(tree, id) == silent(first, id)))
        };
        let what = "its silent rows are not those of the first tree";
        let mut trees = self.forest.trees().step_by(2);
        InvariantError::require(trees.all(is_same), "tree", what)?;
        self.moments.check(schema.features(), width)?;
        self.linear.check(schema.features(), width)?;
        if let Some(quadratic) = &self.quadratic {
            quadratic.check(schema.features(), schema.width())?;
        }
        let is_fitted = self.weights.len() == COLUMNS;
        InvariantError::require(is_fitted, "mixture", "it has other columns")?;
        let what = "they are there without windows, or windows without them";
        let is_there = self.recent.is_some() != self.settings.recent.is_empty();
        InvariantError::require(is_there, "recent rows", what)?;
        let mut recent = self.recent.iter();
        recent.try_for_each(|recent| recent.check(&self.settings.recent, &self.forest))
    }

    fn learn_batch(&mut self, batch: &Batch<'_, Classification>) {
        self.learn_rows(batch.rows().matrix(), batch.targets(), None, None);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.forest.schema().width().max(1);
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

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Classification>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        let mut each = |row: &[f64]| predictions.push(row.len()).copy_from_slice(row);
        self.learn_rows(
            batch.rows().matrix(),
            batch.targets(),
            None,
            Some(&mut each),
        );
        predictions
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(
            ability,
            Ability::Explain | Ability::Forget | Ability::Weights
        )
    }

    /// Trees are explained by the class frequencies of their leaves. The other sizes of node, the mixture and the discriminant functions
    /// are outside of the trees.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        self.forest.export(tree)
    }

    /// A weight is in the counts of the trees, in the moments, and in the sums that the weights of the mixture are fitted by. It is not in which rows are silent, nor when the
    /// mixture is fitted.
    fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[u32],
        weights: &[f64],
    ) -> Result<(), InputError> {
        Batch::for_learner(self, features, targets)?;
        SampleWeight::check_rows(targets.len(), weights)?;
        self.learn_rows(features, targets, Some(weights), None);
        Ok(())
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees and moments forget a sample at once; the functions, the weights and the share of silent rows follow when they are fitted next, when a thirty-second of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let gone = self.taking_out(self.forest.samples().find(arrival));
        self.forest.forget(arrival)?;
        if let Some(recent) = &mut self.recent {
            recent.forget(arrival)?;
        }
        self.gone(gone);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let store = self.forest.samples();
        let excess = store.len().saturating_sub(n.max(1));
        let gone = self.taking_out(store.ids().take(excess));
        self.forest.keep_latest(n)?;
        self.gone(gone);
        let mut recent = self.recent.iter_mut();
        recent.try_for_each(|recent| recent.keep_latest(n))
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do; the moments are those of the rows that are held, which have 0 for the new features, and the functions and the weights are fitted to
    /// them at once.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.forest.schema().features();
        self.forest.widen(features)?;
        if let Some(recent) = &mut self.recent {
            recent.widen(features)?;
        }
        if features > before {
            let mut memory = std::mem::take(&mut self.memory);
            self.sum_again(&mut memory.difference);
            (self.linear, self.quadratic) = (Linear::default(), None);
            self.fit(&mut memory);
            self.memory = memory;
        }
        Ok(())
    }
}

impl ResidualClassifier {
    /// Returns what is known of rows that are about to be forgotten.
    fn taking_out(&self, ids: impl IntoIterator<Item = SampleId>) -> Vec<(Vec<f32>, Own)> {
        let store = self.forest.samples();
        let row = |id| (store.features(id).to_vec(), own(store, id, -1.0));
        ids.into_iter().map(row).collect()
    }

    /// Forgets rows that the forests have forgotten.
    fn gone(&mut self, rows: Vec<(Vec<f32>, Own)>) {
        let (mut memory, mut is_due) = (std::mem::take(&mut self.memory), false);
        for (x, own) in rows {
            is_due |= self.schedule.is_forgotten(own.class as u32);
            self.take_out(&x, own, &mut memory.difference);
        }
        if is_due {
            self.fit(&mut memory);
        }
        self.memory = memory;
        self.begin_again_if_empty();
    }
}
