//! What the latest rows say about the next one, of streams whose neighbouring rows are alike or whose concept drifts.

use dynamic_forest::{DynamicSettings, ReadingForest, ReadingTree};
use forest_core::{
    Classification, ForestSettings, InvariantError, OnlineLearner, Retention, Schema, SettingError,
    TreeRng,
};
use serde::{Deserialize, Serialize};

use super::mixture::{Mixed, Mixture, add_log_frequencies, log_frequency};

/// Small forests on windows of the latest rows and the last label, in a mixture of their own that has the prediction from all rows as a column.
///
/// The mixture of all rows knows nothing of it: its weights are those of rows in any order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    pub(super) forests: Vec<ReadingForest>,
    last: Option<u32>,
    pub(super) mixture: Mixture,
}

/// γ of the mixture: it follows some 500 rows.
const DISCOUNT: f64 = 0.998;

/// The least probability in the logarithm of a prediction.
const FLOOR: f64 = 1e-6;

/// The readings of windows are few rows' frequencies: a tenth of the trees is enough, and no fewer than these.
const FEWEST_TREES: usize = 5;

impl Recent {
    /// Returns a forest for each window, or nothing without windows.
    pub(super) fn new(
        windows: &[u32],
        schema: Schema<Classification>,
        of_trees: &DynamicSettings,
        forest: ForestSettings,
    ) -> Result<Option<Self>, SettingError> {
        let mut forests = Vec::new();
        for (index, &rows) in windows.iter().enumerate() {
            let rows = match forest.retention {
                Retention::Latest(all) => all.min(rows as usize),
                Retention::Everything => rows as usize,
            };
            // Streams after those of the trees of all rows.
            let seed = TreeRng::new(forest.seed, forest.trees + index).bits();
            let small = forest
                .with_trees((forest.trees / 10).max(FEWEST_TREES))
                .with_seed(seed)
                .with_retention(Retention::Latest(rows));
            forests.push(ReadingForest::new(schema, of_trees.clone(), small)?);
        }
        let (last, mixture) = (None, Mixture::new(columns(windows.len())));
        let recent = Self {
            forests,
            last,
            mixture,
        };
        Ok((!windows.is_empty()).then_some(recent))
    }

    /// Predicts a row for which `probabilities` follow from all rows, and `readings` from each window; `shares` are those of the classes.
    pub(super) fn predict<'a>(
        &self,
        probabilities: &[f64],
        readings: impl Iterator<Item = &'a [f64]>,
        shares: &[f64],
        mixed: &mut Mixed,
    ) {
        let classes = probabilities.len();
        let columns = &mut mixed.columns;
        columns.clear();
        let floored = |p: &f64| libm::log((p + FLOOR) / (1.0 + FLOOR * classes as f64));
        columns.extend(probabilities.iter().map(floored));
        readings.for_each(|readings| add_log_frequencies(readings, shares, columns));
        for (class, &share) in shares.iter().enumerate() {
            let is_last = |last| f64::from(u8::from(last as usize == class));
            columns.push(log_frequency(self.last.map_or(share, is_last), share));
        }
        mixed.softmax(&self.mixture.weights, classes);
    }

    /// Learns the class of a row that has just been predicted.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32) {
        self.mixture.learn(mixed, target, DISCOUNT);
        self.last = Some(target);
    }

    /// Resets what has no window.
    pub(super) fn begin_again(&mut self) {
        self.last = None;
        self.mixture = Mixture::new(columns(self.forests.len()));
    }

    /// Checks it against the windows of the settings and the forest of all rows.
    pub(super) fn check(&self, windows: &[u32], all: &ReadingForest) -> Result<(), InvariantError> {
        let classes = all.schema().width();
        let mut is_matching = self.forests.len() == windows.len()
            && self.last.is_none_or(|last| (last as usize) < classes)
            && self.mixture.is_shaped(columns(windows.len()));
        for (forest, &longest) in self.forests.iter().zip(windows) {
            is_matching &= (1..=longest as usize).contains(&window(forest))
                && forest.settings() == all.settings()
                && forest.schema() == all.schema()
                && forest.samples_seen() == all.samples_seen();
            forest.check_invariants()?;
        }
        let what = "a forest, the last class or the mixture does not match the settings";
        InvariantError::require(is_matching, "windows", what)
    }
}

/// Returns the rows that a small forest holds at most.
pub(super) fn window(forest: &ReadingForest) -> usize {
    match forest.retention() {
        Retention::Latest(window) => window,
        Retention::Everything => 0,
    }
}

/// Returns the number of columns: the prediction from all rows, the readings of each window, and the last class.
fn columns(windows: usize) -> usize {
    2 + windows * ReadingTree::SIZES.len()
}
