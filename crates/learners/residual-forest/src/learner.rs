//! The learner of numbers: one ridge regression, chains, and their blend; when stored rows are read again, and weights fitted.

use std::cell::RefCell;

use dynamic_forest::{HonestForest, HonestTree};
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, OnlineLearner, PredictionRows, Refused, Regression, Retention, Rows,
    SampleStore, Schema, SettingError,
};
use serde::{Deserialize, Serialize};

use crate::ResidualSettings;
use crate::ridge::{Ridge, TargetMean};
use crate::stages::{FewRows, Stage, Stale, Table, samples};
use crate::weights::{Known, STAGES, Sums};

/// Chains of residual stages of dynamic trees, blended.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualForest {
    schema: Schema<Regression>,
    settings: ResidualSettings,
    forest: ForestSettings,
    seen: u64,
    pub(crate) target_mean: TargetMean,
    /// The first stage of chains that have it.
    pub(crate) ridge: Ridge,
    /// Those of all chains, one chain after another.
    pub(crate) stages: Vec<Stage>,
    pub(crate) blend: Vec<f64>,
    /// Those that are held, in order of arrival, and some that are not any more.
    pub(crate) rows: Vec<Known>,
    schedule: Schedule,
}

/// When stored rows are refreshed and weights fitted: by numbers of rows alone, so that a batch is its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Schedule {
    /// The rows that have arrived since the last refresh begin here; the next refresh is at the end.
    block: [u64; 2],
    /// The number of the row that is next in turn.
    turn: u64,
    /// Rows that have come or gone since the last fit.
    changes: u64,
    /// Whether trees have silent rows.
    is_silent: bool,
}

impl Schedule {
    /// Begins after this many rows.
    fn new(seen: u64) -> Self {
        Self {
            block: [seen, seen + 1],
            turn: seen,
            changes: 0,
            is_silent: false,
        }
    }
}

/// Rows that are predicted together: memory is bounded, and trees of a stage predict side by side.
const ROWS_A_ROUND: usize = 4096;

/// Rows that are refreshed together, at most.
const MOST: u64 = 256;

/// Rows that are refreshed, in turn, for each that comes or is forgotten.
const IN_TURN: usize = 6;

/// With fewer rows all choose cuts, none is read again, and the first forest predicts alone.
const FEWEST: usize = 8;

/// Weights are fitted when one of so many rows has changed, and of few rows not at each.
const FIT_SHARE: u64 = 10;
const FEW_CHANGES: u64 = 8;

/// What a row that is forgotten counts among the changes until the next fit: it is to be forgotten soon.
const FORGOTTEN: u64 = 4;

thread_local! {
    /// Queries allocate nothing once it is large enough. If this thread is already at work for another learner, that one has the table, and this one gets a new one.
    static MEMORY: RefCell<Table> = RefCell::default();
}

impl ResidualForest {
    /// Builds a learner for the stream that `schema` describes. The trees of `forest` are divided among the stages of all chains.
    ///
    /// # Errors
    /// Returns an error for a setting that violates its rule.
    pub fn new(
        schema: Schema<Regression>,
        settings: ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        ForestSettings::check_trees(forest.trees)?;
        settings.check()?;
        let stages = Stage::build(schema, &settings, forest)?;
        Ok(Self {
            ridge: Ridge::new(schema.features()),
            target_mean: TargetMean::default(),
            blend: unlearned(stages.len()),
            rows: Vec::new(),
            schedule: Schedule::new(0),
            seen: 0,
            schema,
            settings,
            forest,
            stages,
        })
    }

    /// Returns the weight of each partial chain in the prediction, from 0 to 1, which sum to 1: chain by chain, that of its first stage, of its first
    /// two, and so on.
    pub fn blend(&self) -> &[f64] {
        &self.blend
    }

    fn forests(&self) -> impl Iterator<Item = &HonestForest> {
        self.stages.iter().filter_map(|stage| stage.forest.as_ref())
    }

    fn forests_mut(&mut self) -> impl Iterator<Item = &mut HonestForest> {
        let stages = self.stages.iter_mut();
        stages.filter_map(|stage| stage.forest.as_mut())
    }

    /// Learns rows; calls `each` with the prediction of every row just before it is learned.
    fn learn_rows(&mut self, batch: &Batch<'_, Regression>, mut each: impl FnMut(f64)) {
        let mut start = 0;
        while start < batch.len() {
            let rows = (self.schedule.block[1] - self.seen) as usize;
            let end = batch.len().min(start + rows);
            self.learn_round(&batch.part(start..end), &mut each);
            start = end;
            if self.seen == self.schedule.block[1] {
                self.refresh();
            }
        }
    }

