//! Chains of stages, each of which learns the residuals of the weighted sum of those before it.

use std::ops::Range;

use dynamic_forest::{DynamicSettings, HonestForest};
use forest_core::{
    Batch, ForestSettings, OnlineLearner, Regression, Rows, SampleId, SampleStore, Schema,
    SettingError, threads,
};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::fits::{self, KnownRow, Sums};
use super::ridge::{Ridge, TargetMean};
use crate::ResidualSettings;
use crate::settings::{CHAINS, divide_trees};

/// The stages of all chains, and everything else that predictions follow from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Chains {
    pub(super) target_mean: TargetMean,
    /// The first stage of the chains that have it.
    pub(super) ridge: Ridge,
    /// The stages of all chains, one chain after another.
    pub(super) stages: Vec<Stage>,
    /// The weights of partial chains, each of which ends with the stage of its index.
    pub(super) blend: Vec<f64>,
    /// The rows that are held, and some that are not held any more, in order of arrival.
    pub(super) rows: Vec<KnownRow>,
    /// For each row the prediction of each stage without the row; NaN where it is unknown.
    pub(super) cells: Vec<f64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stage {
    /// The index of the first stage of its chain.
    pub(super) first: usize,
    /// `None`: the ridge regression.
    pub(super) forest: Option<HonestForest>,
    /// The weights of the stages of its chain up to itself, the *partial chain* that ends with it.
    pub(super) weights: Vec<f64>,
    /// The variance of left-out predictions, of few trees, around that of all trees: the sum and number of estimates.
    noise: [f64; 2],
    /// The mean square of its targets when the weights were fitted: that of the errors of the stages before.
    pub(super) square: f64,
}

/// Working memory of a thread: the predictions for some rows.
#[derive(Debug, Default)]
pub(super) struct StageTable {
    /// The mean of the targets before these rows.
    pub(super) mean: f64,
    /// The predictions of each stage.
    pub(super) columns: Vec<Column>,
    residuals: Vec<f64>,
}

/// The predictions of a stage, a number for each row.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// Those of the stage alone; in the first stage of a chain minus the mean of the targets.
    pub(super) stage: Vec<f64>,
    /// Those of the partial chain that ends with the stage.
    pub(super) partial: Vec<f64>,
}

/// A stored row whose cells and residuals are updated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stale {
    /// Its index among the known rows.
    pub(super) row: usize,
    pub(super) id: SampleId,
}

/// A list that does not allocate for the number of rows that are refreshed together while few rows are held.
pub(super) type FewRows<V> = SmallVec<[V; 8]>;

/// A residual is replaced if it has changed by more than this share of the root mean square of all.
const CHANGED: f64 = 0.5;

const LARGEST: f64 = Regression::LARGEST_TARGET;

