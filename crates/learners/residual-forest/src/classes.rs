//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in a mixture that is fitted to rows that were left out.

mod discriminant;
mod mixture;
mod recent;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use dynamic_forest::{ReadingForest, ReadingTree, left_out};
use forest_core::{
    Ability, Batch, Classification, ExportedTree, FeatureValues, Footprint, ForestSettings,
    InputError, InvariantError, OnlineLearner, PredictionRows, Refused, Retention, Rows, SampleId,
    SampleStore, Schema, SettingError, threads,
};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ResidualSettings;
use discriminant::{LeftOut, Linear, Moments, Own, Quadratic};
use mixture::{Mixed, Schedule, Table, add_log_frequencies, silent_share};
use recent::Recent;

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    settings: ResidualSettings,
    forest: ReadingForest,
    moments: Moments,
    linear: Linear,
    quadratic: Quadratic,
    weights: Vec<f64>,
    schedule: Schedule,
    /// The share of the rows that choose no cuts.
    silent: f64,
    /// Rows that were taken out of the moments since these were summed.
    taken_out: usize,
    /// With [windows](ResidualSettings::recent).
    recent: Option<Recent>,
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

/// With fewer silent rows the weights are those of plain trees.
const FEWEST_LEFT_OUT: usize = 8;

/// How much more strongly the weights of the discriminant functions are drawn to 0.
const FIRMNESS_OF_FUNCTIONS: f64 = 3.0;

