//! The learner of classes as an online learner that can forget, and whose trees can be read.

use forest_core::{
    Ability, Batch, Classification, ExportedTree, FeatureValues, Footprint, InputError,
    InvariantError, OnlineLearner, PredictionRows, Refused, Rows, Schema, SettingError,
};

use super::discriminant::Moments;
use super::recent::Recent;
use super::{COLUMNS, Gone, MEMORY, ROWS_A_ROUND, ResidualClassifier, gone, starting_weights};

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
        let recent = self.recent.as_ref().map(Recent::footprint);
        let parts = [self.forest.footprint(), recent.unwrap_or_default()];
        let mut sum: Footprint = parts.into_iter().sum();
        let functions = self.moments.bytes() + self.linear.bytes() + self.quadratic.bytes();
        sum.bytes += functions + self.schedule.bytes();
        sum
    }

    fn trees(&self) -> usize {
        self.forest.tree_count()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forest.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        self.forest.check_invariants()?;
        let (store, schema) = (self.forest.samples(), self.forest.schema());
        let (features, classes) = (schema.features(), schema.width());
        let is_whole = *self.forest.settings() == self.settings.of_trees()
            && self.weights.len() == COLUMNS
            && self.recent.is_none() == self.settings.recent.is_empty()
            && self.moments.is_shaped(features, classes)
            && self.linear.is_shaped(features, classes)
            && self.quadratic.is_shaped(features, classes);
        InvariantError::require(is_whole, "mixture", "it does not match the settings")?;
        let is_counted = self
            .schedule
            .is_sound(store.ids().map(|id| store.target(id)));
        let what = "rows are miscounted, or a fit is overdue";
        InvariantError::require(is_counted, "schedule", what)?;
        let mut trees = self.forest.trees().step_by(2).map(|tree| -> Vec<bool> {
            let silent = store.ids().map(|id| tree.is_silent(id, store));
            silent.collect()
        });
        let first = trees.next();
        let what = "its silent rows are not those of the first tree";
        InvariantError::require(trees.all(|tree| Some(tree) == first), "tree", what)?;
        match &self.recent {
            Some(recent) => recent.check(&self.settings.recent, &self.forest),
            None => Ok(()),
        }
    }

    /// A weight is in the counts of the trees, in the moments, and in the sums that the weights of the mixture are fitted by. It is not in which rows are silent, nor when the
    /// mixture is fitted.
    fn learn_batch(&mut self, batch: &Batch<'_, Classification>) {
        self.learn_rows(batch, None);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.forest.schema().width().max(1);
        // If this thread is already predicting for another learner, that one has the memory, and this one gets a new one.
        let mut memory = MEMORY.take();
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND * width).enumerate() {
            let start = round * ROWS_A_ROUND;
            let part = rows.part(start..start + predictions.len() / width);
            self.predict_round(&part, &mut memory, predictions);
        }
        MEMORY.set(memory);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Classification>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.learn_rows(batch, Some(&mut predictions));
        predictions
    }

    fn can(&self, ability: Ability) -> bool {
        use Ability::{Explain, Forget, Weights};
        matches!(ability, Explain | Forget | Weights)
    }

    /// Trees are explained by the class frequencies of their leaves. The other sizes of node, the mixture and the discriminant functions
    /// are outside of the trees.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        self.forest.export(tree)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees and moments forget a sample at once; the functions, the weights and the share of silent rows follow when they are fitted next, when a thirty-second of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let store = self.forest.samples();
        let rows: Vec<_> = store
            .find(arrival)
            .map(|id| gone(store, id))
            .into_iter()
            .collect();
        self.forest.forget(arrival)?;
        if let Some(recent) = &mut self.recent {
            recent.forget(arrival)?;
        }
        self.forget_rows(rows);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let store = self.forest.samples();
        let excess = store.ids().take(store.len().saturating_sub(n.max(1)));
        let rows = excess.map(|id| gone(store, id)).collect();
        self.forest.keep_latest(n)?;
        self.forget_rows(rows);
        match &mut self.recent {
            Some(recent) => recent.keep_latest(n),
            None => Ok(()),
        }
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do; the moments are those of the rows that are held, which have 0 for the new features, and the functions and the weights are fitted to
    /// them at once.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.forest.schema().features();
        self.forest.widen(features)?;
        let mut small = self
            .recent
            .iter_mut()
            .flat_map(|recent| &mut recent.forests);
        small.try_for_each(|forest| forest.widen(features))?;
        if features > before {
            self.sum_again();
            (self.linear, self.quadratic) = Default::default();
            self.fit();
        }
        Ok(())
    }
}

impl ResidualClassifier {
    /// Forgets rows that the forests have forgotten; once none is left, all that is not a tree begins again.
    fn forget_rows(&mut self, rows: Vec<Gone>) {
        let mut is_due = false;
        for (x, own) in rows {
            is_due |= self.schedule.is_forgotten(own.class as u32);
            self.take_out(&x, own);
        }
        if is_due {
            self.fit();
        }
        if !self.forest.has_learned() {
            self.moments = Moments::new(self.moments.features());
            (self.linear, self.quadratic) = Default::default();
            (self.weights, self.taken_out) = (starting_weights(0), 0);
            self.recent.iter_mut().for_each(Recent::begin_again);
        }
    }
}
