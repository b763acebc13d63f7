//! The learner of numbers: when chains learn, when stored rows are refreshed, and when weights are fitted.

mod fits;
mod ridge;
mod stages;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::ops::Range;

use dynamic_forest::{HonestForest, HonestTree};
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, OnlineLearner, PredictionRows, Refused, Regression, Retention, Rows,
    SampleStore, Schema, SettingError,
};
use serde::{Deserialize, Serialize};

use crate::ResidualSettings;
use fits::KnownRow;
use ridge::{Ridge, TargetMean};
use stages::{Chains, FewRows, Stage, StageTable, Stale};

/// Chains of residual stages of dynamic trees, blended.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualForest {
    schema: Schema<Regression>,
    settings: ResidualSettings,
    forest: ForestSettings,
    seen: u64,
    chains: Chains,
    schedule: Schedule,
}

/// When stored rows are refreshed, after each *block* of new rows, and weights fitted: it depends on numbers of rows
/// alone, so a batch equals its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Schedule {
    /// The arrival numbers of the rows of the block.
    block: Range<u64>,
    /// The arrival number of the row that is refreshed next.
    turn: u64,
    /// The number of rows learned since the last fit, and [`FORGOTTEN`] for each that has been forgotten.
    changes: u64,
    /// Whether a share of the rows is silent in the trees.
    is_silent: bool,
}

impl Schedule {
    /// Returns the schedule of a learner that begins after this many rows.
    fn new(seen: u64) -> Self {
        Self {
            block: seen..seen + 1,
            turn: seen,
            changes: 0,
            is_silent: false,
        }
    }
}

/// The number of rows that are predicted together, which bounds memory.
const ROWS_A_ROUND: usize = 4096;

/// The largest number of rows between two refreshes.
const LONGEST_BLOCK: u64 = 256;

/// The number of rows that are refreshed for each that is learned or forgotten.
const REFRESHED: usize = 6;

/// With fewer rows none is silent or refreshed, and the first forest predicts alone.
const FEWEST: usize = 8;

/// Weights are fitted when one in this many rows has changed, but with few rows not before [`FEW_CHANGES`].
const FIT_SHARE: u64 = 10;
const FEW_CHANGES: u64 = 8;

/// A forgotten row counts more than a new one among the changes, so that it soon has no influence on the weights.
const FORGOTTEN: u64 = 4;

thread_local! {
    /// Predicting allocates nothing once this is large enough. A learner within another one takes a new table.
    static MEMORY: RefCell<StageTable> = RefCell::default();
}

impl ResidualForest {
    /// Builds a learner for the stream that `schema` describes. The trees of `forest` are divided among all stages.
    ///
    /// # Errors
    /// Returns an error for no trees, or a setting that violates its rule.
    pub fn new(
        schema: Schema<Regression>,
        settings: ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        ForestSettings::check_trees(forest.trees)?;
        settings.check()?;
        let stages = Stage::build(schema, &settings, forest)?;
        Ok(Self {
            chains: Chains::new(schema.features(), stages),
            schedule: Schedule::new(0),
            seen: 0,
            schema,
            settings,
            forest,
        })
    }

    /// Learns rows; calls `each` with the prediction of every row just before it is learned.
    fn learn_rows(&mut self, batch: &Batch<'_, Regression>, mut each: impl FnMut(f64)) {
        let mut start = 0;
        while start < batch.len() {
            let rows = (self.schedule.block.end - self.seen) as usize;
            let end = batch.len().min(start + rows);
            self.learn_within_block(&batch.part(start..end), &mut each);
            start = end;
            if self.seen == self.schedule.block.end {
                self.end_block();
            }
        }
    }

    /// Lets all stages learn rows of the block, and stores their predictions from before as the first cells of the
    /// rows.
    fn learn_within_block(&mut self, batch: &Batch<'_, Regression>, each: &mut impl FnMut(f64)) {
        let mut table = MEMORY.take();
        let is_first = !self.has_learned();
        self.chains.predict_stages_then_learn(batch, &mut table);
        for (row, &target) in batch.targets().iter().enumerate() {
            each(self.chains.blended(&table, row));
            self.chains.rows.push(KnownRow {
                arrival: self.seen + row as u64,
                target,
                weight: batch.weight(row).value(),
            });
            for (stage, column) in table.columns.iter().enumerate() {
                let is_relative = self.chains.stages[stage].first == stage;
                let mean = if is_relative { table.mean } else { 0.0 };
                let prediction = column.stage[row] + mean;
                // Nothing was predicted for the first row.
                let cell = if is_first { f64::NAN } else { prediction };
                self.chains.cells.push(cell);
            }
        }
        self.seen += batch.len() as u64;
        MEMORY.set(table);
    }