impl Stage {
    /// Builds the stages of all chains, except forests without trees.
    pub(super) fn build(
        schema: Schema<Regression>,
        settings: &ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Vec<Self>, SettingError> {
        let mut stages = Vec::new();
        let mut tree = 0;
        for (chain, trees) in CHAINS.iter().zip(divide_trees(forest.trees)) {
            let first = stages.len();
            if chain.has_ridge && trees.iter().any(|trees| *trees > 0) {
                stages.push(Self::new(first, first, None));
            }
            for (&min_samples_leaf, trees) in chain.leaves.iter().zip(trees) {
                if trees == 0 {
                    continue;
                }
                let settings = DynamicSettings {
                    min_samples_leaf,
                    thresholds: chain.thresholds,
                    ..settings.of_trees()
                };
                // As parts of one forest, stages have different random streams and hold the same samples.
                let part = HonestForest::shard(schema, settings, forest, tree..tree + trees)?;
                stages.push(Self::new(first, stages.len(), Some(part)));
                tree += trees;
            }
        }
        Ok(stages)
    }

    fn new(first: usize, stage: usize, forest: Option<HonestForest>) -> Self {
        Self {
            first,
            forest,
            weights: vec![1.0; stage + 1 - first],
            noise: [0.0; 2],
            square: 0.0,
        }
    }

    pub(super) fn trees(&self) -> usize {
        let forest = self.forest.as_ref();
        forest.map_or(0, |forest| forest.trees().len())
    }

    /// Returns whether the stage has the shape of one that was built.
    pub(super) fn is_shaped(&self, built: &Self) -> bool {
        let schema = |stage: &Self| stage.forest.as_ref().map(|forest| *forest.schema());
        schema(self) == schema(built)
            && self.trees() == built.trees()
            && self.first == built.first
            && self.weights.len() == built.weights.len()
    }

    /// Computes the predictions of this partial chain, ŷ = m + Σⱼ wⱼ p̃ⱼ, from those of its stages; `mean` is m.
    fn mix(&self, mean: f64, columns: &mut [Column]) {
        let columns = &mut columns[self.first..];
        let last = self.weights.len() - 1;
        if last == 0 {
            columns[0].stage.iter_mut().for_each(|cell| *cell -= mean);
        }
        let mut partial = std::mem::take(&mut columns[last].partial);
        partial.clear();
        for row in 0..columns[last].stage.len() {
            let weighted = self.weights.iter().zip(&*columns);
            let sum: f64 = weighted.map(|(w, column)| w * column.stage[row]).sum();
            partial.push((mean + sum).clamp(-LARGEST, LARGEST));
        }
        columns[last].partial = partial;
    }

    /// Returns the same for a stored row without it, from its `cells`; `mean` is that of the other targets.
    fn partial(&self, mean: f64, cells: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (index, (&cell, weight)) in cells[self.first..].iter().zip(&self.weights).enumerate() {
            let cell = if index == 0 { cell - mean } else { cell };
            sum += if cell.is_nan() { 0.0 } else { cell } * weight;
        }
        mean + sum
    }
}

impl Chains {
    pub(super) fn new(features: usize, stages: Vec<Stage>) -> Self {
        // Before the first row, the first partial chain predicts alone.
        let mut blend = vec![0.0; stages.len()];
        blend[0] = 1.0;
        Self {
            ridge: Ridge::new(features),
            target_mean: TargetMean::default(),
            blend,
            rows: Vec::new(),
            cells: Vec::new(),
            stages,
        }
    }

    /// Resets everything but the trees to the state before the first row.
    pub(super) fn reset(&mut self, features: usize) {
        let mut stages = std::mem::take(&mut self.stages);
        for stage in &mut stages {
            stage.weights.fill(1.0);
            stage.noise = [0.0; 2];
            stage.square = 0.0;
        }
        *self = Self::new(features, stages);
    }

    pub(super) fn forests(&self) -> impl Iterator<Item = &HonestForest> {
        self.stages.iter().filter_map(|stage| stage.forest.as_ref())
    }

    pub(super) fn forests_mut(&mut self) -> impl Iterator<Item = &mut HonestForest> {
        let stages = self.stages.iter_mut();
        stages.filter_map(|stage| stage.forest.as_mut())
    }

    /// Returns the samples, which are the same in all forests.
    pub(super) fn samples(&self) -> &SampleStore<Regression> {
        samples(&self.stages)
    }

    /// Lets the mean and the ridge regression learn the rows with these arrival numbers.
    pub(super) fn learn_shared(&mut self, arrivals: Range<u64>) {
        let samples = samples(&self.stages);
        for row in &self.rows[self.row_from(arrivals.start)..self.row_from(arrivals.end)] {
            if let Some(id) = samples.find(row.arrival) {
                self.target_mean.learn(row.target, row.weight);
                self.ridge
                    .learn(samples.features(id), row.target, row.weight);
            }
        }
        self.ridge.solve();
    }

    /// Drops the rows that are not held any more; returns whether there were any.
    pub(super) fn drop_rows(&mut self) -> bool {
        let rows = self.rows.len();
        let stages = self.stages.len();
        let mut kept = 0;
        for row in 0..rows {
            if self.samples().find(self.rows[row].arrival).is_some() {
                self.rows[kept] = self.rows[row];
                let cells = row * stages..(row + 1) * stages;
                self.cells.copy_within(cells, kept * stages);
                kept += 1;
            }
        }
        self.rows.truncate(kept);
        self.cells.truncate(kept * stages);
        kept < rows
    }

    /// Returns the index of the first row that arrived with this number or later.
    pub(super) fn row_from(&self, arrival: u64) -> usize {
        self.rows.partition_point(|row| row.arrival < arrival)
    }

