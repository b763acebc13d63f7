//! A chain: stages, each of which learns the residuals of the weighted sum of those before it.

use dynamic_forest::HonestForest;
use forest_core::{
    Footprint, ForestSettings, InvariantError, OnlineLearner, Regression, SampleId, Schema,
    SettingError, threads,
};
use ndarray::{ArrayView2, s};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use crate::ResidualSettings;
use crate::columns::{Columns, Sums};
use crate::settings::ChainSettings;
use crate::table::Table;
use crate::weights;

/// Why forests accept their input.
pub(crate) const SOUND: &str = "rows were checked, and residuals are targets";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Chain {
    /// Stages before the forests: 1 if the ridge regression comes first, else 0.
    ridge_stages: usize,
    pub(crate) forests: Vec<HonestForest>,
    /// Weights of the first stage alone, of the first two, and so on: each is a *partial chain*.
    weights: Vec<Vec<f64>>,
    /// The mean square of the targets of each stage, when the weights were fitted: that of the errors of the stages before.
    squares: Vec<f64>,
}

/// A stored row whose columns are read again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stale {
    /// Its place among the columns.
    pub(crate) row: usize,
    pub(crate) id: SampleId,
    pub(crate) target: f64,
    /// The mean of the other targets, and the prediction of the ridge regression without the row.
    pub(crate) mean: f64,
    pub(crate) ridge: f64,
}

/// Working memory for as many rows as are refreshed together where a window is small, so that a row allocates nothing.
pub(crate) type Few<V> = SmallVec<[V; 8]>;

/// A residual is replaced if it has moved by more than this share of the root mean square of all.
const MOVED: f64 = 0.5;

impl Chain {
    /// Builds the chain whose forests have these numbers of trees, the first of which is tree `first` of all. Forests without trees are left
    /// out.
    pub(crate) fn new(
        schema: Schema<Regression>,
        settings: &ResidualSettings,
        forest: ForestSettings,
        (chain, trees, mut first): (&ChainSettings, &[usize], usize),
    ) -> Result<Self, SettingError> {
        let ridge_stages = usize::from(chain.has_ridge);
        let mut forests = Vec::new();
        for (stage, &trees) in trees.iter().enumerate().filter(|(_, trees)| **trees > 0) {
            // As parts of one forest they draw from their own random streams and keep the same samples.
            let part = first..first + trees;
            let of_stage = settings.of_stage(chain, stage);
            forests.push(HonestForest::shard(schema, of_stage, forest, part)?);
            first += trees;
        }
        Ok(Self {
            weights: unlearned(ridge_stages + forests.len()),
            squares: vec![0.0; ridge_stages + forests.len()],
            ridge_stages,
            forests,
        })
    }

