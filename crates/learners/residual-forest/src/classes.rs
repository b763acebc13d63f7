//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in a mixture that is fitted to rows that were left out.

mod contract;
mod discriminant;
mod mixture;
mod recent;
mod schedule;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use dynamic_forest::{ReadingForest, ReadingTree, left_out};
use forest_core::{
    Batch, Classification, ForestSettings, OnlineLearner, PredictionRows, Retention, Rows,
    SampleId, SampleStore, Schema, SettingError, threads,
};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::ResidualClassifierSettings;
use discriminant::{LeftOut, Linear, Moments, Own, Quadratic};
use mixture::{Table, add_log_frequencies, softmax};
use recent::Recent;
use schedule::{Schedule, silent_share};

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    settings: ResidualClassifierSettings,
    pub(crate) forest: ReadingForest,
    moments: Moments,
    linear: Linear,
    quadratic: Quadratic,
    weights: Vec<f64>,
    schedule: Schedule,
    /// The share of the rows that choose no cuts.
    silent: f64,
    /// Rows that were taken out of the moments since these were summed.
    taken_out: usize,
    /// With [windows](ResidualClassifierSettings::recent).
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

/// One row of a mixture: its columns, class after class within each, and what was predicted from them.
#[derive(Debug, Default)]
struct Mixed {
    columns: Vec<f64>,
    probabilities: Vec<f64>,
}

/// A row that is not held any more.
type Gone = (SmallVec<[f32; 16]>, Own);

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The columns of the mixture: the readings of the forest, the linear and the quadratic function.
const COLUMNS: usize = ReadingTree::SIZES.len() + 2;

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
        settings: ResidualClassifierSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        let of_trees = settings.of_trees();
        let recent = Recent::new(&settings.recent, schema, &of_trees, forest)?;
        Ok(Self {
            forest: ReadingForest::new(schema, of_trees, forest)?,
            moments: Moments::new(schema.features()),
            linear: Linear::default(),
            quadratic: Quadratic::default(),
            weights: starting_weights(0),
            schedule: Schedule::default(),
            silent: 0.0,
            taken_out: 0,
            recent,
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
        let mut memory = MEMORY.take();
        let is_read = predictions.is_some() || self.recent.is_some();
        let mut start = 0;
        while start < batch.len() {
            let most = batch.len().min(start + ROWS_A_ROUND);
            let window = match self.forest.retention() {
                Retention::Latest(rows) => rows,
                Retention::Everything => usize::MAX,
            };
            let first_leaves = window.saturating_sub(self.schedule.held);
            let targets = &batch.targets()[start..most];
            let (rows, is_due) = self.plan(targets, first_leaves, &mut memory.leaving);
            let part = batch.part(start..start + rows);
            let mut readings = Vec::new();
            if is_read {
                let small = self
                    .recent
                    .iter_mut()
                    .flat_map(|recent| &mut recent.forests);
                let forests = std::iter::once(&mut self.forest).chain(small);
                readings.extend(forests.map(|forest| read_then_learn(forest, &part)));
            } else {
                self.forest.learn_batch(&part);
            }
            for (row, (x, target)) in part.iter().enumerate() {
                if is_read {
                    self.mix(x, |forest| readings[forest].row(row), &mut memory);
                    if let Some(predictions) = &mut predictions {
                        let prediction = self.prediction(&memory);
                        predictions
                            .push(prediction.len())
                            .copy_from_slice(prediction);
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
        let rows = self.schedule.held;
        let classes = self.forest.schema().width();
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
        let (mut readings, mut shares) = (Vec::new(), Vec::new());
        left_out(&self.forest, &ids, &mut readings);
        let store = self.forest.samples();
        let mut table = Table::new(classes);
        let width = ReadingTree::SIZES.len() * classes;
        for (readings, &id) in readings.chunks_exact(width).zip(&ids) {
            let (x, own, moments) = (store.features(id), own(store, id), &self.moments);
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
        let steps = if rows < FEW { STEPS_OF_FEW } else { STEPS };
        table.fit(&start, firmness, steps, &mut self.weights);
    }

    /// Returns the silent rows whose class has others.
    fn silent_rows(&self) -> Vec<SampleId> {
        let store = self.forest.samples();
        let tree = self.forest.trees().next().filter(|_| self.silent > 0.0);
        let is_silent = |&id: &SampleId| {
            let has_others = self.schedule.count(store.target(id)) > 1;
            has_others && tree.is_some_and(|tree| tree.is_silent(id, store))
        };
        store.ids().filter(is_silent).collect()
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

    /// Fills the columns of the mixtures at a point, where each forest has been read, and predicts.
    fn mix<'a>(&self, x: &[f32], reading: impl Fn(usize) -> &'a [f64], memory: &mut Memory) {
        let Memory { shares, all, .. } = memory;
        let classes = reading(0).len() / ReadingTree::SIZES.len();
        self.moments.shares(classes, None, shares);
        all.columns.clear();
        add_log_frequencies(reading(0), shares, &mut all.columns);
        self.linear.add_scores(x, classes, &mut all.columns);
        self.quadratic.add_scores(x, classes, &mut all.columns);
        softmax(&self.weights, &all.columns, classes, &mut all.probabilities);
        if let Some(windows) = &self.recent {
            let of_windows = (1..=windows.forests.len()).map(reading);
            windows.predict(&all.probabilities, of_windows, shares, &mut memory.recent);
        }
    }

    /// Returns the prediction for a row that was mixed: with windows, the one in which these take part.
    fn prediction<'a>(&self, memory: &'a Memory) -> &'a [f64] {
        match self.recent {
            Some(_) => &memory.recent.probabilities,
            None => &memory.all.probabilities,
        }
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_round(&self, rows: &Rows<'_>, memory: &mut Memory, predictions: &mut [f64]) {
        let mut readings = std::mem::take(&mut memory.readings);
        readings.resize_with(1 + self.settings.recent.len(), Vec::new);
        let small = self.recent.iter().flat_map(|recent| &recent.forests);
        let forests = std::iter::once(&self.forest).chain(small);
        for (readings, forest) in readings.iter_mut().zip(forests) {
            read(forest, rows, readings);
        }
        let width = predictions.len() / rows.len();
        let of_row = ReadingTree::SIZES.len() * width;
        let pairs = rows.iter().zip(predictions.chunks_exact_mut(width));
        for (row, (x, prediction)) in pairs.enumerate() {
            self.mix(
                x,
                |forest| &readings[forest][row * of_row..][..of_row],
                memory,
            );
            prediction.copy_from_slice(self.prediction(memory));
        }
        memory.readings = readings;
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

fn firmness(column: usize) -> f64 {
    if column < ReadingTree::SIZES.len() {
        1.0
    } else {
        FIRMNESS_OF_FUNCTIONS
    }
}