    /// Returns the prediction for a row: the blend of all partial chains. It is relative to the mean of the targets, so
    /// that rounding does not change a prediction that all chains share.
    pub(super) fn blended(&self, table: &StageTable, row: usize) -> f64 {
        let mut above = 0.0;
        for (weight, column) in self.blend.iter().zip(&table.columns) {
            above += weight * (column.partial[row] - table.mean);
        }
        table.mean + above
    }

    /// Prepares the table for rows, with the predictions of the ridge regression.
    fn begin(&self, rows: &Rows<'_>, table: &mut StageTable) {
        table.mean = self.target_mean.mean;
        let stages = self.stages.len();
        table.columns.resize_with(stages, Column::default);
        for (column, stage) in table.columns.iter_mut().zip(&self.stages) {
            column.stage.clear();
            if stage.forest.is_none() {
                let predictions = rows.iter().map(|x| self.ridge.predict(x));
                column.stage.extend(predictions);
            }
        }
    }

    /// Lets every stage predict the rows of a batch and then learn the residuals of those before it.
    pub(super) fn predict_stages_then_learn(
        &mut self,
        batch: &Batch<'_, Regression>,
        table: &mut StageTable,
    ) {
        self.begin(batch.rows(), table);
        // The residuals of the first row, for which nothing was predicted, are 0.
        let is_first = self.target_mean.mass == 0.0;
        for (index, stage) in self.stages.iter_mut().enumerate() {
            if let Some(forest) = &mut stage.forest {
                let residuals = &mut table.residuals;
                residuals.clear();
                residuals.extend(batch.targets());
                if index > stage.first {
                    let partial = &table.columns[index - 1].partial;
                    for (target, partial) in residuals.iter_mut().zip(partial) {
                        let residual = (*target - partial).clamp(-LARGEST, LARGEST);
                        let is_known = !is_first && !residual.is_nan();
                        *target = if is_known { residual } else { 0.0 };
                    }
                }
                let batch = batch.with_targets(&table.residuals);
                learn(forest, &batch, &mut table.columns[index].stage);
            }
            stage.mix(table.mean, &mut table.columns);
        }
    }

    pub(super) fn predict_stages(&self, rows: &Rows<'_>, table: &mut StageTable) {
        self.begin(rows, table);
        for (index, stage) in self.stages.iter().enumerate() {
            if let Some(forest) = &stage.forest {
                let predictions = &mut table.columns[index].stage;
                predictions.resize(rows.len(), 0.0);
                forest.predict_rows(rows, predictions);
            }
            stage.mix(table.mean, &mut table.columns);
        }
    }

    /// Updates the cells of stored rows, and replaces the residuals that have changed.
    pub(super) fn refresh_rows(&mut self, rows: &[Stale]) {
        let count = self.stages.len();
        for index in 0..count {
            if self.stages[index].forest.is_none() {
                for &Stale { row, id } in rows {
                    let x = self.samples().features(id);
                    let KnownRow { target, weight, .. } = self.rows[row];
                    let prediction = self.ridge.predict_without(x, target, weight);
                    self.cells[row * count + index] = prediction;
                }
            }
            let (before, stages) = self.stages.split_at_mut(index);
            let stage = &mut stages[0];
            let Some(forest) = &mut stage.forest else {
                continue;
            };
            if index > stage.first {
                let least = CHANGED * stage.square.sqrt();
                let mut changed = FewRows::new();
                for &Stale { row, id } in rows {
                    let KnownRow { target, weight, .. } = self.rows[row];
                    let mean = self.target_mean.without(target, weight);
                    let cells = &self.cells[row * count..][..count];
                    let partial = before[index - 1].partial(mean, cells);
                    let residual = (target - partial).clamp(-LARGEST, LARGEST);
                    if (residual - forest.samples().target(id)).abs() > least {
                        changed.push((id, residual));
                    }
                }
                forest.retarget(&changed);
            }
            let trees = forest.trees().len() as f64;
            for (row, [silent, mean, squares]) in rows.iter().zip(left_out(forest, rows)) {
                if silent > 0.0 {
                    self.cells[row.row * count + index] = mean;
                }
                if silent > 1.0 {
                    let variance = squares / (silent - 1.0);
                    stage.noise[0] += variance * (1.0 / silent - 1.0 / trees);
                    stage.noise[1] += 1.0;
                }
            }
        }
    }