    fn learn_round(&mut self, batch: &Batch<'_, Regression>, each: &mut impl FnMut(f64)) {
        let (mut table, is_first) = (MEMORY.take(), self.target_mean.mass == 0.0);
        self.predict_stages_then_learn(batch, &mut table);
        for (row, &target) in batch.targets().iter().enumerate() {
            each(self.mean(&table, row));
            let mut known = Known {
                arrival: self.seen + row as u64,
                target,
                weight: batch.weight(row).value(),
                cells: [f64::NAN; STAGES],
            };
            for (index, stage) in self.stages.iter().enumerate().filter(|_| !is_first) {
                let mean = [0.0, table.mean][usize::from(stage.first == index)];
                known.cells[index] = table.columns[index].stage[row] + mean;
            }
            self.rows.push(known);
        }
        self.seen += batch.len() as u64;
        MEMORY.set(table);
    }

    /// Returns the prediction for a row: the blend of all partial chains, relative to an origin near to them, so that rounding does not change a prediction that they share.
    fn mean(&self, table: &Table, row: usize) -> f64 {
        let pairs = self.blend.iter().zip(&table.columns);
        let above = pairs.map(|(weight, column)| weight * (column.partial[row] - table.mean));
        table.mean + above.sum::<f64>()
    }

    /// Lets the mean and the ridge regression learn the rows of the block, and refreshes stored rows.
    fn refresh(&mut self) {
        let [start, end] = self.schedule.block;
        self.learn_shared(start, end);
        if !self.schedule.is_silent && samples(&self.stages).len() >= FEWEST {
            self.schedule.is_silent = true;
            for forest in self.forests_mut() {
                forest.refine_to(1.0 / HonestTree::FOLDS as f64);
            }
        }
        let block = (samples(&self.stages).len() as u64 / 32).clamp(1, MOST);
        self.schedule.block = [end, end + block];
        self.refresh_in_turn((end - start) as usize);
        self.changed(end - start);
    }

    /// Returns the first row that arrived as this number or later.
    fn row_from(&self, arrival: u64) -> usize {
        self.rows.partition_point(|row| row.arrival < arrival)
    }

    /// Lets the mean and the ridge regression learn the rows of these arrivals.
    fn learn_shared(&mut self, start: u64, end: u64) {
        for row in &self.rows[self.row_from(start)..self.row_from(end)] {
            let (samples, target, weight) = (samples(&self.stages), row.target, row.weight);
            if let Some(id) = samples.find(row.arrival) {
                self.target_mean.learn(target, weight);
                self.ridge.learn(samples.features(id), target, weight);
            }
        }
        self.ridge.solve();
    }

    /// Lets the mean and the ridge regression learn the rows that are held, alone.
    fn sum_again(&mut self) {
        self.target_mean = TargetMean::default();
        self.ridge = Ridge::new(self.schema.features());
        self.learn_shared(0, self.schedule.block[0]);
    }

    /// Refreshes stored rows, in turn, for some that have come or gone: as many as there are, at most.
    fn refresh_in_turn(&mut self, changes: usize) {
        let rows = self.row_from(self.schedule.block[0]);
        if !self.schedule.is_silent || rows == 0 || samples(&self.stages).len() < 2 {
            return;
        }
        let (turn, count) = (self.row_from(self.schedule.turn), IN_TURN * changes);
        let count = count.min(rows);
        self.schedule.turn = self.rows[(turn + count) % rows].arrival;
        let (samples, mut stale) = (samples(&self.stages), FewRows::new());
        for row in (turn..turn + count).map(|row| row % rows) {
            let known = &self.rows[row];
            let (target, weight) = (known.target, known.weight);
            if let Some(id) = samples.find(known.arrival) {
                let x = samples.features(id);
                stale.push(Stale {
                    row,
                    id,
                    target,
                    mean: self.target_mean.without(target, weight),
                    ridge: self.ridge.predict_without(x, target, weight),
                });
            }
        }
        self.refresh_rows(&stale);
    }

    /// Counts rows that have come or gone; fits the weights when that is due, and begins again once no row is left.
    fn changed(&mut self, rows: u64) {
        self.schedule.changes += rows;
        let held = samples(&self.stages).len() as u64;
        if held == 0 {
            self.begin_again();
        } else if self.schedule.changes >= (held / FIT_SHARE).max(FEW_CHANGES.min(held / 2)) {
            self.schedule.changes = 0;
            self.fit();
        }
    }

    /// Drops what is kept of rows that are gone, and fits the weights.
    fn fit(&mut self) {
        let (before, samples) = (self.rows.len(), samples(&self.stages));
        self.rows.retain(|row| samples.find(row.arrival).is_some());
        if self.rows.len() < before {
            self.sum_again();
        }
        if self.schedule.is_silent && self.rows.len() > 1 {
            let sums = Sums::new(&self.rows, &mut self.stages, self.target_mean);
            if sums.rows > 0.0 {
                self.fit_weights(&sums);
            }
        }
    }

    /// Resets a learner without samples, so that it predicts and learns as if it had never had any.
    fn begin_again(&mut self) {
        self.forests_mut().for_each(|forest| forest.refine_to(0.0));
        self.target_mean = TargetMean::default();
        self.ridge = Ridge::new(self.schema.features());
        self.blend = unlearned(self.blend.len());
        self.rows.clear();
        self.schedule = Schedule::new(self.seen);
        self.stages.iter_mut().for_each(Stage::forget_weights);
    }
}

