//! The learner of classes: when rows are learned, when the mixture is fitted, and what is predicted.

mod discriminant;
mod mixture;
mod moments;
mod schedule;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use dynamic_forest::ReadingForest;
use forest_core::{
    Ability, Batch, Classification, ExportedTree, FeatureValues, Footprint, ForestSettings,
    InputError, InvariantError, OnlineLearner, PredictionRows, Refused, Retention, Rows, SampleId,
    SampleStore, Schema, SettingError,
};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ResidualSettings;
use mixture::{Mixed, Mixture, Recent, SIZES, on_window};
use moments::{Label, Moments};
use schedule::{Schedule, silent_share};

/// A mixture of a forest's class frequencies at nodes of several sizes and of two discriminant functions.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    settings: ResidualSettings,
    /// The forest of all rows, then one on each [window](ResidualSettings::recent).
    forests: Vec<ReadingForest>,
    moments: Moments,
    mixture: Mixture,
    schedule: Schedule,
    /// The share of the rows that is silent.
    silent: f64,
    /// The number of rows that have been removed from the moments since these were summed.
    removed: usize,
    recent: Recent,
}

/// Working memory of a thread: nothing is allocated once it is large enough.
#[derive(Debug, Default)]
struct Memory {
    /// The readings of each forest, of rows that are predicted and not learned.
    readings: Vec<Vec<f64>>,
    shares: Vec<f64>,
    all: Mixed,
    recent: Mixed,
    /// The rows that leave a window because others are learned.
    leaving: Vec<RemovedRow>,
}

/// A copy of a row that is removed.
#[derive(Debug)]
struct RemovedRow {
    x: SmallVec<[f32; 16]>,
    label: Label,
}

impl RemovedRow {
    fn copied(store: &SampleStore<Classification>, id: SampleId) -> Self {
        Self {
            x: SmallVec::from_slice(store.features(id)),
            label: Label::stored(store, id),
        }
    }
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The number of rows whose readings are held at a time.
const ROWS_A_ROUND: usize = 4096;

impl ResidualClassifier {
    /// Builds a learner for the stream that `schema` describes.
    ///
    /// # Errors
    /// Returns an error for no trees, or a setting that violates its rule.
    pub fn new(
        schema: Schema<Classification>,
        settings: ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        let of_trees = settings.of_trees();
        let mut forests = vec![ReadingForest::new(schema, of_trees.clone(), forest)?];
        for (index, &rows) in settings.recent.iter().enumerate() {
            let small = on_window(forest, index, rows as usize);
            forests.push(ReadingForest::new(schema, of_trees.clone(), small)?);
        }
        Ok(Self {
            recent: Recent::new(settings.recent.len()),
            forests,
            moments: Moments::new(schema.features()),
            mixture: Mixture::starting(0),
            schedule: Schedule::default(),
            silent: 0.0,
            removed: 0,
            settings,
        })
    }

    /// Returns the weights of the logarithms of the forest's class frequencies at nodes of each size
    /// ([`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES)), and of the scores of both functions.
    pub fn weights(&self) -> &[f64] {
        &self.mixture.weights
    }

    /// Learns rows; appends the prediction of each just before it is learned to `predictions`, if there are any.
    fn learn_rows(
        &mut self,
        batch: &Batch<'_, Classification>,
        mut predictions: Option<&mut PredictionRows>,
    ) {
        let mut memory = MEMORY.take();
        let is_predicted = predictions.is_some() || self.forests.len() > 1;
        let mut start = 0;
        while start < batch.len() {
            let end = batch.len().min(start + ROWS_A_ROUND);
            let (rows, is_due) = self.plan(&batch.targets()[start..end], &mut memory.leaving);
            let part = batch.part(start..start + rows);
            let mut readings = Vec::new();
            if is_predicted {
                for forest in &mut self.forests {
                    readings.push(forest.predict_full_then_learn_batch(&part));
                }
            } else {
                self.forests[0].learn_batch(&part);
            }
            // From this row on, each row replaces one in the window.
            let first_replacing = rows - memory.leaving.len();
            for (row, (x, target)) in part.iter().enumerate() {
                if is_predicted {
                    let prediction = self.mix(x, |forest| readings[forest].row(row), &mut memory);
                    if let Some(predictions) = &mut predictions {
                        let cells = predictions.push(prediction.len());
                        cells.copy_from_slice(prediction);
                    }
                    if self.forests.len() > 1 {
                        self.recent.learn(&memory.recent, target);
                    }
                }
                if row >= first_replacing {
                    self.remove(&memory.leaving[row - first_replacing]);
                }
                let class = target as usize;
                let weight = part.weight(row).value();
                self.moments.add(x, Label { class, weight });
            }
            if is_due {
                self.fit();
            }
            start += rows;
        }
        MEMORY.set(memory);
    }

