//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in a mixture that is fitted to rows that were left out.

mod discriminant;
mod fit;
mod mixture;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use dynamic_forest::{ReadingForest, ReadingTree};
use forest_core::{
    Ability, Batch, Classification, ExportedTree, FeatureValues, Footprint, ForestSettings,
    InputError, InvariantError, OnlineLearner, PredictionRows, Refused, Retention, Rows, SampleId,
    SampleStore, Schema, SettingError,
};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ResidualSettings;
use discriminant::{Linear, Moments, Own, Quadratic};
use fit::{Schedule, starting_weights};
use mixture::{Mixed, Recent, add_log_frequencies, on_window, softmax};

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    settings: ResidualSettings,
    /// That of all rows, then one on each [window](ResidualSettings::recent).
    forests: Vec<ReadingForest>,
    moments: Moments,
    linear: Linear,
    quadratic: Quadratic,
    weights: Vec<f64>,
    schedule: Schedule,
    /// The share of the rows that choose no cuts.
    silent: f64,
    /// Rows that were taken out of the moments since these were summed.
    taken_out: usize,
    recent: Recent,
}

/// Working memory, which belongs to the thread: nothing is allocated once it is large enough.
#[derive(Debug, Default)]
struct Memory {
    /// Of rows that are not learned: the readings of the forest of all rows, then of each window.
    readings: Vec<Vec<f64>>,
    shares: Vec<f64>,
    all: Mixed,
    recent: Mixed,
    /// The rows that leave a window as others come, while the forest drops them.
    leaving: Vec<Gone>,
}

/// A row that is not held any more.
type Gone = (SmallVec<[f32; 16]>, Own);

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

const SIZES: usize = ReadingTree::SIZES.len();

/// The columns of the mixture: the readings of the forest, the linear and the quadratic function.
const COLUMNS: usize = SIZES + 2;

/// Rows whose readings are held at a time.
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
            linear: Linear::default(),
            quadratic: Quadratic::default(),
            weights: starting_weights(0),
            schedule: Schedule::default(),
            silent: 0.0,
            taken_out: 0,
            settings,
        })
    }

    /// Returns the weights of the logarithms of the forest's class frequencies, from those of leaves to those of the largest nodes
    /// ([`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES)), and of the scores of the linear and the quadratic function. They do not sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Learns rows; adds the prediction of every row just before it is learned to `predictions`, if they are wanted.
    fn learn_rows(
        &mut self,
        batch: &Batch<'_, Classification>,
        mut predictions: Option<&mut PredictionRows>,
    ) {
        let (mut memory, mut start) = (MEMORY.take(), 0);
        let is_read = predictions.is_some() || self.forests.len() > 1;
        while start < batch.len() {
            let most = batch.len().min(start + ROWS_A_ROUND);
            let first_leaves = match self.forests[0].retention() {
                Retention::Latest(rows) => rows.saturating_sub(self.schedule.held),
                Retention::Everything => usize::MAX,
            };
            let targets = &batch.targets()[start..most];
            let (rows, is_due) = self.plan(targets, first_leaves, &mut memory.leaving);
            let part = batch.part(start..start + rows);
            let mut readings = Vec::new();
            if is_read {
                for forest in &mut self.forests {
                    readings.push(forest.predict_full_then_learn_batch(&part));
                }
            } else {
                self.forests[0].learn_batch(&part);
            }
            for (row, (x, target)) in part.iter().enumerate() {
                if is_read {
                    let prediction = self.mix(x, |forest| readings[forest].row(row), &mut memory);
                    if let Some(predictions) = &mut predictions {
                        let cells = predictions.push(prediction.len());
                        cells.copy_from_slice(prediction);
                    }
                    if self.forests.len() > 1 {
                        self.recent.learn(&memory.recent, target);
                    }
                }
                let place = row.checked_sub(first_leaves);
                if let Some((x, own)) = place.and_then(|place| memory.leaving.get(place)) {
                    self.take_out(x, *own);
                }
                let (class, weight) = (target as usize, part.weight(row).value());
                self.moments.add(x, Own { class, weight });
            }
            if is_due {
                self.fit();
            }
            start += rows;
        }
        MEMORY.set(memory);
    }

    /// Returns how many of these rows come before the next fit, and whether there is one then; notes what leaves a window from row `first_leaves` on.
    fn plan(
        &mut self,
        targets: &[u32],
        first_leaves: usize,
        leaving: &mut Vec<Gone>,
    ) -> (usize, bool) {
        let store = self.forests[0].samples();
        leaving.clear();
        let mut oldest = store.ids();
        for (row, &target) in targets.iter().enumerate() {
            if row >= first_leaves
                && let Some(id) = oldest.next()
            {
                self.schedule.leaves(store.target(id));
                leaving.push(gone(store, id));
            }
            let is_due = self.schedule.comes(target);
            // What a window loses is still stored.
            if is_due || row + 1 >= store.len() {
                return (row + 1, is_due);
            }
        }
        (targets.len(), false)
    }

    /// Takes a row out of the moments.
    fn take_out(&mut self, x: &[f32], mut own: Own) {
        own.weight = -own.weight;
        self.moments.add(x, own);
        self.taken_out += 1;
    }

    /// Sums the moments again, so that what rounding leaves of rows that were taken out does not add up.
    fn sum_again(&mut self) {
        let store = self.forests[0].samples();
        self.moments = Moments::new(store.width());
        self.taken_out = 0;
        for id in store.ids() {
            self.moments.add(store.features(id), own(store, id));
        }
    }

    /// Fills the columns of the mixtures at a point, where each forest has been read; returns the prediction: with windows, that in which these take part.
    fn mix<'a, 'm>(
        &self,
        x: &[f32],
        reading: impl Fn(usize) -> &'a [f64],
        memory: &'m mut Memory,
    ) -> &'m [f64] {
        let Memory { shares, all, .. } = memory;
        let classes = reading(0).len() / SIZES;
        self.moments.shares(classes, None, shares);
        all.columns.clear();
        add_log_frequencies(reading(0), shares, &mut all.columns);
        self.linear.add_scores(x, classes, &mut all.columns);
        self.quadratic.add_scores(x, classes, &mut all.columns);
        softmax(&self.weights, &all.columns, classes, &mut all.probabilities);
        if self.forests.len() == 1 {
            return &all.probabilities;
        }
        let (all, of_windows) = (&all.probabilities, (1..self.forests.len()).map(reading));
        let recent = &mut memory.recent;
        self.recent.predict(all, of_windows, shares, recent);
        &recent.probabilities
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_round(&self, rows: &Rows<'_>, memory: &mut Memory, predictions: &mut [f64]) {
        let mut readings = std::mem::take(&mut memory.readings);
        readings.resize_with(self.forests.len(), Vec::new);
        for (readings, forest) in readings.iter_mut().zip(&self.forests) {
            let read = forest.predict_full_into(rows.matrix(), readings);
            read.expect("rows were checked");
        }
        let width = predictions.len() / rows.len();
        let pairs = rows.iter().zip(predictions.chunks_exact_mut(width));
        for (row, (x, prediction)) in pairs.enumerate() {
            let own = row * SIZES * width..(row + 1) * SIZES * width;
            let reading = |forest: usize| &readings[forest][own.clone()];
            prediction.copy_from_slice(self.mix(x, reading, memory));
        }
        memory.readings = readings;
    }

    /// Forgets rows that the forests have forgotten; once none is left, all that is not a tree begins again.
    fn forget_rows(&mut self, rows: &[Gone]) {
        let mut is_due = false;
        for (x, own) in rows {
            is_due |= self.schedule.is_forgotten(own.class as u32);
            self.take_out(x, *own);
        }
        if is_due {
            self.fit();
        }
        if !self.forests[0].has_learned() {
            self.moments = Moments::new(self.forests[0].samples().width());
            (self.linear, self.quadratic) = Default::default();
            (self.weights, self.taken_out) = (starting_weights(0), 0);
            self.recent = Recent::new(self.settings.recent.len());
        }
    }
}