    /// Fits the weights of all partial chains, and their blend, to the first rows: those that the mean has learned.
    pub(super) fn fit(&mut self, rows: usize) {
        let first_stages: FewRows<usize> = self.stages.iter().map(|stage| stage.first).collect();
        let rows = &self.rows[..rows];
        let mut sums = Sums::new(rows, &self.cells, &first_stages, self.target_mean);
        for (index, stage) in self.stages.iter_mut().enumerate() {
            let [sum, count] = stage.noise;
            if count > 0.0 {
                sums.subtract_noise(index, sum / count);
            }
            // Older estimates count less.
            stage.noise = [sum / 2.0, count / 2.0];
        }
        if sums.rows == 0.0 {
            return;
        }
        let mut square = 0.0;
        for index in 0..self.stages.len() {
            let first = self.stages[index].first;
            if index == first {
                square = sums.of_target / sums.rows;
            }
            self.stages[index].square = square;
            let chain = self.stages[first..=index].iter();
            let squares: FewRows<f64> = chain.map(|stage| stage.square).collect();
            let weights = &mut self.stages[index].weights;
            fits::fit_weights(weights, first, &sums, &squares);
            let errors = fits::errors(&sums, &[(first, &weights[..])]);
            square = errors.get(0, 0).max(0.0) / sums.rows;
        }
        let mut partial = Vec::new();
        for stage in &self.stages {
            partial.push((stage.first, &stage.weights[..]));
        }
        fits::fit_blend(&mut self.blend, &fits::errors(&sums, &partial));
    }

    /// Returns the factor of the prediction of each stage in that of the learner.
    pub(super) fn factors(&self) -> Vec<f64> {
        let mut factors = vec![0.0; self.stages.len()];
        for (share, stage) in self.blend.iter().zip(&self.stages) {
            for (factor, weight) in factors[stage.first..].iter_mut().zip(&stage.weights) {
                *factor += share * weight;
            }
        }
        factors
    }

    /// Returns whether the state has the shape of one that was built for this number of features.
    pub(super) fn is_shaped(&self, built: &Self, features: usize) -> bool {
        let mut pairs = self.stages.iter().zip(&built.stages);
        self.stages.len() == built.stages.len()
            && self.blend.len() == built.blend.len()
            && pairs.all(|(stage, built)| stage.is_shaped(built))
            && self.rows.is_sorted_by(|a, b| a.arrival < b.arrival)
            && Some(self.cells.len()) == self.rows.len().checked_mul(self.stages.len())
            && self.ridge.is_shaped(features)
    }
}

fn samples(stages: &[Stage]) -> &SampleStore<Regression> {
    let mut forests = stages.iter().filter_map(|stage| stage.forest.as_ref());
    forests.next().expect("a learner has trees").samples()
}

/// Lets a forest predict each row, then learn it; appends the predictions. A single row allocates only its storage.
fn learn(forest: &mut HonestForest, batch: &Batch<'_, Regression>, predictions: &mut Vec<f64>) {
    if batch.len() == 1 {
        predictions.push(0.0);
        forest.predict_rows(batch.rows(), predictions);
        return forest.learn_batch(batch);
    }
    let rows = forest.predict_then_learn_batch(batch);
    predictions.extend(rows.iter().map(|prediction| prediction[0]));
}

/// Returns, for each row, the predictions of trees in which it is silent: number, mean, sum of squared deviations.
fn left_out(forest: &HonestForest, rows: &[Stale]) -> FewRows<[f64; 3]> {
    let ids: FewRows<_> = rows.iter().map(|row| row.id).collect();
    let mut found: FewRows<[f64; 3]> = smallvec![[0.0; 3]; rows.len()];
    let units = rows.len() * forest.trees().len();
    threads::fill_rows(found.as_flattened_mut(), 3, units, |first, share| {
        let (share, _) = share.as_chunks_mut::<3>();
        let ids = &ids[first..first + share.len()];
        // Tree by tree, so that each is read into cache once.
        for tree in forest.trees() {
            tree.left_out(ids, forest.samples(), |row, value| {
                let [count, mean, squares] = &mut share[row];
                *count += 1.0;
                let deviation = value - *mean;
                *mean += deviation / *count;
                *squares += deviation * (value - *mean);
            });
        }
    });
    found
}
