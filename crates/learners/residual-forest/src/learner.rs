//! The learner of numbers: one ridge regression, chains, and their blend.

use std::cell::RefCell;

use dynamic_forest::HonestForest;
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, OnlineLearner, PredictionRows, Refused, Regression, Retention, Rows,
    SampleStore, Schema, SettingError,
};
use serde::{Deserialize, Serialize};

use crate::ResidualSettings;
use crate::refresh::Schedule;
use crate::ridge::{Ridge, TargetMean};
use crate::stages::{Stage, Table, samples};
use crate::weights::{Known, STAGES};

/// Chains of residual stages of dynamic trees, blended.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualForest {
    pub(crate) schema: Schema<Regression>,
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
    pub(crate) schedule: Schedule,
}

/// Rows that are predicted together: memory is bounded, and trees of a stage predict side by side.
pub(crate) const ROWS_A_ROUND: usize = 4096;

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

    pub(crate) fn forests(&self) -> impl Iterator<Item = &HonestForest> {
        self.stages.iter().filter_map(|stage| stage.forest.as_ref())
    }

    pub(crate) fn forests_mut(&mut self) -> impl Iterator<Item = &mut HonestForest> {
        self.stages
            .iter_mut()
            .filter_map(|stage| stage.forest.as_mut())
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
        let mut table = MEMORY.take();
        self.begin(batch.iter(), &mut table);
        self.predict_stages_then_learn(batch, &mut table);
        for (index, row) in table.rows.iter().enumerate() {
            each(self.mean(&table, index));
            let mut known = Known {
                arrival: self.seen + index as u64,
                target: row.target,
                weight: batch.weight(index).value(),
                cells: [f64::NAN; STAGES],
            };
            let columns = table.columns.iter().zip(&mut known.cells).enumerate();
            for (place, (column, cell)) in columns.filter(|_| !row.is_first) {
                let is_first = self.stages[place].first == place;
                *cell = column.stage[index] + if is_first { row.mean } else { 0.0 };
            }
            self.rows.push(known);
        }
        self.seen += batch.len() as u64;
        MEMORY.set(table);
    }

    /// Returns the prediction for a row: the blend of all partial chains, relative to an origin near to them, so that rounding does not change a prediction that they share.
    fn mean(&self, table: &Table, row: usize) -> f64 {
        let origin = table.rows[row].mean;
        let pairs = self.blend.iter().zip(&table.columns);
        let above = pairs.map(|(weight, column)| weight * (column.partial[row] - origin));
        origin + above.sum::<f64>()
    }

    /// Resets a learner without samples, so that it predicts and learns as if it had never had any.
    pub(crate) fn begin_again_if_empty(&mut self) {
        if self.forests().any(|forest| forest.has_learned()) {
            return;
        }
        self.forests_mut().for_each(|forest| forest.refine_to(0.0));
        self.target_mean = TargetMean::default();
        self.ridge = Ridge::new(self.schema.features());
        self.blend = unlearned(self.blend.len());
        self.rows.clear();
        self.schedule = Schedule::new(self.seen);
        self.stages.iter_mut().for_each(Stage::forget_weights);
    }

    /// Checks the shape of the state: that of what would be built from the settings.
    fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let built = Self::new(self.schema, self.settings.clone(), self.forest).map_err(rule)?;
        let mut pairs = self.stages.iter().zip(&built.stages);
        let is_whole = (self.stages.len(), self.blend.len())
            == (built.stages.len(), built.blend.len())
            && pairs.all(|(stage, built)| stage.is_shaped(built))
            && self.rows.is_sorted_by(|a, b| a.arrival < b.arrival)
            && self.schedule.is_open(self.seen)
            && self.ridge.is_shaped(self.schema.features());
        InvariantError::require(is_whole, "stages", "they do not match the settings")?;
        self.forests()
            .try_for_each(OnlineLearner::check_invariants)?;
        let arrivals = |samples: &SampleStore<Regression>| -> Vec<u64> {
            samples.ids().map(|id| samples.arrival(id)).collect()
        };
        let held = arrivals(samples(&self.stages));
        let rows = &self.rows;
        let is_known = |held: &u64| rows.binary_search_by_key(held, |row| row.arrival).is_ok();
        let is_same = |forest: &HonestForest| {
            forest.samples_seen() == self.seen
                && forest.retention() == self.forest.retention
                && arrivals(forest.samples()) == held
        };
        let is_same = held.iter().all(is_known) && self.forests().all(is_same);
        InvariantError::require(is_same, "stages", "they do not hold the same rows")
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
        self.forests().map(|forest| forest.tree_count()).sum()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.forests()
            .try_for_each(|forest| forest.check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    /// A weight is in the sums of the trees, in the mean, in the linear function, and in the sums that weights are fitted by. Which rows are refreshed, and when, depends on numbers of rows.
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        self.learn_rows(batch, |_| ());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let mut table = MEMORY.take();
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND).enumerate() {
            let start = round * ROWS_A_ROUND;
            let rows = rows.part(start..start + predictions.len());
            self.begin(rows.iter().map(|x| (x, 0.0)), &mut table);
            self.predict_stages(&rows, &mut table);
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
            let trees = stage
                .forest
                .as_ref()
                .map_or(0, |forest| forest.tree_count());
            match &stage.forest {
                Some(forest) if index < trees => {
                    let mut exported = forest.export(index)?;
                    exported.share *= factor;
                    return Ok(exported);
                }
                _ => index -= trees,
            }
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