/// Steps of Newton's method in a fit to a few rows, and to others, for which the last weights are a good start.
const STEPS_OF_FEW: usize = 8;
const FEW: usize = 200;
const STEPS: usize = 2;

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
        Ok(Self {
            recent: Recent::new(&settings.recent, schema, &of_trees, forest)?,
            forest: ReadingForest::new(schema, of_trees, forest)?,
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

    /// Returns the forest of all rows, and then those of the windows.
    fn forests(&self) -> impl Iterator<Item = &ReadingForest> {
        let small = self.recent.iter().flat_map(|recent| &recent.forests);
        std::iter::once(&self.forest).chain(small)
    }

    fn forests_mut(&mut self) -> impl Iterator<Item = &mut ReadingForest> {
        let recent = self.recent.iter_mut();
        let small = recent.flat_map(|recent| &mut recent.forests);
        std::iter::once(&mut self.forest).chain(small)
    }

    /// Learns rows; adds the prediction of every row just before it is learned to `predictions`, if they are wanted.
    fn learn_rows(
        &mut self,
        batch: &Batch<'_, Classification>,
        mut predictions: Option<&mut PredictionRows>,
    ) {
        let (mut memory, mut start) = (MEMORY.take(), 0);
        let is_read = predictions.is_some() || self.recent.is_some();
        while start < batch.len() {
            let most = batch.len().min(start + ROWS_A_ROUND);
            let first_leaves = match self.forest.retention() {
                Retention::Latest(rows) => rows.saturating_sub(self.schedule.held),
                Retention::Everything => usize::MAX,
            };
            let targets = &batch.targets()[start..most];
            let (rows, is_due) = self.plan(targets, first_leaves, &mut memory.leaving);
            let part = batch.part(start..start + rows);
            let mut readings = Vec::new();
            if is_read {
                readings.extend(
                    self.forests_mut()
                        .map(|forest| read_then_learn(forest, &part)),
                );
            } else {
                self.forest.learn_batch(&part);
            }
            for (row, (x, target)) in part.iter().enumerate() {
                if is_read {
                    let prediction = self.mix(x, |forest| readings[forest].row(row), &mut memory);
                    if let Some(predictions) = &mut predictions {
                        let cells = predictions.push(prediction.len());
                        cells.copy_from_slice(prediction);
                    }
                    if let Some(recent) = &mut self.recent {
                        recent.learn(&memory.recent, target);
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
        let store = self.forest.samples();
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

    /// Fits the functions and the weights to the rows that are held.
    fn fit(&mut self) {
        self.schedule.fitted();
        let (rows, classes) = (self.schedule.held, self.forest.schema().width());
        let silent = silent_share(rows, classes);
        if silent != self.silent {
            self.silent = silent;
            self.forest.refine_to(silent);
        }
        if self.taken_out > rows {
            self.sum_again();
        }
        let (start, ids) = (starting_weights(rows), self.silent_rows());
        if ids.len() < FEWEST_LEFT_OUT {
            self.weights = start;
            return;
        }
        let (linear, inverse) = Linear::solve(&self.moments);
        (self.linear, self.quadratic) = (linear, Quadratic::solve(&self.moments));
        let (mut readings, mut shares, mut table) = (Vec::new(), Vec::new(), Table::new(classes));
        left_out(&self.forest, &ids, &mut readings);
        let (store, moments) = (self.forest.samples(), &self.moments);
        for (readings, &id) in readings.chunks_exact(SIZES * classes).zip(&ids) {
            let (x, own) = (store.features(id), own(store, id));
            moments.shares(classes, Some(own), &mut shares);
            add_log_frequencies(readings, &shares, &mut table.cells);
            let row = LeftOut {
                moments,
                x,
                own,
                classes,
            };
            self.linear.add_without(row, &inverse, &mut table.cells);
            self.quadratic.add_without(row, &mut table.cells);
            table.targets.push(own.class as u32);
            table.masses.push(own.weight);
        }
        let firmness = |column| [1.0, FIRMNESS_OF_FUNCTIONS][usize::from(column >= SIZES)];
        let steps = if rows < FEW { STEPS_OF_FEW } else { STEPS };
        table.fit(&start, firmness, steps, &mut self.weights);
    }

    /// Returns the silent rows whose class has others.
    fn silent_rows(&self) -> Vec<SampleId> {
        let store = self.forest.samples();
        let mut trees = self.forest.trees().filter(|_| self.silent > 0.0);
        let Some(tree) = trees.next() else {
            return Vec::new();
        };
        let mut ids: Vec<_> = store.ids().collect();
        ids.retain(|&id| self.schedule.count(store.target(id)) > 1 && tree.is_silent(id, store));
        ids
    }

    /// Sums the moments again, so that what rounding leaves of rows that were taken out does not add up.
    fn sum_again(&mut self) {
        let store = self.forest.samples();
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
        all.softmax(&self.weights, classes);
        let Some(windows) = &self.recent else {
            return &all.probabilities;
        };
        let of_windows = (1..=windows.forests.len()).map(reading);
        windows.predict(&all.probabilities, of_windows, shares, &mut memory.recent);
        &memory.recent.probabilities
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_round(&self, rows: &Rows<'_>, memory: &mut Memory, predictions: &mut [f64]) {
        let mut readings = std::mem::take(&mut memory.readings);
        readings.resize_with(1 + self.settings.recent.len(), Vec::new);
        for (readings, forest) in readings.iter_mut().zip(self.forests()) {
            read(forest, rows, readings);
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
        if !self.forest.has_learned() {
            self.moments = Moments::new(self.forest.samples().width());
            (self.linear, self.quadratic) = Default::default();
            (self.weights, self.taken_out) = (starting_weights(0), 0);
            self.recent.iter_mut().for_each(Recent::begin_again);
        }
    }
}

/// Overwrites `readings` with those of a forest at each row: a row of classes for each size of node.
fn read(forest: &ReadingForest, rows: &Rows<'_>, readings: &mut Vec<f64>) {
    let read = forest.predict_full_into(rows.matrix(), readings);
    read.expect("rows were checked");
}

/// Reads a forest at each row, just before it learns the row.
fn read_then_learn(
    forest: &mut ReadingForest,
    batch: &Batch<'_, Classification>,
) -> PredictionRows {
    if batch.len() > 1 {
        return forest.predict_full_then_learn_batch(batch);
    }
    let mut readings = PredictionRows::default();
    threads::with_buffer(|cells| {
        read(forest, batch.rows(), cells);
        readings.push(cells.len()).copy_from_slice(cells);
    });
    forest.learn_batch(batch);
    readings
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

/// Returns a₀ for this number of rows: plain trees, of many rows partly read at larger nodes, without the discriminant functions.
fn starting_weights(rows: usize) -> Vec<f64> {
    let mut weights = vec![0.0; COLUMNS];
    let is_large = |&&size: &&u32| size > 1 && 30 * size as usize <= rows;
    let large = ReadingTree::SIZES.iter().filter(is_large).count();
    weights[0] = if large > 0 { 0.6 } else { 1.0 };
    weights[1..=large].fill(0.4 / large.max(1) as f64);
    weights
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
        let mut sum: Footprint = self.forests().map(OnlineLearner::footprint).sum();
        sum.bytes += self.moments.bytes() + self.linear.bytes() + self.quadratic.bytes();
        sum.bytes += self.schedule.bytes();
        sum.bytes += self
            .recent
            .iter()
            .map(|recent| recent.mixture.bytes())
            .sum::<usize>();
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
        let classes = store.ids().map(|id| store.target(id));
        let is_counted = self.schedule.is_sound(classes);
        let what = "rows are miscounted, or a fit is overdue";
        InvariantError::require(is_counted, "schedule", what)?;
        let trees: Vec<_> = self.forest.trees().step_by(2).collect();
        let is_same = |id| {
            let silent = trees[0].is_silent(id, store);
            trees.iter().all(|tree| tree.is_silent(id, store) == silent)
        };
        let what = "its silent rows are not those of the first tree";
        InvariantError::require(store.ids().all(is_same), "tree", what)?;
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
        let row = store.find(arrival).map(|id| gone(store, id));
        self.forest.forget(arrival)?;
        // Out of the windows that it is in.
        for forest in self.forests_mut().skip(1) {
            if forest.samples().find(arrival).is_some() {
                forest.forget(arrival)?;
            }
        }
        self.forget_rows(row.as_slice());
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let store = self.forest.samples();
        let excess = store.ids().take(store.len().saturating_sub(n.max(1)));
        let rows: Vec<_> = excess.map(|id| gone(store, id)).collect();
        self.forest.keep_latest(n)?;
        self.forget_rows(&rows);
        // Windows that are longer are shortened.
        let windows = self.forests_mut().skip(1);
        let mut longer = windows.filter(|forest| recent::window(forest) > n);
        longer.try_for_each(|forest| forest.keep_latest(n))
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do; the moments are those of the rows that are held, which have 0 for the new features, and the functions and the weights are fitted to
    /// them at once.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.forest.schema().features();
        self.forests_mut()
            .try_for_each(|forest| forest.widen(features))?;
        if features > before {
            self.sum_again();
            (self.linear, self.quadratic) = Default::default();
            self.fit();
        }
        Ok(())
    }
}