    /// Resets the weights of stages to those before the first row.
    pub(crate) fn forget_weights(&mut self) {
        self.weights = unlearned(self.stages());
        self.squares.fill(0.0);
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
        weights: Option<&[f64]>,
        (table, first): (&mut Table, usize),
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
                    learn(&mut self.forests[forest], features, weights, table);
                    table.set_stage_to_predictions(column, stage == 0);
                }
            }
            predict_partial(&self.weights[stage], (table, first));
        }
    }

    /// Reads the columns of stored rows again, which begin at `first`, and replaces the residuals that have moved.
    pub(crate) fn refresh(&mut self, rows: &[Stale], (columns, first): (&mut Columns, usize)) {
        for stage in 0..self.stages() {
            let column = first + stage;
            let Some(forest) = stage.checked_sub(self.ridge_stages) else {
                rows.iter()
                    .for_each(|row| columns.set(row.row, column, row.ridge));
                continue;
            };
            if stage > 0 {
                let least = MOVED * self.squares[stage].sqrt();
                let partial = |row: &Stale| self.partial(row, stage - 1, columns, first);
                let changes = residuals(&self.forests[forest], rows, partial, least);
                self.forests[forest].retarget(&changes);
            }
            read(&self.forests[forest], rows, (columns, column));
        }
    }

    /// Returns what the first stages, up to one, predict for a stored row without it.
    fn partial(&self, row: &Stale, stage: usize, columns: &Columns, first: usize) -> f64 {
        let cells = &columns.row(row.row)[first..=first + stage];
        let relative = cells.iter().enumerate().map(|(stage, cell)| {
            let cell = if stage == 0 { cell - row.mean } else { *cell };
            if cell.is_nan() { 0.0 } else { cell }
        });
        let pairs = relative.zip(&self.weights[stage]);
        row.mean + pairs.map(|(cell, weight)| cell * weight).sum::<f64>()
    }

    /// Fits the weights of all partial chains, whose columns begin at `first`.
    pub(crate) fn fit(&mut self, first: usize, sums: &Sums) {
        let mut square = sums.of_target / sums.rows;
        for (weights, target) in self.weights.iter_mut().zip(0..) {
            self.squares[target] = square;
            weights::fit(weights, first, sums, &self.squares);
            let errors = weights::errors(sums, &[(first, weights.as_slice())]);
            square = errors.get(0, 0).max(0.0) / sums.rows;
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
            predict_partial(weights, (table, first));
        }
    }

    /// Returns the factor of the prediction of the ridge regression, if the chain begins with it, and of that of each forest, if the blend gives these
    /// weights to the partial chains.
    pub(crate) fn factors(&self, blend: &[f64]) -> (Option<f64>, Vec<f64>) {
        let mut factors = vec![0.0; self.stages()];
        for (share, weights) in blend.iter().zip(&self.weights) {
            let pairs = factors.iter_mut().zip(weights);
            pairs.for_each(|(factor, weight)| *factor += share * weight);
        }
        let of_forests = factors.split_off(self.ridge_stages);
        (factors.pop(), of_forests)
    }

    pub(crate) fn weights(&self) -> &[Vec<f64>] {
        &self.weights
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let forests = self.forests.iter().map(OnlineLearner::footprint);
        let weights: usize = self.weights.iter().map(Vec::capacity).sum();
        let weights = (weights + self.squares.capacity()) * size_of::<f64>();
        let stages = self.forests.capacity() * size_of::<HonestForest>();
        let partial = self.weights.capacity() * size_of::<Vec<f64>>();
        let own = Footprint {
            bytes: weights + stages + partial,
            ..Footprint::default()
        };
        forests.sum::<Footprint>() + own
    }

    /// Checks it against the chain that would be built from the settings.
    pub(crate) fn check(&self, built: &Self) -> Result<(), InvariantError> {
        let what = "its stages do not match the settings";
        let lengths = |chain: &Self| chain.weights.iter().map(Vec::len).collect::<Vec<_>>();
        let is_shaped = self.ridge_stages == built.ridge_stages
            && self.forests.len() == built.forests.len()
            && lengths(self) == lengths(built)
            && self.squares.len() == self.stages();
        InvariantError::require(is_shaped, "chain", what)?;
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
fn learn(
    forest: &mut HonestForest,
    features: ArrayView2<'_, f32>,
    weights: Option<&[f64]>,
    table: &mut Table,
) {
    if let Some(weights) = weights {
        return learn_weighted(forest, features, weights, table);
    }
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

/// Does the same row by row.
fn learn_weighted(
    forest: &mut HonestForest,
    features: ArrayView2<'_, f32>,
    weights: &[f64],
    table: &mut Table,
) {
    let (mut prediction, mut predictions) = (Vec::new(), Vec::with_capacity(weights.len()));
    for row in 0..weights.len() {
        let (x, one) = (features.slice(s![row..=row, ..]), row..=row);
        let predicted = forest.predict_into(x, &mut prediction);
        let learned = forest.learn_weighted(x, &table.residuals[one.clone()], &weights[one]);
        predicted.and(learned).expect(SOUND);
        predictions.extend(&prediction);
    }
    table.of_forest = predictions;
}

/// Returns the residuals of stored rows that have moved by more than `least`.
fn residuals(
    forest: &HonestForest,
    rows: &[Stale],
    partial: impl Fn(&Stale) -> f64,
    least: f64,
) -> Few<(SampleId, f64)> {
    let most = Regression::LARGEST_TARGET;
    let all = rows
        .iter()
        .map(|row| (row.id, (row.target - partial(row)).clamp(-most, most)));
    let moved =
        |&(id, residual): &(SampleId, f64)| (residual - forest.samples().target(id)).abs() > least;
    all.filter(moved).collect()
}

/// Reads what the trees in which each row is silent predict for it without it.
fn read(forest: &HonestForest, rows: &[Stale], (columns, column): (&mut Columns, usize)) {
    const WIDTH: usize = 3;
    let (samples, trees) = (forest.samples(), forest.trees().len());
    let ids: Few<_> = rows.iter().map(|row| row.id).collect();
    let mut found: SmallVec<[f64; 8 * WIDTH]> = smallvec![0.0; rows.len() * WIDTH];
    threads::fill_rows(&mut found, WIDTH, rows.len() * trees, |first, share| {
        // Tree by tree, so that each is read into cache once.
        for tree in forest.trees() {
            let ids = &ids[first..first + share.len() / WIDTH];
            tree.left_out(ids, samples, |number, value| {
                let moments = &mut share[number * WIDTH..][..WIDTH];
                moments[0] += 1.0;
                let deviation = value - moments[1];
                moments[1] += deviation / moments[0];
                moments[2] += deviation * (value - moments[1]);
            });
        }
    });
    for (row, moments) in rows.iter().zip(found.chunks_exact(WIDTH)) {
        let [count, mean, squares] = [moments[0], moments[1], moments[2]];
        if count > 0.0 {
            columns.set(row.row, column, mean);
        }
        if count > 1.0 {
            let variance = squares / (count - 1.0);
            columns.note_noise(column, variance * (1.0 / count - 1.0 / trees as f64));
        }
    }
}

/// Returns the weights of the partial chains of a chain of `stages` stages, before the first row.
fn unlearned(stages: usize) -> Vec<Vec<f64>> {
    (1..=stages).map(|stages| vec![1.0; stages]).collect()
}

fn predict_partial(weights: &[f64], (table, first): (&mut Table, usize)) {
    let most = Regression::LARGEST_TARGET;
    for row in 0..table.rows.len() {
        let pairs = weights
            .iter()
            .zip(table.predictions(row, first, weights.len()));
        let sum: f64 = pairs.map(|(weight, prediction)| weight * prediction).sum();
        let prediction = (table.rows[row].mean + sum).clamp(-most, most);
        table.set_partial(row, first + weights.len() - 1, prediction);
    }
}
