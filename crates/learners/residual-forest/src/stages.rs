//! Stages of chains, each of which learns the residuals of the weighted sum of those before it.

use dynamic_forest::{DynamicSettings, HonestForest};
use forest_core::{
    Batch, ForestSettings, OnlineLearner, Regression, Rows, SampleId, SampleStore, Schema,
    SettingError, threads,
};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use crate::settings::{CHAINS, divide_trees};
use crate::weights::{self, Known, Sums};
use crate::{ResidualForest, ResidualSettings};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stage {
    /// The first stage of its chain, among those of all chains.
    pub(crate) first: usize,
    /// `None`: the ridge regression.
    pub(crate) forest: Option<HonestForest>,
    /// The weights of the stages of its chain, up to itself: of the *partial chain* that ends with it.
    pub(crate) weights: Vec<f64>,
    /// How much its readings vary because few trees are read: sums, and the number of readings.
    pub(crate) noise: [f64; 2],
    /// The mean square of its targets, when the weights were fitted: that of the errors of the stages before.
    square: f64,
}

/// Working memory, which belongs to the thread: rows on their way through the stages.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// The mean of the targets before the rows.
    pub(crate) mean: f64,
    /// For each stage.
    pub(crate) columns: Vec<Column>,
    /// The targets of the next stage.
    residuals: Vec<f64>,
}

/// What a stage predicts for each row.
#[derive(Debug, Default)]
pub(crate) struct Column {
    /// That of the first stage of a chain minus the mean of the targets.
    pub(crate) stage: Vec<f64>,
    /// With the stages before it.
    pub(crate) partial: Vec<f64>,
}

/// A stored row whose columns are read again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stale {
    /// Its place among the rows that are known.
    pub(crate) row: usize,
    pub(crate) id: SampleId,
    pub(crate) target: f64,
    /// The mean of the other targets, and the prediction of the ridge regression without the row.
    pub(crate) mean: f64,
    pub(crate) ridge: f64,
}

/// Working memory for as many rows as are refreshed together where a window is small, so that a row allocates nothing.
pub(crate) type FewRows<V> = SmallVec<[V; 8]>;

/// A residual is replaced if it has moved by more than this share of the root mean square of all.
const MOVED: f64 = 0.5;

const LARGEST: f64 = Regression::LARGEST_TARGET;

impl Stage {
    /// Builds the stages of all chains; those without trees are left out.
    pub(crate) fn build(
        schema: Schema<Regression>,
        settings: &ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Vec<Self>, SettingError> {
        let (mut stages, mut tree) = (Vec::new(), 0);
        for (chain, trees) in CHAINS.iter().zip(divide_trees(forest.trees)) {
            let first = stages.len();
            if chain.has_ridge && trees.iter().any(|trees| *trees > 0) {
                stages.push(Self::new(first, first, None));
            }
            for (&side, trees) in chain.leaves.iter().zip(trees).filter(|stage| stage.1 > 0) {
                let settings = DynamicSettings {
                    min_samples_leaf: side,
                    thresholds: chain.thresholds,
                    ..settings.of_trees()
                };
                // As parts of one forest they draw from their own random streams and keep the same samples.
                let part = HonestForest::shard(schema, settings, forest, tree..tree + trees)?;
                stages.push(Self::new(first, stages.len(), Some(part)));
                tree += trees;
            }
        }
        Ok(stages)
    }

    pub(crate) fn new(first: usize, stage: usize, forest: Option<HonestForest>) -> Self {
        Self {
            first,
            forest,
            weights: vec![1.0; stage + 1 - first],
            noise: [0.0; 2],
            square: 0.0,
        }
    }

    /// Sets the weights, and what they follow from, to those before the first row.
    pub(crate) fn forget_weights(&mut self) {
        self.weights.fill(1.0);
        (self.noise, self.square) = ([0.0; 2], 0.0);
    }

    pub(crate) fn trees(&self) -> usize {
        self.forest.as_ref().map_or(0, |forest| forest.tree_count())
    }

    /// Returns whether it is one that would be built.
    pub(crate) fn is_shaped(&self, built: &Self) -> bool {
        let schema = |stage: &Self| stage.forest.as_ref().map(|forest| *forest.schema());
        let shape = |stage: &Self| (stage.trees(), stage.first, stage.weights.len());
        schema(self) == schema(built) && shape(self) == shape(built)
    }

    /// Predicts with the partial chain that ends with this stage, which has predicted, as those before it.
    fn mix(&self, mean: f64, columns: &mut [Column]) {
        let (columns, last) = (&mut columns[self.first..], self.weights.len() - 1);
        if last == 0 {
            columns[0].stage.iter_mut().for_each(|cell| *cell -= mean);
        }
        let mut partial = std::mem::take(&mut columns[last].partial);
        partial.clear();
        for row in 0..columns[last].stage.len() {
            let pairs = self.weights.iter().zip(&*columns);
            let sum: f64 = pairs
                .map(|(weight, column)| weight * column.stage[row])
                .sum();
            partial.push((mean + sum).clamp(-LARGEST, LARGEST));
        }
        columns[last].partial = partial;
    }

    /// Returns what this partial chain predicts for a stored row without it.
    fn partial(&self, row: &Stale, known: &Known) -> f64 {
        let (mut sum, cells) = (0.0, &known.cells[self.first..]);
        for (index, (&cell, weight)) in cells.iter().zip(&self.weights).enumerate() {
            let cell = if index == 0 { cell - row.mean } else { cell };
            sum += if cell.is_nan() { 0.0 } else { cell } * weight;
        }
        row.mean + sum
    }
}

/// Returns the samples of the first forest, which are those of all.
pub(crate) fn samples(stages: &[Stage]) -> &SampleStore<Regression> {
    let mut forests = stages.iter().filter_map(|stage| stage.forest.as_ref());
    forests.next().expect("a learner has trees").samples()
}

impl ResidualForest {
    /// Fills the table with the state before rows are predicted.
    fn begin(&self, rows: &Rows<'_>, table: &mut Table) {
        table.mean = self.target_mean.mean;
        let (columns, stages) = (&mut table.columns, self.stages.len());
        columns.resize_with(stages, Column::default);
        for (column, stage) in columns.iter_mut().zip(&self.stages) {
            column.stage.clear();
            if stage.forest.is_none() {
                let predictions = rows.iter().map(|x| self.ridge.predict(x));
                column.stage.extend(predictions);
            }
        }
    }