    /// Lets the mean and the ridge regression learn the rows of the block, and refreshes stored rows.
    fn end_block(&mut self) {
        let block = self.schedule.block.clone();
        self.chains.learn_shared(block.clone());
        let held = self.chains.samples().len();
        if !self.schedule.is_silent && held >= FEWEST {
            self.schedule.is_silent = true;
            for forest in self.chains.forests_mut() {
                forest.refine_to(1.0 / HonestTree::FOLDS as f64);
            }
        }
        let next = (held as u64 / 32).clamp(1, LONGEST_BLOCK);
        self.schedule.block = block.end..block.end + next;
        let learned = block.end - block.start;
        self.refresh_in_turn(learned as usize);
        self.count_changes(learned);
    }

    /// Sums the mean and the ridge regression again from the rows that are held.
    fn sum_again(&mut self) {
        self.chains.target_mean = TargetMean::default();
        self.chains.ridge = Ridge::new(self.schema.features());
        self.chains.learn_shared(0..self.schedule.block.start);
    }

    /// Refreshes stored rows, in turn: some for each change, and each at most once.
    fn refresh_in_turn(&mut self, changes: usize) {
        let chains = &self.chains;
        let rows = chains.row_from(self.schedule.block.start);
        if !self.schedule.is_silent || rows == 0 || chains.samples().len() < 2 {
            return;
        }
        let turn = chains.row_from(self.schedule.turn);
        let count = rows.min(REFRESHED * changes);
        self.schedule.turn = chains.rows[(turn + count) % rows].arrival;
        let mut stale = FewRows::new();
        for row in (turn..turn + count).map(|row| row % rows) {
            if let Some(id) = chains.samples().find(chains.rows[row].arrival) {
                stale.push(Stale { row, id });
            }
        }
        self.chains.refresh_rows(&stale);
    }

    /// Counts changes of the rows; fits the weights when that is due, and resets the learner once it holds no row.
    fn count_changes(&mut self, changes: u64) {
        self.schedule.changes += changes;
        let held = self.chains.samples().len() as u64;
        if held == 0 {
            self.reset();
        } else if self.schedule.changes >= (held / FIT_SHARE).max(FEW_CHANGES.min(held / 2)) {
            self.schedule.changes = 0;
            if self.chains.drop_rows() {
                self.sum_again();
            }
            // Rows of the block that has not ended are not in the mean of the targets yet.
            let rows = self.chains.row_from(self.schedule.block.start);
            if self.schedule.is_silent && rows > 1 {
                self.chains.fit(rows);
            }
        }
    }

    /// Resets a learner without samples, so that it predicts and learns as if it had never had any.
    fn reset(&mut self) {
        for forest in self.chains.forests_mut() {
            forest.refine_to(0.0);
        }
        self.chains.reset(self.schema.features());
        self.schedule = Schedule::new(self.seen);
    }
}

impl OnlineLearner for ResidualForest {
    type Task = Regression;

    fn schema(&self) -> &Schema<Regression> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn has_learned(&self) -> bool {
        self.chains.target_mean.mass > 0.0
    }

    /// Counts a sample once, though every stage stores it.
    fn footprint(&self) -> Footprint {
        let mut sum: Footprint = self.chains.forests().map(OnlineLearner::footprint).sum();
        sum.stored_samples = self.chains.samples().len();
        let stages = self.chains.stages.capacity() * size_of::<Stage>();
        let rows = self.chains.rows.capacity() * size_of::<KnownRow>();
        let cells = self.chains.cells.capacity() * size_of::<f64>();
        sum.bytes += self.chains.ridge.bytes() + rows + cells + stages;
        sum
    }