/// Returns the class of a stored row and its weight.
fn own(store: &SampleStore<Classification>, id: SampleId) -> Own {
    let (class, weight) = (store.target(id) as usize, store.weight(id).value());
    Own { class, weight }
}

/// Returns what is known of a row that is about to be dropped.
fn gone(store: &SampleStore<Classification>, id: SampleId) -> Gone {
    (SmallVec::from_slice(store.features(id)), own(store, id))
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
        sum.bytes += self.moments.bytes() + self.linear.bytes() + self.quadratic.bytes();
        sum
    }

    fn trees(&self) -> usize {
        self.forests[0].tree_count()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forests[0].check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        let (store, schema) = (self.forests[0].samples(), self.schema());
        let (features, classes) = (schema.features(), schema.width());
        let is_whole = self.forests.len() == 1 + self.settings.recent.len()
            && self.weights.len() == COLUMNS
            && self.recent.is_shaped(self.settings.recent.len())
            && self.moments.is_shaped(features, classes)
            && self.linear.is_shaped(features, classes)
            && self.quadratic.is_shaped(features, classes);
        InvariantError::require(is_whole, "mixture", "it does not match the settings")?;
        let classes = store.ids().map(|id| store.target(id));
        let is_counted = self.schedule.is_sound(classes);
        let what = "rows are miscounted, or a fit is overdue";
        InvariantError::require(is_counted, "schedule", what)?;
        let (seen, of_trees) = (self.samples_seen(), self.settings.of_trees());
        for forest in &self.forests {
            forest.check_invariants()?;
            let is_same = *forest.settings() == of_trees
                && (forest.schema(), forest.samples_seen()) == (schema, seen);
            let what = "one does not match the settings, or the others";
            InvariantError::require(is_same, "forests", what)?;
        }
        Ok(())
    }

    /// A weight is in the counts of the trees, in the moments, and in the sums that the weights of the mixture are fitted by. It is not in which rows are silent, nor when the
    /// mixture is fitted.
    fn learn_batch(&mut self, batch: &Batch<'_, Classification>) {
        self.learn_rows(batch, None);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let width = self.forests[0].schema().width().max(1);
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
        self.forests[0].export(tree)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees and moments forget a sample at once; the functions, the weights and the share of silent rows follow when they are fitted next, when a thirty-second of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let store = self.forests[0].samples();
        let row = store.find(arrival).map(|id| gone(store, id));
        self.forests[0].forget(arrival)?;
        // Out of the windows that it is in.
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
        let rows: Vec<_> = excess.map(|id| gone(store, id)).collect();
        self.forests[0].keep_latest(n)?;
        self.forget_rows(&rows);
        // Windows that are longer are shortened.
        for forest in &mut self.forests[1..] {
            if matches!(forest.retention(), Retention::Latest(rows) if rows > n) {
                forest.keep_latest(n)?;
            }
        }
        Ok(())
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do; the moments are those of the rows that are held, which have 0 for the new features, and the functions and the weights are fitted to
    /// them at once.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.forests[0].schema().features();
        for forest in &mut self.forests {
            forest.widen(features)?;
        }
        if features > before {
            self.sum_again();
            (self.linear, self.quadratic) = Default::default();
            self.fit();
        }
        Ok(())
    }
}