/// Returns the blend before the first row: the first partial chain alone.
fn unlearned(stages: usize) -> Vec<f64> {
    let mut blend = vec![0.0; stages];
    blend[0] = 1.0;
    blend
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
        self.target_mean.mass > 0.0
    }

    /// A sample counts once, though every stage stores it.
    fn footprint(&self) -> Footprint {
        let mut sum: Footprint = self.forests().map(OnlineLearner::footprint).sum();
        sum.stored_samples = samples(&self.stages).len();
        let stages = self.stages.capacity() * size_of::<Stage>();
        let rows = self.rows.capacity() * size_of::<Known>();
        sum.bytes += self.ridge.bytes() + rows + stages;
        sum
    }

    fn trees(&self) -> usize {
        self.stages.iter().map(Stage::trees).sum()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forests()
            .try_for_each(|forest| forest.check_room(rows))
    }

    /// Checks the shape of the state: that of what would be built from the settings.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let built = Self::new(self.schema, self.settings.clone(), self.forest).map_err(rule)?;
        let mut pairs = self.stages.iter().zip(&built.stages);
        let [start, end] = self.schedule.block;
        let is_whole = (self.stages.len(), self.blend.len())
            == (built.stages.len(), built.blend.len())
            && pairs.all(|(stage, built)| stage.is_shaped(built))
            && self.rows.is_sorted_by(|a, b| a.arrival < b.arrival)
            && (start..end).contains(&self.seen)
            && end - start <= MOST
            && self.ridge.is_shaped(self.schema.features());
        InvariantError::require(is_whole, "stages", "they do not match the settings")?;
        let arrivals = |samples: &SampleStore<Regression>| -> Vec<u64> {
            samples.ids().map(|id| samples.arrival(id)).collect()
        };
        let held = arrivals(samples(&self.stages));
        let place = |held: &u64| self.rows.binary_search_by_key(held, |row| row.arrival);
        let mut is_same = held.iter().all(|held| place(held).is_ok());
        for forest in self.forests() {
            forest.check_invariants()?;
            is_same &= forest.samples_seen() == self.seen
                && forest.retention() == self.forest.retention
                && arrivals(forest.samples()) == held;
        }
        InvariantError::require(is_same, "stages", "they do not hold the same rows")
    }

    /// A weight is in the sums of the trees, in the mean, in the linear function, and in the sums that weights are fitted by. Which rows are refreshed, and when, depends on numbers of rows.
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        self.learn_rows(batch, |_| ());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let mut table = MEMORY.take();
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND).enumerate() {
            let start = round * ROWS_A_ROUND;
            self.predict_stages(&rows.part(start..start + predictions.len()), &mut table);
            for (row, prediction) in predictions.iter_mut().enumerate() {
                *prediction = self.mean(&table, row);
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

    /// Trees of later stages are about residuals. So the prediction is that of the trees, each multiplied by its [share](ExportedTree::share), plus a number that all points
    /// have in common and the [linear part](OnlineLearner::linear_part).
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let mut index = tree;
        for (stage, factor) in self.stages.iter().zip(self.factors()) {
            if let Some(forest) = stage.forest.as_ref().filter(|_| index < stage.trees()) {
                let mut exported = forest.export(index)?;
                exported.share *= factor;
                return Ok(exported);
            }
            index -= stage.trees();
        }
        Err(Refused::no_tree(tree, self.trees()))
    }

    /// Returns what features contribute through the ridge regression.
    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        let mut stages = self.stages.iter().zip(self.factors());
        let ridge = stages.find(|(stage, _)| stage.forest.is_none());
        let factor = ridge.map_or(0.0, |(_, factor)| factor);
        self.ridge.contributions(x, factor)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees forget a sample at once; the residuals of others follow as they are refreshed, a few for each that is forgotten; the mean, the ridge regression, the weights and the blend when they
    /// are fitted next, when a fortieth of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let holds = |forest: &HonestForest| forest.samples().find(arrival).is_some();
        if let Some(forest) = self.forests().find(|forest| !holds(forest)) {
            let (seen, held) = (self.seen, forest.samples().len());
            return Err(Refused::not_held(arrival, seen, held));
        }
        self.forests_mut()
            .try_for_each(|forest| forest.forget(arrival))?;
        self.refresh_in_turn(1);
        self.changed(FORGOTTEN);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        self.forests_mut()
            .try_for_each(|forest| forest.keep_latest(n))?;
        self.forest.retention = Retention::Latest(n);
        Ok(())
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do. The ridge regression is that of the rows that are held, which have 0 for the new features; what was read of them is read again in
    /// turn.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.schema.features();
        self.forests_mut()
            .try_for_each(|forest| forest.widen(features))?;
        if features > before {
            self.schema = self.schema.with_features(features)?;
            self.sum_again();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
