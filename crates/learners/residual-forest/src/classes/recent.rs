//! What the latest rows say about the next one, of streams whose neighbouring rows are alike or whose concept drifts.

use dynamic_forest::DynamicSettings;
use forest_core::{
    Classification, Footprint, ForestSettings, InvariantError, OnlineLearner, Refused, Retention,
    Schema, SettingError, TreeRng,
};
use serde::{Deserialize, Serialize};

use super::mixture::{Memory, Mixed, Mixture, add_log_frequencies, log_frequency};
use super::{Tree, Trees};

/// Small forests on windows of the latest rows and the last label, in a mixture of their own that has the prediction from all rows as a column.
///
/// The mixture of all rows knows nothing of it: its weights are those of rows in any order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    forests: Vec<Trees>,
    last: Option<u32>,
    mixture: Mixture,
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
        let forests = windows.iter().enumerate().map(|(index, &window)| {
            let window = match forest.retention {
                Retention::Latest(rows) => rows.min(window as usize),
                _ => window as usize,
            };
            // Streams after those of the trees of all rows.
            let seed = TreeRng::new(forest.seed, forest.trees + index).bits();
            let small = forest
                .with_trees((forest.trees / 10).max(FEWEST_TREES))
                .with_seed(seed)
                .with_retention(Retention::Latest(window));
            Trees::new(schema, of_trees.clone(), small)
        });
        let forests: Vec<_> = forests.collect::<Result<_, SettingError>>()?;
        let mixture = Mixture::new((0..columns(&forests)).map(start).collect());
        let recent = Self {
            forests,
            last: None,
            mixture,
        };
        Ok((!windows.is_empty()).then_some(recent))
    }

    pub(super) fn forests(&self) -> &[Trees] {
        &self.forests
    }

    pub(super) fn forests_mut(&mut self) -> &mut [Trees] {
        &mut self.forests
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
        columns.extend(shares.iter().enumerate().map(|(class, &share)| {
            let is_last = |last| f64::from(u8::from(last as usize == class));
            log_frequency(self.last.map_or(share, is_last), share)
        }));
        self.mixture.predict(classes, mixed);
    }

    /// Learns the class of a row that has just been predicted.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32, memory: &mut Memory) {
        self.mixture.learn(mixed, target, DISCOUNT, start, memory);
        self.last = Some(target);
    }

    /// Takes a row that is held out of the windows it is in.
    pub(super) fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let holding = |forest: &&mut Trees| forest.samples().find(arrival).is_some();
        let mut forests = self.forests.iter_mut().filter(holding);
        forests.try_for_each(|forest| forest.forget(arrival))
    }

    /// Shortens windows that are longer than `n`.
    pub(super) fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let longer = |forest: &&mut Trees| window(forest) > n;
        let mut forests = self.forests.iter_mut().filter(longer);
        forests.try_for_each(|forest| forest.keep_latest(n))
    }

    /// Continues with more features.
    pub(super) fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let mut forests = self.forests.iter_mut();
        forests.try_for_each(|forest| forest.widen(features))
    }

    /// Resets what has no window.
    pub(super) fn begin_again(&mut self) {
        self.last = None;
        self.mixture = Mixture::new((0..columns(&self.forests)).map(start).collect());
    }

    pub(super) fn footprint(&self) -> Footprint {
        let own = Footprint {
            bytes: self.mixture.bytes(),
            ..Footprint::default()
        };
        let forests = self.forests.iter().map(OnlineLearner::footprint);
        forests.fold(own, |sum, forest| sum + forest)
    }

    /// Checks it against the windows of the settings and the forest of all rows.
    pub(super) fn check(&self, windows: &[u32], all: &Trees) -> Result<(), InvariantError> {
        let matching = |(forest, &longest): (&Trees, &u32)| {
            (1..=longest as usize).contains(&window(forest))
                && forest.settings() == all.settings()
                && OnlineLearner::schema(forest) == OnlineLearner::schema(all)
                && OnlineLearner::samples_seen(forest) == OnlineLearner::samples_seen(all)
        };
        let is_matching =
            self.forests.len() == windows.len() && self.forests.iter().zip(windows).all(matching);
        InvariantError::require(
            is_matching,
            "windows",
            "a forest does not match the settings",
        )?;
        let classes = OnlineLearner::schema(all).width();
        let is_known = self.last.is_none_or(|last| (last as usize) < classes);
        InvariantError::require(is_known, "last class", "it is not known")?;
        self.mixture.check(columns(&self.forests))?;
        self.forests
            .iter()
            .try_for_each(OnlineLearner::check_invariants)
    }
}

fn window(forest: &Trees) -> usize {
    match forest.retention() {
        Retention::Latest(window) => window,
        _ => 0,
    }
}

/// Returns the number of columns: the prediction from all rows, the readings of each window, and the last class.
fn columns(forests: &[Trees]) -> usize {
    2 + forests.len() * Tree::SIZES.len()
}

/// Returns a₀: the prediction from all rows.
fn start(column: usize) -> f64 {
    if column == 0 { 1.0 } else { 0.0 }
}
