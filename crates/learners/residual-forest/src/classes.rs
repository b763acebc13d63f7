//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in a mixture that is fitted to rows that were left out.

mod contract;
mod fit;
mod linear;
mod mixture;
mod moments;
mod quadratic;
mod readings;
mod recent;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;

use dynamic_forest::{ReadingForest, ReadingTree, left_out};
use forest_core::{
    Classification, ForestSettings, OnlineLearner, Retention, SampleId, SampleStore, Schema,
    SettingError,
};
use ndarray::{ArrayView2, s};
use serde::{Deserialize, Serialize};

use fit::{Table, fit};
use linear::Linear;
use mixture::{Mixed, add_log_frequencies, softmax};
use moments::{Moments, Own};
use quadratic::{Quadratic, Standardised};
use readings::Readings;
use recent::Recent;
use schedule::{Schedule, silent_share};
pub use settings::ResidualClassifierSettings;

type Tree = ReadingTree;
type Trees = ReadingForest;

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    pub(crate) settings: ResidualClassifierSettings,
    pub(crate) forest: Trees,
    moments: Moments,
    linear: Linear,
    /// Of few features.
    quadratic: Option<Quadratic>,
    weights: Vec<f64>,
    schedule: Schedule,
    /// The share of the rows that choose no cuts.
    silent: f64,
    /// Rows that were taken out of the moments since these were summed.
    taken_out: usize,
    /// With [windows](ResidualClassifierSettings::recent).
    recent: Option<Recent>,
    #[serde(skip)]
    memory: Memory,
}

/// Working memory; it is not part of a learner's state.
#[derive(Debug, Default)]
struct Memory {
    /// Of the forest of all rows, then of each window.
    readings: Vec<Readings>,
    row: Row,
    learning: mixture::Memory,
    difference: Vec<f64>,
    leaving: Leaving,
}

/// The rows that leave a window as others come, while the forest drops them: their features, one row after another.
#[derive(Debug, Default)]
struct Leaving {
    /// The row that comes as the first of them leaves.
    from: usize,
    features: Vec<f32>,
    own: Vec<Own>,
}

/// What is computed for one row.
#[derive(Debug, Default)]
struct Row {
    standardised: Standardised,
    shares: Vec<f64>,
    all: Mixed,
    recent: Mixed,
}

impl Row {
    /// Returns the prediction: with windows, the one in which these take part.
    fn prediction(&self, recent: Option<&Recent>) -> &[f64] {
        &recent.map_or(&self.all, |_| &self.recent).probabilities
    }
}

