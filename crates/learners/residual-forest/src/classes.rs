//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in an online mixture.

mod contract;
mod discriminant;
mod explain;
mod mixture;
mod quadratic;
mod readings;
mod recent;
mod settings;
#[cfg(test)]
mod tests;

use dynamic_forest::{ReadingForest, ReadingTree};
use forest_core::{Classification, ForestSettings, OnlineLearner, Retention, Schema, SettingError};
use ndarray::{ArrayView2, s};
use serde::{Deserialize, Serialize};

use discriminant::Discriminant;
use mixture::{Mixed, Mixture};
use quadratic::Quadratic;
use readings::Readings;
use recent::Recent;
pub use settings::ResidualClassifierSettings;

type Tree = ReadingTree<Classification>;
type Trees = ReadingForest<Classification>;

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    pub(crate) settings: ResidualClassifierSettings,
    pub(crate) forest: Trees,
    discriminant: Discriminant,
    /// Of few features.
    quadratic: Option<Quadratic>,
    mixture: Mixture,
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
}

/// What is computed for one row.
#[derive(Debug, Default)]
struct Row {
    standardised: Vec<f64>,
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
        let of_row = (standardised.capacity() + shares.capacity()) * size_of::<f64>();
        readings + of_row + all.bytes() + recent.bytes() + self.learning.bytes()
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
        let of_trees = settings.of_trees(schema.features());
        let recent = Recent::new(&settings.recent, schema, &of_trees, forest)?;
        Ok(Self {
            forest: Trees::new(schema, of_trees, forest)?,
            discriminant: Discriminant::new(schema.features()),
            quadratic: new_quadratic(schema.features()),
            mixture: new_mixture(),
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
        self.mixture.weights()
    }

    /// Calls `each` with the prediction of every row just before it is learned.
    fn predict_rows_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[u32],
        mut each: impl FnMut(&[f64]),
    ) {
        let mut memory = std::mem::take(&mut self.memory);
        for start in (0..targets.len()).step_by(ROWS_A_ROUND) {
            let end = targets.len().min(start + ROWS_A_ROUND);
            let (rows, targets) = (features.slice(s![start..end, ..]), &targets[start..end]);
            self.read_then_learn(rows, targets, &mut memory.readings);
            for (row, (x, &target)) in rows.outer_iter().zip(targets).enumerate() {
                let x = x.to_slice().expect("checked rows are in standard order");
                self.mix(x, row, &memory.readings, &mut memory.row);
                each(memory.row.prediction(self.recent.as_ref()));
                self.learn_shared(x, target, &mut memory);
            }
            memory.readings.iter_mut().for_each(Readings::drop_learned);
        }
        self.memory = memory;
    }

    /// Lets everything but the forests learn a row that has just been mixed.
    fn learn_shared(&mut self, x: &[f32], target: u32, memory: &mut Memory) {
        let Memory { row, learning, .. } = memory;
        let discount = self.settings.discount;
        self.mixture
            .learn(&row.all, target, discount, prior_weight, learning);
        if let Some(recent) = &mut self.recent {
            recent.learn(&row.recent, target, learning);
        }
        let solving = &mut learning.factor;
        self.discriminant.learn(x, target, discount, solving);
        if let Some(quadratic) = &mut self.quadratic {
            quadratic.learn(x, target, discount, solving);
        }
    }

    /// Reads each forest at each row, then lets it learn the row.
    fn read_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        readings: &mut Vec<Readings>,
    ) {
        readings.resize_with(1 + self.settings.recent.len(), Readings::default);
        let small = self.recent.iter_mut().flat_map(Recent::forests_mut);
        let forests = std::iter::once(&mut self.forest).chain(small);
        let pairs = readings.iter_mut().zip(forests);
        pairs.for_each(|(readings, forest)| readings.read_then_learn(forest, rows, targets));
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
        let mass = self.discriminant.mass();
        shares.clear();
        shares.extend((0..classes).map(|class| self.discriminant.share(class, mass, classes)));
        let columns = &mut all.columns;
        columns.clear();
        mixture::add_log_frequencies(of_row, shares, columns);
        self.discriminant.add_scores(x, classes, columns);
        if let Some(quadratic) = &self.quadratic {
            quadratic.add_scores(x, classes, columns, standardised);
        }
        // A function that is not there has no preference.
        columns.resize(COLUMNS * classes, 0.0);
        self.mixture.predict(classes, all);
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

    /// Resets what forgets by discount alone once no sample is left.
    fn begin_again_if_empty(&mut self) {
        if !self.forest.has_learned() {
            let features = self.forest.schema().features();
            self.discriminant = Discriminant::new(features);
            self.quadratic = new_quadratic(features);
            self.mixture = new_mixture();
            if let Some(recent) = &mut self.recent {
                recent.begin_again();
            }
        }
    }
}

/// Returns the quadratic function of this number of features, if they are few.
fn new_quadratic(features: usize) -> Option<Quadratic> {
    (features <= Quadratic::MOST_FEATURES).then(|| Quadratic::new(features))
}

fn new_mixture() -> Mixture {
    Mixture::new((0..COLUMNS).map(prior_weight).collect())
}

/// Returns a₀ of a column: a geometric mean of the readings, without the discriminant functions.
fn prior_weight(column: usize) -> f64 {
    let readings = Tree::SIZES.len();
    if column < readings {
        1.0 / readings as f64
    } else {
        0.0
    }
}