    /// Returns how many of these rows are learned in one round, and whether a fit is due after them. Fills `leaving`
    /// with the rows that leave the window when they are learned: once it is full, one for each.
    fn plan(&mut self, targets: &[u32], leaving: &mut Vec<RemovedRow>) -> (usize, bool) {
        let window = match self.forests[0].retention() {
            Retention::Latest(rows) => rows,
            Retention::Everything => usize::MAX,
        };
        let store = self.forests[0].samples();
        leaving.clear();
        let mut oldest = store.ids();
        for (row, &target) in targets.iter().enumerate() {
            if self.schedule.held >= window
                && let Some(id) = oldest.next()
            {
                self.schedule.left(store.target(id));
                leaving.push(RemovedRow::copied(store, id));
            }
            let is_due = self.schedule.learned(target);
            // Rows that leave the window later have to be stored by now.
            if is_due || row + 1 >= store.len() {
                return (row + 1, is_due);
            }
        }
        (targets.len(), false)
    }

    /// Removes a row from the moments.
    fn remove(&mut self, row: &RemovedRow) {
        let Label { class, weight } = row.label;
        let weight = -weight;
        self.moments.add(&row.x, Label { class, weight });
        self.removed += 1;
    }

    /// Sums the moments again from the rows that are held, without the rounding errors of removed rows.
    fn sum_again(&mut self) {
        let store = self.forests[0].samples();
        self.moments = Moments::new(store.width());
        self.removed = 0;
        for id in store.ids() {
            let label = Label::stored(store, id);
            self.moments.add(store.features(id), label);
        }
    }

    /// Returns the prediction at a point from the readings of each forest; with windows, for the next row.
    fn mix<'a, 'm>(
        &self,
        x: &[f32],
        reading: impl Fn(usize) -> &'a [f64],
        memory: &'m mut Memory,
    ) -> &'m [f64] {
        let shares = &mut memory.shares;
        let all = &mut memory.all;
        self.moments.shares(reading(0).len() / SIZES, None, shares);
        self.mixture.predict(x, reading(0), shares, all);
        if self.forests.len() == 1 {
            return &all.probabilities;
        }
        let of_windows = (1..self.forests.len()).map(reading);
        let recent = &mut memory.recent;
        self.recent
            .predict(&all.probabilities, of_windows, shares, recent);
        &recent.probabilities
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_round(&self, rows: &Rows<'_>, memory: &mut Memory, predictions: &mut [f64]) {
        let mut readings = std::mem::take(&mut memory.readings);
        readings.resize_with(self.forests.len(), Vec::new);
        for (readings, forest) in readings.iter_mut().zip(&self.forests) {
            forest
                .predict_full_into(rows.matrix(), readings)
                .expect("rows were checked");
        }
        let classes = predictions.len() / rows.len();
        let predictions = predictions.chunks_exact_mut(classes);
        for (row, (x, prediction)) in rows.iter().zip(predictions).enumerate() {
            let cells = row * SIZES * classes..(row + 1) * SIZES * classes;
            let reading = |forest: usize| &readings[forest][cells.clone()];
            prediction.copy_from_slice(self.mix(x, reading, memory));
        }
        memory.readings = readings;
    }

    /// Forgets rows that the forests have forgotten; once no row is left, resets everything but the trees.
    fn forget_rows(&mut self, rows: &[RemovedRow]) {
        let mut is_due = false;
        for row in rows {
            is_due |= self.schedule.forgot(row.label.class as u32);
            self.remove(row);
        }
        if is_due {
            self.fit();
        }
        if !self.forests[0].has_learned() {
            self.moments = Moments::new(self.forests[0].samples().width());
            self.removed = 0;
            self.mixture = Mixture::starting(0);
            self.recent = Recent::new(self.settings.recent.len());
        }
    }