impl Memory {
    fn bytes(&self) -> usize {
        let Row {
            standardised,
            shares,
            all,
            recent,
        } = &self.row;
        let readings: usize = self.readings.iter().map(Readings::bytes).sum();
        let Leaving { features, own, .. } = &self.leaving;
        let leaving = size_of_val(&features[..]) + size_of_val(&own[..]);
        let of_row = (self.difference.capacity() + shares.capacity()) * size_of::<f64>();
        let of_row = of_row + standardised.bytes();
        readings + leaving + of_row + all.bytes() + recent.bytes() + self.learning.bytes()
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The columns of the mixture: the readings of the forest, the linear and the quadratic function.
const COLUMNS: usize = Tree::SIZES.len() + 2;

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

/// What is handed the prediction of every row just before it is learned.
type Receiver<'a> = &'a mut dyn FnMut(&[f64]);

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
            forest: Trees::new(schema, of_trees, forest)?,
            moments: Moments::new(schema.features()),
            linear: Linear::default(),
            quadratic: None,
            weights: starting_weights(0),
            schedule: Schedule::default(),
            silent: 0.0,
            taken_out: 0,
            recent,
            memory: Memory::default(),
            settings,
        })
    }

    /// Returns the settings it was built with.
    pub fn settings(&self) -> &ResidualClassifierSettings {
        &self.settings
    }

    /// Returns which samples its trees keep.
    pub fn retention(&self) -> Retention {
        self.forest.retention()
    }

    /// Returns the weights of the logarithms of the forest's class frequencies, from those of leaves to those of the largest nodes
    /// ([`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES)), and of the scores of the linear and the quadratic function. They do not sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Learns rows; calls `each`, if it is given, with the prediction of every row just before it is learned.
    fn learn_rows(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[u32],
        weights: Option<&[f64]>,
        mut each: Option<Receiver<'_>>,
    ) {
        let mut memory = std::mem::take(&mut self.memory);
        let mut start = 0;
        // A forest reads rows with weights before it learns any of them.
        let alone = weights.is_some() && self.recent.is_some();
        let most = if alone { 1 } else { ROWS_A_ROUND };
        while start < targets.len() {
            let round = start..targets.len().min(start + most);
            let (rows, is_due) = self.plan(&targets[round], &mut memory.leaving);
            let round = start..start + rows;
            let part = features.slice(s![round.clone(), ..]);
            let (own, masses) = (
                &targets[round.clone()],
                weights.map(|weights| &weights[round]),
            );
            let is_read = each.is_some() || self.recent.is_some();
            self.learn_round(part, own, masses, is_read, &mut memory.readings);
            for (row, (x, &target)) in part.outer_iter().zip(own).enumerate() {
                let x = x.to_slice().expect("checked rows are in standard order");
                if is_read {
                    self.mix(x, row, &memory.readings, &mut memory.row);
                    if let Some(each) = &mut each {
                        each(memory.row.prediction(self.recent.as_ref()));
                    }
                }
                if let Some(recent) = &mut self.recent {
                    recent.learn(&memory.row.recent, target, &mut memory.learning);
                }
                let Leaving {
                    from,
                    features,
                    own,
                } = &memory.leaving;
                let leaves = row.checked_sub(*from).filter(|leaves| *leaves < own.len());
                if let Some(leaves) = leaves {
                    let own = own[leaves];
                    let x = &features[leaves * x.len()..][..x.len()];
                    self.take_out(x, own, &mut memory.difference);
                }
                let class = target as usize;
                let weight = masses.map_or(1.0, |masses| masses[row]);
                let own = Own { class, weight };
                self.moments.add(x, own, &mut memory.difference);
            }
            memory.readings.iter_mut().for_each(Readings::drop_learned);
            if is_due {
                self.fit(&mut memory);
            }
            start += rows;
        }
        self.memory = memory;
    }

    /// Returns how many of these rows come before the next fit, and whether there is one then; notes what leaves a window as they come.
    fn plan(&mut self, targets: &[u32], leaving: &mut Leaving) -> (usize, bool) {
        let window = match self.retention() {
            Retention::Latest(rows) => rows,
            _ => usize::MAX,
        };
        let store = self.forest.samples();
        leaving.from = window.saturating_sub(self.schedule.held());
        leaving.features.clear();
        leaving.own.clear();
        let mut oldest = store.ids();
        for (row, &target) in targets.iter().enumerate() {
            let leaves = (row >= leaving.from).then(|| oldest.next()).flatten();
            if let Some(id) = leaves {
                self.schedule.leaves(store.target(id));
                leaving.features.extend(store.features(id));
                leaving.own.push(own(store, id, -1.0));
            }
            let is_due = self.schedule.comes(target);
            // What a window loses is still stored.
            if is_due || row + 1 >= store.len() {
                return (row + 1, is_due);
            }
        }
        (targets.len(), false)
    }

    /// Lets each forest learn rows, and reads it at each row before if that is asked for.
    fn learn_round(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        weights: Option<&[f64]>,
        is_read: bool,
        readings: &mut Vec<Readings>,
    ) {
        readings.resize_with(1 + self.settings.recent.len(), Readings::default);
        let small = self.recent.iter_mut().flat_map(Recent::forests_mut);
        let forests = std::iter::once(&mut self.forest).chain(small);
        for (readings, forest) in readings.iter_mut().zip(forests) {
            readings.learn(forest, rows, targets, weights, is_read);
        }
    }

    /// Takes a row out of the moments.
    fn take_out(&mut self, x: &[f32], own: Own, memory: &mut Vec<f64>) {
        self.moments.add(x, own, memory);
        self.taken_out += 1;
    }

    /// Fits the functions and the weights to the rows that are held.
    fn fit(&mut self, memory: &mut Memory) {
        self.schedule.fitted();
        let rows = self.schedule.held();
        let classes = OnlineLearner::schema(&self.forest).width();
        let silent = silent_share(rows, classes);
        if silent != self.silent {
            self.silent = silent;
            self.forest.refine_to(silent);
        }
        if self.taken_out > rows {
            self.sum_again(&mut memory.difference);
        }
        let start = starting_weights(rows);
        let ids = self.silent_rows();
        if ids.len() < FEWEST_LEFT_OUT {
            self.weights = start;
            return;
        }
        let (linear, mut inverse) = Linear::solve(&self.moments);
        (self.linear, self.quadratic) = (linear, Quadratic::solve(&self.moments));
        let mut readings = Vec::new();
        left_out(&self.forest, &ids, &mut readings);
        let store = self.forest.samples();
        let mut table = Table {
            classes,
            ..Table::default()
        };
        let width = Tree::SIZES.len() * classes;
        for (readings, &id) in readings.chunks_exact(width).zip(&ids) {
            let (x, own, row) = (store.features(id), own(store, id, 1.0), &mut memory.row);
            self.moments.shares(classes, Some(own), &mut row.shares);
            let columns = &mut table.cells;
            add_log_frequencies(readings, &row.shares, columns);
            let moments = (&self.moments, &mut inverse);
            self.linear
                .add_scores_without(moments, (x, own), classes, columns);
            if let Some(quadratic) = &self.quadratic {
                let memory = &mut row.standardised;
                quadratic.add_scores_without(&self.moments, (x, own), classes, columns, memory);
            }
            table.targets.push(own.class as u32);
            table.masses.push(own.weight);
            // A function that is not there has no preference.
            columns.resize(table.targets.len() * COLUMNS * classes, 0.0);
        }
        let steps = if rows < FEW { STEPS_OF_FEW } else { STEPS };
        fit(&table, &start, firmness, steps, &mut self.weights);
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
    fn sum_again(&mut self, memory: &mut Vec<f64>) {
        let store = self.forest.samples();
        self.moments = Moments::new(store.width());
        self.taken_out = 0;
        for id in store.ids() {
            self.moments
                .add(store.features(id), own(store, id, 1.0), memory);
        }
    }

    /// Reads each forest at each row.
    fn read(&self, rows: ArrayView2<'_, f32>, readings: &mut Vec<Readings>) {
        readings.resize_with(1 + self.settings.recent.len(), Readings::default);
        let small = self.recent.iter().flat_map(Recent::forests);
        let forests = std::iter::once(&self.forest).chain(small);
        let pairs = readings.iter_mut().zip(forests);
        pairs.for_each(|(readings, forest)| readings.read(forest, rows));
    }

    /// Fills `mixed` with the columns of the mixtures at row number `row` of those that were read, and with their predictions.
    fn mix(&self, x: &[f32], row: usize, readings: &[Readings], mixed: &mut Row) {
        let of_row = readings[0].row(row);
        let classes = of_row.len() / Tree::SIZES.len();
        let Row {
            standardised,
            shares,
            all,
            recent,
        } = mixed;
        self.moments.shares(classes, None, shares);
        let columns = &mut all.columns;
        columns.clear();
        add_log_frequencies(of_row, shares, columns);
        self.linear.add_scores(x, classes, columns);
        if let Some(quadratic) = &self.quadratic {
            quadratic.add_scores(x, classes, columns, standardised);
        }
        columns.resize(COLUMNS * classes, 0.0);
        softmax(&self.weights, columns, classes, &mut all.probabilities);
        if let Some(windows) = &self.recent {
            let of_windows = readings[1..].iter().map(|readings| readings.row(row));
            windows.predict(&all.probabilities, of_windows, shares, recent);
        }
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_rows(
        &self,
        rows: ArrayView2<'_, f32>,
        memory: &mut Memory,
        predictions: &mut [f64],
    ) {
        self.read(rows, &mut memory.readings);
        let width = predictions.len() / rows.nrows();
        let pairs = rows.outer_iter().zip(predictions.chunks_exact_mut(width));
        for (row, (x, prediction)) in pairs.enumerate() {
            let x = x.to_slice().expect("checked rows are in standard order");
            self.mix(x, row, &memory.readings, &mut memory.row);
            prediction.copy_from_slice(memory.row.prediction(self.recent.as_ref()));
        }
    }

    /// Resets what is not a tree once no sample is left.
    fn begin_again_if_empty(&mut self) {
        if !self.forest.has_learned() {
            self.moments = Moments::new(self.moments.features());
            (self.linear, self.quadratic) = (Linear::default(), None);
            (self.weights, self.taken_out) = (starting_weights(0), 0);
            if let Some(recent) = &mut self.recent {
                recent.begin_again();
            }
        }
    }
}

/// Returns the class of a stored row and its weight, times `sign`.
fn own(store: &SampleStore<Classification>, id: SampleId, sign: f64) -> Own {
    Own {
        class: store.target(id) as usize,
        weight: sign * store.weight(id).value(),
    }
}

/// Returns a₀ for this number of rows: plain trees, of many rows partly read at larger nodes, without the discriminant functions.
fn starting_weights(rows: usize) -> Vec<f64> {
    let mut weights = vec![0.0; COLUMNS];
    let is_large = |&&size: &&u32| size > 1 && 30 * size as usize <= rows;
    let large = Tree::SIZES.iter().filter(is_large).count();
    weights[0] = if large > 0 { 0.6 } else { 1.0 };
    weights[1..=large].fill(0.4 / large.max(1) as f64);
    weights
}

fn firmness(column: usize) -> f64 {
    if column < Tree::SIZES.len() {
        1.0
    } else {
        FIRMNESS_OF_FUNCTIONS
    }
}