    /// Lets every stage predict the rows of a batch and learn the residuals of those before it.
    pub(crate) fn predict_stages_then_learn(
        &mut self,
        batch: &Batch<'_, Regression>,
        table: &mut Table,
    ) {
        self.begin(batch.rows(), table);
        // That of the first row, which could not be predicted, is 0.
        let is_first = self.target_mean.mass == 0.0;
        for (index, stage) in self.stages.iter_mut().enumerate() {
            if let Some(forest) = &mut stage.forest {
                let found = &mut table.residuals;
                found.clear();
                found.extend(batch.targets());
                if index > stage.first {
                    let partial = &table.columns[index - 1].partial;
                    for (target, partial) in found.iter_mut().zip(partial) {
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

    /// Predicts rows that are not learned.
    pub(crate) fn predict_stages(&self, rows: &Rows<'_>, table: &mut Table) {
        self.begin(rows, table);
        for (index, stage) in self.stages.iter().enumerate() {
            if let Some(forest) = &stage.forest {
                let found = &mut table.columns[index].stage;
                found.resize(rows.len(), 0.0);
                forest.predict_rows(rows, found);
            }
            stage.mix(table.mean, &mut table.columns);
        }
    }

    /// Reads the columns of stored rows again, and replaces the residuals that have moved.
    pub(crate) fn refresh_rows(&mut self, rows: &[Stale]) {
        for index in 0..self.stages.len() {
            let (before, stages) = self.stages.split_at_mut(index);
            let stage = &mut stages[0];
            let Some(forest) = &mut stage.forest else {
                for row in rows {
                    self.rows[row.row].cells[index] = row.ridge;
                }
                continue;
            };
            if index > stage.first {
                let least = MOVED * stage.square.sqrt();
                let mut moved = FewRows::new();
                for row in rows {
                    let partial = before[index - 1].partial(row, &self.rows[row.row]);
                    let residual = (row.target - partial).clamp(-LARGEST, LARGEST);
                    if (residual - forest.samples().target(row.id)).abs() > least {
                        moved.push((row.id, residual));
                    }
                }
                forest.retarget(&moved);
            }
            for (row, [count, mean, squares]) in rows.iter().zip(read(forest, rows)) {
                if count > 0.0 {
                    self.rows[row.row].cells[index] = mean;
                }
                if count > 1.0 {
                    let (variance, trees) = (squares / (count - 1.0), forest.trees().len() as f64);
                    stage.noise[0] += variance * (1.0 / count - 1.0 / trees);
                    stage.noise[1] += 1.0;
                }
            }
        }
    }

    /// Fits the weights of all partial chains, and their blend.
    pub(crate) fn fit_weights(&mut self, sums: &Sums) {
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
            weights::fit(weights, first, sums, &squares);
            let errors = weights::errors(sums, &[(first, &weights[..])]);
            square = errors.get(0, 0).max(0.0) / sums.rows;
        }
        let mut partial = Vec::new();
        for stage in &self.stages {
            partial.push((stage.first, &stage.weights[..]));
        }
        weights::fit_blend(&mut self.blend, &weights::errors(sums, &partial));
    }

    /// Returns for each stage the factor of its prediction in that of the learner.
    pub(crate) fn factors(&self) -> Vec<f64> {
        let mut factors = vec![0.0; self.stages.len()];
        for (share, stage) in self.blend.iter().zip(&self.stages) {
            for (factor, weight) in factors[stage.first..].iter_mut().zip(&stage.weights) {
                *factor += share * weight;
            }
        }
        factors
    }
}

/// Lets a forest predict each row, then learn it. A single row allocates nothing but its storage.
fn learn(forest: &mut HonestForest, batch: &Batch<'_, Regression>, found: &mut Vec<f64>) {
    if batch.len() == 1 {
        found.push(0.0);
        forest.predict_rows(batch.rows(), found);
        return forest.learn_batch(batch);
    }
    let predictions = forest.predict_then_learn_batch(batch);
    found.extend(predictions.iter().map(|prediction| prediction[0]));
}

/// Reads what the trees in which each row is silent predict for it without it: their number, their mean, and the sum of squared deviations from it.
fn read(forest: &HonestForest, rows: &[Stale]) -> FewRows<[f64; 3]> {
    let (samples, units) = (forest.samples(), rows.len() * forest.trees().len());
    let ids: FewRows<_> = rows.iter().map(|row| row.id).collect();
    let mut found: FewRows<[f64; 3]> = smallvec![[0.0; 3]; rows.len()];
    threads::fill_rows(found.as_flattened_mut(), 3, units, |first, share| {
        // Tree by tree, so that each is read into cache once.
        let (share, _) = share.as_chunks_mut::<3>();
        let ids = &ids[first..first + share.len()];
        for tree in forest.trees() {
            tree.left_out(ids, samples, |number, value| {
                let [count, mean, squares] = &mut share[number];
                *count += 1.0;
                let deviation = value - *mean;
                *mean += deviation / *count;
                *squares += deviation * (value - *mean);
            });
        }
    });
    found
}