    /// Fits the mixture to the rows that are held, after adapting the share of silent rows to their number.
    fn fit(&mut self) {
        self.schedule.fitted();
        let rows = self.schedule.held;
        let silent = silent_share(rows, self.forests[0].schema().width());
        if silent != self.silent {
            self.silent = silent;
            self.forests[0].refine_to(silent);
        }
        if self.removed > rows {
            self.sum_again();
        }
        let ids = self.silent_rows();
        self.mixture.fit(&self.forests[0], &self.moments, &ids);
    }

    /// Returns the silent rows, except those that are alone in their class.
    fn silent_rows(&self) -> Vec<SampleId> {
        let Some(tree) = self.forests[0].trees().next() else {
            return Vec::new();
        };
        let store = self.forests[0].samples();
        let has_others = |id: &SampleId| self.schedule.count(store.target(*id)) > 1;
        let silent = store.ids().filter(|&id| tree.is_silent(id, store));
        silent.filter(has_others).collect()
    }
}

impl OnlineLearner for ResidualClassifier {
    type Task = Classification;

    fn schema(&self) -> &Schema<Classification> {
        self.forests[0].schema()
    }

    fn feature_values(&self) -> FeatureValues {
        self.forests[0].feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.forests[0].samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.forests[0].has_learned()
    }

    fn footprint(&self) -> Footprint {
        let mut sum: Footprint = self.forests.iter().map(OnlineLearner::footprint).sum();
        sum.bytes += self.moments.bytes() + self.mixture.bytes();
        sum
    }

    fn trees(&self) -> usize {
        self.forests[0].trees().len()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forests[0].check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        let schema = self.schema();
        let features = schema.features();
        let classes = schema.width();
        let windows = self.settings.recent.len();
        let is_whole = self.forests.len() == 1 + windows
            && self.recent.is_shaped(windows)
            && self.moments.is_shaped(features, classes)
            && self.mixture.is_shaped(features, classes);
        InvariantError::require(is_whole, "mixture", "it does not match the settings")?;
        let store = self.forests[0].samples();
        let targets = || store.ids().map(|id| store.target(id));
        let known = self.moments.classes.len();
        let are_known = targets().all(|class| (class as usize) < known);
        InvariantError::require(are_known, "moments", "a class of the rows is missing")?;
        let is_counted = self.schedule.is_sound(targets());
        let what = "rows are miscounted, or a fit is overdue";
        InvariantError::require(is_counted, "schedule", what)?;
        let of_trees = self.settings.of_trees();
        for forest in &self.forests {
            forest.check_invariants()?;
            let is_same = *forest.settings() == of_trees
                && forest.schema() == schema
                && forest.samples_seen() == self.samples_seen();
            let what = "one does not match the settings, or the others";
            InvariantError::require(is_same, "forests", what)?;
        }
        Ok(())
    }

    /// Weights enter the counts of the trees, the moments and the fit; the schedule depends on numbers of rows.
    fn learn_batch(&mut self, batch: &Batch<'_, Classification>) {
        self.learn_rows(batch, None);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.forests[0].schema().width().max(1);
        // A learner that predicts within another one on the same thread takes new memory.
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

    /// Trees predict the class frequencies of their leaves. The rest of the mixture is not part of exported trees.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        self.forests[0].export(tree)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees and moments forget a sample at once; the mixture and the share of silent rows follow at the next fit, when
    /// a thirty-second of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let store = self.forests[0].samples();
        let row = store.find(arrival).map(|id| RemovedRow::copied(store, id));
        self.forests[0].forget(arrival)?;
        for forest in &mut self.forests[1..] {
            if forest.samples().find(arrival).is_some() {
                forest.forget(arrival)?;
            }
        }
        self.forget_rows(row.as_slice());
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let store = self.forests[0].samples();
        let excess = store.ids().take(store.len().saturating_sub(n.max(1)));
        let rows: Vec<_> = excess.map(|id| RemovedRow::copied(store, id)).collect();
        self.forests[0].keep_latest(n)?;
        self.forget_rows(&rows);
        // Longer windows are shortened.
        for forest in &mut self.forests[1..] {
            if matches!(forest.retention(), Retention::Latest(rows) if rows > n) {
                forest.keep_latest(n)?;
            }
        }
        Ok(())
    }

    /// Trees are widened as [dynamic trees](dynamic_forest::DynamicTree). The moments are those of the rows that are
    /// held, whose new features are 0, and the mixture is fitted to them at once.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.forests[0].schema().features();
        for forest in &mut self.forests {
            forest.widen(features)?;
        }
        if features > before {
            self.sum_again();
            self.fit();
        }
        Ok(())
    }
}
