//! A chain: stages, each of which learns the residuals of the weighted sum of those before it.

use dynamic_forest::DynamicRegressor;
use forest_core::{
    Footprint, ForestSettings, InvariantError, OnlineLearner, Regression, Schema, SettingError,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::table::Table;
use crate::weights::StageWeights;
use crate::{ChainSettings, ResidualSettings, Start};

/// Why forests accept their input.
pub(crate) const SOUND: &str = "rows were checked, and residuals are targets";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Chain {
    /// Stages before the forests: 1 if the ridge regression comes first, else 0.
    ridge_stages: usize,
    pub(crate) forests: Vec<DynamicRegressor>,
    /// Weights of the first stage alone, of the first two, and so on: each is a *partial chain*.
    weights: Vec<StageWeights>,
}

impl Chain {
    /// Builds the chain whose forests have these numbers of trees, the first of which is tree `first` of all. Forests without trees are left
    /// out.
    pub(crate) fn new(
        schema: Schema<Regression>,
        settings: &ResidualSettings,
        forest: ForestSettings,
        (chain, trees, mut first): (&ChainSettings, &[usize], usize),
    ) -> Result<Self, SettingError> {
        let ridge_stages = usize::from(chain.start == Start::Ridge);
        let mut forests = Vec::new();
        for (stage, &trees) in trees.iter().enumerate().filter(|(_, trees)| **trees > 0) {
            // As parts of one forest they draw from their own random streams and keep the same samples.
            let part = first..first + trees;
            let of_stage = settings.of_stage(chain, stage);
            forests.push(DynamicRegressor::shard(schema, of_stage, forest, part)?);
            first += trees;
        }
        Ok(Self {
            weights: unlearned(ridge_stages + forests.len()),
            ridge_stages,
            forests,
        })
    }

    /// Resets the weights of stages to those before the first row.
    pub(crate) fn forget_weights(&mut self) {
        self.weights = unlearned(self.stages());
    }

    /// Returns the number of stages, which is that of partial chains.
    pub(crate) fn stages(&self) -> usize {
        self.weights.len()
    }

    /// Lets every stage predict the rows of `table` and learn the residuals of those before it. The columns from `first` on get the predictions
    /// of the partial chains for each row just before it is learned.
    pub(crate) fn predict_rows_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        (table, first): (&mut Table, usize),
        discount: f64,
    ) {
        for stage in 0..self.stages() {
            let column = first + stage;
            match stage.checked_sub(self.ridge_stages) {
                None => table.set_stage(column, |_, row| row.ridge - row.mean),
                Some(forest) => {
                    match stage {
                        0 => table.set_residuals_to_targets(),
                        _ => table.set_residuals(column - 1),
                    }
                    learn(&mut self.forests[forest], features, table);
                    table.set_stage_to_predictions(column, stage == 0);
                }
            }
            predict_then_update(&mut self.weights[stage], (table, first), discount);
        }
    }

    /// Predicts rows that are not learned, into the columns of `table` from `first` on.
    pub(crate) fn predict(
        &self,
        features: ArrayView2<'_, f32>,
        (table, first): (&mut Table, usize),
    ) {
        if self.ridge_stages > 0 {
            table.set_stage(first, |_, row| row.ridge - row.mean);
        }
        for (stage, forest) in (self.ridge_stages..).zip(&self.forests) {
            let predicted = forest.predict_into(features, &mut table.of_forest);
            predicted.expect(SOUND);
            table.set_stage_to_predictions(first + stage, stage == 0);
        }
        for weights in &self.weights {
            for row in 0..table.rows.len() {
                predict_partial(weights, (table, first), row);
            }
        }
    }

    /// Returns the factor of the prediction of the ridge regression, if the chain begins with it, and of that of each forest, if the blend gives these
    /// weights to the partial chains.
    pub(crate) fn factors(&self, blend: &[f64]) -> (Option<f64>, Vec<f64>) {
        let mut factors = vec![0.0; self.stages()];
        for (share, weights) in blend.iter().zip(&self.weights) {
            let pairs = factors.iter_mut().zip(weights.weights());
            pairs.for_each(|(factor, weight)| *factor += share * weight);
        }
        let of_forests = factors.split_off(self.ridge_stages);
        (factors.pop(), of_forests)
    }

    pub(crate) fn weights(&self) -> &[StageWeights] {
        &self.weights
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let forests = self.forests.iter().map(OnlineLearner::footprint);
        let weights: usize = self.weights.iter().map(StageWeights::bytes).sum();
        let stages = self.forests.capacity() * size_of::<DynamicRegressor>();
        let partial = self.weights.capacity() * size_of::<StageWeights>();
        let own = Footprint {
            bytes: weights + stages + partial,
            ..Footprint::default()
        };
        forests.sum::<Footprint>() + own
    }

    /// Checks it against the chain that would be built from the settings.
    pub(crate) fn check(&self, built: &Self) -> Result<(), InvariantError> {
        let frame = |chain: &Self| (chain.ridge_stages, chain.forests.len(), chain.weights.len());
        let what = "its stages do not match the settings";
        InvariantError::require(frame(self) == frame(built), "chain", what)?;
        for (stages, weights) in (1..).zip(&self.weights) {
            weights.check(stages)?;
        }
        for (forest, built) in self.forests.iter().zip(&built.forests) {
            let is_same = forest.settings() == built.settings()
                && forest.trees().len() == built.trees().len()
                && forest.schema() == built.schema();
            InvariantError::require(is_same, "stage", what)?;
            forest.check_invariants()?;
        }
        Ok(())
    }
}

/// Lets a forest predict each row, then learn its residual. A single row allocates nothing but its storage.
fn learn(forest: &mut DynamicRegressor, features: ArrayView2<'_, f32>, table: &mut Table) {
    if features.nrows() == 1 {
        let predicted = forest.predict_into(features, &mut table.of_forest);
        let learned = forest.learn(features, &table.residuals);
        return predicted.and(learned).expect(SOUND);
    }
    let predictions = forest.predict_then_learn(features, &table.residuals);
    table.of_forest.clear();
    let predictions = predictions.expect(SOUND);
    table
        .of_forest
        .extend(predictions.iter().map(|prediction| prediction[0]));
}

/// Predicts each row by a partial chain, then updates the weights of its stages by that row.
fn predict_then_update(
    weights: &mut StageWeights,
    (table, first): (&mut Table, usize),
    discount: f64,
) {
    for row in 0..table.rows.len() {
        predict_partial(weights, (table, first), row);
        if !table.rows[row].is_first {
            table.update_weights(row, first, weights, discount);
        }
    }
}

/// Returns the weights of the partial chains of a chain of `stages` stages, before the first row.
fn unlearned(stages: usize) -> Vec<StageWeights> {
    (1..=stages).map(StageWeights::new).collect()
}

fn predict_partial(weights: &StageWeights, (table, first): (&mut Table, usize), row: usize) {
    let sum = weights.sum(table.predictions(row, first, weights.stages()));
    let most = Regression::LARGEST_TARGET;
    let prediction = (table.rows[row].mean + sum).clamp(-most, most);
    table.set_partial(row, first + weights.stages() - 1, prediction);
}
