//! The learner: one ridge regression, chains, and their blend.

use forest_core::{
    ForestSettings, InvariantError, OnlineLearner, Regression, Retention, Schema, SettingError,
};
use ndarray::{ArrayView2, s};
use serde::{Deserialize, Serialize};

use crate::ResidualSettings;
use crate::blend::Blend;
use crate::chain::Chain;
use crate::columns::Columns;
use crate::refresh::Schedule;
use crate::ridge::Ridge;
use crate::settings::{CHAINS, divide_trees};
use crate::table::{Row, Table};
use crate::target_mean::TargetMean;

/// Chains of residual stages of dynamic trees, blended.
///
/// See the [crate](crate) for the definition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResidualForest {
    pub(crate) schema: Schema<Regression>,
    pub(crate) settings: ResidualSettings,
    pub(crate) forest: ForestSettings,
    pub(crate) seen: u64,
    pub(crate) target_mean: TargetMean,
    /// The first stage of chains that have it.
    pub(crate) ridge: Ridge,
    pub(crate) chains: Vec<Chain>,
    pub(crate) blend: Blend,
    pub(crate) columns: Columns,
    pub(crate) schedule: Schedule,
    #[serde(skip)]
    pub(crate) memory: Table,
}

/// Rows that go through the stages together: memory is bounded, and trees of a stage learn side by side.
pub(crate) const ROWS_A_ROUND: usize = 4096;

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
        let chains = build_chains(schema, &settings, forest)?;
        let members: usize = chains.iter().map(Chain::stages).sum();
        Ok(Self {
            ridge: Ridge::new(schema.features()),
            target_mean: TargetMean::default(),
            blend: Blend::new(members),
            columns: Columns::new(first_stages(&chains)),
            schedule: Schedule::default(),
            memory: Table::default(),
            seen: 0,
            schema,
            settings,
            forest,
            chains,
        })
    }

    /// Returns the settings it was built with.
    pub fn settings(&self) -> &ResidualSettings {
        &self.settings
    }

    /// Returns which samples its trees keep.
    pub fn retention(&self) -> Retention {
        self.forest.retention
    }

    /// Returns the weight of each partial chain in the prediction, from 0 to 1, which sum to 1: chain by chain, that of its first stage, of its first
    /// two, and so on.
    pub fn blend(&self) -> &[f64] {
        self.blend.weights()
    }

    /// Returns the weights of the stages of each partial chain, in the order of [`ResidualForest::blend`].
    pub fn stage_weights(&self) -> impl Iterator<Item = &[f64]> {
        let chains = self.chains.iter().flat_map(Chain::weights);
        chains.map(Vec::as_slice)
    }

    /// Calls `each` with the prediction of every row just before it is learned.
    pub(crate) fn predict_rows_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[f64],
        weights: Option<&[f64]>,
        mut each: impl FnMut(f64),
    ) {
        let mut start = 0;
        while start < targets.len() {
            let end = targets.len().min(start + self.rows_until_refresh());
            let rows = features.slice(s![start..end, ..]);
            let weights = weights.map(|weights| &weights[start..end]);
            self.round(rows, &targets[start..end], weights, &mut each);
            start = end;
            if self.rows_until_refresh() == 0 {
                self.refresh();
            }
        }
    }

    fn round(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[f64],
        weights: Option<&[f64]>,
        each: &mut impl FnMut(f64),
    ) {
        let mut table = std::mem::take(&mut self.memory);
        table.rows.clear();
        for (x, &target) in features.outer_iter().zip(targets) {
            let x = x.to_slice().expect("checked rows are in standard order");
            table.rows.push(self.row(x, target));
        }
        table.begin(self.blend.weights().len());
        let mut first = 0;
        for chain in &mut self.chains {
            chain.predict_rows_then_learn(features, weights, (&mut table, first));
            first += chain.stages();
        }
        for (index, row) in table.rows.iter().enumerate() {
            each(self.blend.mean(row.mean, table.partial(index)));
            let weight = weights.map_or(1.0, |weights| weights[index]);
            let predictions = table.predictions(index, 0, first);
            let predictions = (!row.is_first).then_some((predictions, row.mean));
            let arrival = self.seen + index as u64;
            self.columns
                .push(arrival, (row.target, weight), predictions);
        }
        self.seen += targets.len() as u64;
        self.memory = table;
    }

    /// Returns the mean of the targets and the prediction of the ridge regression, before a row is learned.
    fn row(&self, x: &[f32], target: f64) -> Row {
        Row {
            mean: self.target_mean.mean(),
            ridge: self.ridge.predict(x),
            is_first: self.target_mean.is_empty(),
            target,
        }
    }

    /// Resets a learner without samples, so that it predicts and learns as if it had never had any.
    pub(crate) fn begin_again_if_empty(&mut self) {
        if self.forests().any(|forest| forest.has_learned()) {
            return;
        }
        for forest in self.chains.iter_mut().flat_map(|chain| &mut chain.forests) {
            forest.refine_to(0.0);
        }
        self.target_mean = TargetMean::default();
        self.ridge = Ridge::new(self.schema.features());
        let members = self.blend.weights().len();
        self.blend = Blend::new(members);
        self.columns = Columns::new(first_stages(&self.chains));
        self.schedule.begin_again(self.seen);
        self.chains.iter_mut().for_each(Chain::forget_weights);
    }

    /// Overwrites `predictions`, one per row.
    pub(crate) fn predict_rows(
        &self,
        features: ArrayView2<'_, f32>,
        table: &mut Table,
        predictions: &mut [f64],
    ) {
        table.rows.clear();
        let rows = features.outer_iter();
        let known = |x: ndarray::ArrayView1<'_, f32>| {
            self.row(
                x.to_slice().expect("checked rows are in standard order"),
                0.0,
            )
        };
        table.rows.extend(rows.map(known));
        table.begin(self.blend.weights().len());
        let mut first = 0;
        for chain in &self.chains {
            chain.predict(features, (table, first));
            first += chain.stages();
        }
        for (row, prediction) in predictions.iter_mut().enumerate() {
            *prediction = self.blend.mean(table.rows[row].mean, table.partial(row));
        }
    }

    /// Checks the shape of the state: that of what would be built from the settings.
    pub(crate) fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let built = Self::new(self.schema, self.settings.clone(), self.forest).map_err(rule)?;
        let what = "its chains do not match the settings";
        let is_whole = self.chains.len() == built.chains.len()
            && self.blend.weights().len() == built.blend.weights().len();
        InvariantError::require(is_whole, "chains", what)?;
        for (chain, built) in self.chains.iter().zip(&built.chains) {
            chain.check(built)?;
        }
        self.columns.check(&built.columns)?;
        self.schedule.check(self.seen)?;
        self.ridge.check(self.schema.features())?;
        let first = self.samples();
        let ids = || first.ids().map(|id| first.arrival(id));
        let is_listed = ids().all(|arrival| self.columns.holds(arrival));
        InvariantError::require(is_listed, "columns", "a row that is held has none")?;
        for forest in self.forests() {
            let samples = forest.samples();
            let is_same = forest.samples_seen() == self.seen
                && forest.retention() == self.forest.retention
                && samples.ids().map(|id| samples.arrival(id)).eq(ids());
            let what = "they do not hold the same rows";
            InvariantError::require(is_same, "stages", what)?;
        }
        Ok(())
    }
}

/// Returns for each stage of each chain whether it is the first of its chain.
fn first_stages(chains: &[Chain]) -> Vec<bool> {
    let stages = chains.iter().flat_map(|chain| 0..chain.stages());
    stages.map(|stage| stage == 0).collect()
}

/// Builds the chains; those without trees are left out.
fn build_chains(
    schema: Schema<Regression>,
    settings: &ResidualSettings,
    forest: ForestSettings,
) -> Result<Vec<Chain>, SettingError> {
    let (mut first, mut built) = (0, Vec::new());
    for (chain, trees) in CHAINS.iter().zip(divide_trees(forest.trees)) {
        let all: usize = trees.iter().sum();
        if all > 0 {
            built.push(Chain::new(
                schema,
                settings,
                forest,
                (chain, &trees, first),
            )?);
        }
        first += all;
    }
    Ok(built)
}

#[cfg(test)]
mod tests;
