//! The learner of classes: one forest that is read at several sizes of node, beside a linear and a quadratic function, in an online mixture.

mod contract;
mod discriminant;
mod explain;
mod mixture;
mod quadratic;
mod settings;
#[cfg(test)]
mod tests;

use dynamic_forest::{ReadingForest, ReadingTree};
use forest_core::{
    Classification, ForestSettings, OnlineLearner, PredictionRows, Retention, Schema, SettingError,
};
use ndarray::{ArrayView2, s};
use serde::{Deserialize, Serialize};

use discriminant::Discriminant;
use mixture::Mixture;
use quadratic::Quadratic;
pub use settings::ResidualClassifierSettings;

/// A mixture of a forest's class frequencies at nodes of several sizes, and of a linear and a quadratic discriminant function.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualClassifier {
    pub(crate) settings: ResidualClassifierSettings,
    pub(crate) forest: ReadingForest,
    discriminant: Discriminant,
    /// Of few features.
    quadratic: Option<Quadratic>,
    mixture: Mixture,
    #[serde(skip)]
    memory: Memory,
}

/// Working memory; it is not part of a learner's state.
#[derive(Debug, Default)]
struct Memory {
    readings: Vec<f64>,
    mixed: Mixed,
    solving: Vec<f64>,
}

/// One row of it.
#[derive(Debug, Default)]
struct Mixed {
    columns: Vec<f64>,
    standardised: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Memory {
    fn bytes(&self) -> usize {
        let Mixed {
            columns,
            standardised,
            probabilities,
        } = &self.mixed;
        let of_a_row = [columns, standardised, probabilities, &self.solving];
        let vectors = of_a_row.into_iter().chain([&self.readings]);
        let cells: usize = vectors.map(Vec::capacity).sum();
        cells * size_of::<f64>()
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The columns of the mixture: the readings of the forest, the linear and the quadratic function.
const COLUMNS: usize = ReadingTree::SIZES.len() + 2;

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
        Ok(Self {
            forest: ReadingForest::new(schema, of_trees, forest)?,
            discriminant: Discriminant::new(schema.features()),
            quadratic: new_quadratic(schema.features()),
            mixture: Mixture::default(),
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
    /// ([`ReadingTree::SIZES`]), and of the scores of the linear and the quadratic function. They do not sum to 1.
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
            let readings = self.read_then_learn(rows, targets, &mut memory.readings);
            for (row, (x, &target)) in rows.outer_iter().zip(targets).enumerate() {
                let x = x.to_slice().expect("checked rows are in standard order");
                let of_row = readings
                    .as_ref()
                    .map_or(&memory.readings[..], |all| all.row(row));
                self.mix(x, of_row, &mut memory.mixed);
                each(&memory.mixed.probabilities);
                self.learn_shared(x, target, &mut memory);
            }
        }
        self.memory = memory;
    }

    /// Lets everything but the forest learn a row that has just been mixed.
    fn learn_shared(&mut self, x: &[f32], target: u32, memory: &mut Memory) {
        let Memory { mixed, solving, .. } = memory;
        let discount = self.settings.discount;
        let (columns, predicted) = (&mixed.columns, &mixed.probabilities);
        self.mixture
            .learn(columns, predicted, target, discount, solving);
        self.discriminant.learn(x, target, discount, solving);
        if let Some(quadratic) = &mut self.quadratic {
            quadratic.learn(x, target, discount, solving);
        }
    }

    /// Reads the forest at each row, then lets it learn the row. The readings of a single row are written to `single`, which allocates
    /// nothing; those of several are returned.
    fn read_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        single: &mut Vec<f64>,
    ) -> Option<PredictionRows> {
        const SOUND: &str = "rows were checked";
        if targets.len() > 1 {
            return Some(
                self.forest
                    .predict_full_then_learn(rows, targets)
                    .expect(SOUND),
            );
        }
        let read = self.forest.predict_full_into(rows, single);
        read.and_then(|()| self.forest.learn(rows, targets))
            .expect(SOUND);
        None
    }

    /// Fills `mixed` with the columns of the mixture, class after class within each, and with its prediction.
    fn mix(&self, x: &[f32], readings: &[f64], mixed: &mut Mixed) {
        let classes = readings.len() / ReadingTree::SIZES.len();
        let (columns, mass) = (&mut mixed.columns, self.discriminant.mass());
        columns.clear();
        for reading in readings.chunks_exact(classes.max(1)) {
            let shares = (0..classes).map(|class| self.discriminant.share(class, mass, classes));
            let pairs = reading.iter().zip(shares);
            columns.extend(pairs.map(|(&p, share)| mixture::log_frequency(p, share)));
        }
        self.discriminant.add_scores(x, classes, columns);
        if let Some(quadratic) = &self.quadratic {
            quadratic.add_scores(x, classes, columns, &mut mixed.standardised);
        }
        // A function that is not there has no preference.
        columns.resize(COLUMNS * classes, 0.0);
        mixed.probabilities.clear();
        mixed.probabilities.resize(classes, 0.0);
        self.mixture.predict(columns, &mut mixed.probabilities);
    }

    /// Overwrites `predictions`, a row of classes for each row.
    fn predict_rows(
        &self,
        rows: ArrayView2<'_, f32>,
        memory: &mut Memory,
        predictions: &mut [f64],
    ) {
        let read = self.forest.predict_full_into(rows, &mut memory.readings);
        read.expect("rows were checked");
        let width = predictions.len() / rows.nrows();
        let readings = memory
            .readings
            .chunks_exact(width * ReadingTree::SIZES.len());
        let pairs = readings.zip(predictions.chunks_exact_mut(width));
        for (x, (readings, prediction)) in rows.outer_iter().zip(pairs) {
            let x = x.to_slice().expect("checked rows are in standard order");
            self.mix(x, readings, &mut memory.mixed);
            prediction.copy_from_slice(&memory.mixed.probabilities);
        }
    }

    /// Resets what forgets by discount alone once no sample is left.
    fn begin_again_if_empty(&mut self) {
        if !self.forest.has_learned() {
            let features = self.forest.schema().features();
            self.discriminant = Discriminant::new(features);
            self.quadratic = new_quadratic(features);
            self.mixture = Mixture::default();
        }
    }
}

/// Returns the quadratic function of so many features, if they are few.
fn new_quadratic(features: usize) -> Option<Quadratic> {
    (features <= Quadratic::MOST_FEATURES).then(|| Quadratic::new(features))
}