    fn trees(&self) -> usize {
        self.chains.stages.iter().map(Stage::trees).sum()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        for forest in self.chains.forests() {
            forest.check_room(rows)?;
        }
        Ok(())
    }

    /// Checks that the state has the shape of a learner with these settings.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let built = Self::new(self.schema, self.settings.clone(), self.forest).map_err(rule)?;
        let block = &self.schedule.block;
        let is_whole = self.chains.is_shaped(&built.chains, self.schema.features())
            && block.contains(&self.seen)
            && block.end - block.start <= LONGEST_BLOCK;
        InvariantError::require(is_whole, "stages", "they do not match the settings")?;
        let arrivals = |samples: &SampleStore<Regression>| -> Vec<u64> {
            samples.ids().map(|id| samples.arrival(id)).collect()
        };
        let held = arrivals(self.chains.samples());
        let known = &self.chains.rows;
        let is_known = |held: &u64| known.binary_search_by_key(held, |row| row.arrival).is_ok();
        let mut is_same = held.iter().all(is_known);
        for forest in self.chains.forests() {
            forest.check_invariants()?;
            is_same &= forest.samples_seen() == self.seen
                && forest.retention() == self.forest.retention
                && arrivals(forest.samples()) == held;
        }
        InvariantError::require(is_same, "stages", "they do not hold the same rows")
    }

    /// Weights enter the sums of the trees, the mean, the ridge regression and the fits; the schedule counts rows.
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        self.learn_rows(batch, |_| ());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let mut table = MEMORY.take();
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND).enumerate() {
            let start = round * ROWS_A_ROUND;
            let part = rows.part(start..start + predictions.len());
            self.chains.predict_stages(&part, &mut table);
            for (row, prediction) in predictions.iter_mut().enumerate() {
                *prediction = self.chains.blended(&table, row);
            }
        }
        MEMORY.set(table);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.learn_rows(batch, |prediction| predictions.push(1)[0] = prediction);
        predictions
    }

    fn can(&self, ability: Ability) -> bool {
        use Ability::{Explain, Forget, Weights};
        matches!(ability, Explain | Forget | Weights)
    }

    /// Trees of later stages predict residuals. The prediction of the learner is the sum of those of the trees, each
    /// times its [share](ExportedTree::share), of the [linear part](OnlineLearner::linear_part), and of a constant.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let mut index = tree;
        let factors = self.chains.factors();
        for (stage, factor) in self.chains.stages.iter().zip(factors) {
            if let Some(forest) = &stage.forest
                && index < stage.trees()
            {
                let mut exported = forest.export(index)?;
                exported.share *= factor;
                return Ok(exported);
            }
            index -= stage.trees();
        }
        Err(Refused::no_tree(tree, self.trees()))
    }

    /// Returns the contribution of each feature through the ridge regression.
    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        let mut stages = self.chains.stages.iter().zip(self.chains.factors());
        let ridge = stages.find(|(stage, _)| stage.forest.is_none());
        let factor = ridge.map_or(0.0, |(_, factor)| factor);
        self.chains.ridge.contributions(x, factor)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees forget a sample at once. Residuals of others follow as they are refreshed, a few for each forgotten
    /// sample; all else follows at the next fit, when a fortieth of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let holds = |forest: &HonestForest| forest.samples().find(arrival).is_some();
        if let Some(forest) = self.chains.forests().find(|forest| !holds(forest)) {
            let held = forest.samples().len();
            return Err(Refused::not_held(arrival, self.seen, held));
        }
        for forest in self.chains.forests_mut() {
            forest.forget(arrival)?;
        }
        self.refresh_in_turn(1);
        self.count_changes(FORGOTTEN);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        for forest in self.chains.forests_mut() {
            forest.keep_latest(n)?;
        }
        self.forest.retention = Retention::Latest(n);
        Ok(())
    }

    /// Trees are widened as [dynamic trees](dynamic_forest::DynamicTree). The ridge regression is that of the rows that
    /// are held, whose new features are 0; their residuals follow as they are refreshed.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.schema.features();
        for forest in self.chains.forests_mut() {
            forest.widen(features)?;
        }
        if features > before {
            self.schema = self.schema.with_features(features)?;
            self.sum_again();
        }
        Ok(())
    }
}
