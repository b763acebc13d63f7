//! The two mixtures of classes, softmax regressions on a few columns: one of all rows, whose weights are fitted to rows
//! that are left out, and one for the next row of a stream.

use dynamic_forest::{ReadingForest, ReadingTree, left_out};
use forest_core::{ForestSettings, OnlineLearner, Retention, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use super::discriminant::{Linear, Quadratic};
use super::moments::{LeftOut, Moments, own};
use crate::algebra::{Few, Symmetric, solve};

/// The number of readings of a forest.
pub(super) const SIZES: usize = ReadingTree::SIZES.len();

/// The number of columns of the mixture of all rows: the readings of the forest, the linear and the quadratic function.
pub(super) const COLUMNS: usize = SIZES + 2;

/// The weight of the shares of the classes that are mixed with frequencies, so that logarithms are finite.
const SHARE_OF_PRIOR: f64 = 0.01;

/// Returns the logarithm of the frequency of a class that has this share of the rows.
pub(super) fn log_frequency(frequency: f64, share: f64) -> f64 {
    libm::log((frequency + SHARE_OF_PRIOR * share) / (1.0 + SHARE_OF_PRIOR))
}

/// Appends the logarithms of the readings of a forest, a row of classes for each size of node.
pub(super) fn add_log_frequencies(readings: &[f64], shares: &[f64], columns: &mut Vec<f64>) {
    let cells = readings.iter().zip(shares.iter().cycle());
    columns.extend(cells.map(|(&p, &share)| log_frequency(p, share)));
}

/// One row of a mixture: its columns, one after another, with a cell for each class, and the prediction.
#[derive(Debug, Default)]
pub(super) struct Mixed {
    pub(super) columns: Vec<f64>,
    pub(super) probabilities: Vec<f64>,
}

/// The mixture of all rows: softmax(Σⱼ aⱼ cⱼ), with columns c of readings and scores of the discriminant functions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Mixture {
    linear: Linear,
    quadratic: Quadratic,
    /// The weights a.
    pub(super) weights: Vec<f64>,
}

/// With fewer rows that are left out the weights are not fitted.
const FEWEST_LEFT_OUT: usize = 8;

/// The factor of the prior of the weights of the discriminant functions.
const FIRMNESS_OF_FUNCTIONS: f64 = 3.0;

/// The number of steps of Newton's method in a fit; more if there are few rows: the last weights are a worse start.
const STEPS: usize = 2;
const STEPS_OF_FEW: usize = 8;
const FEW: usize = 200;

impl Mixture {
    /// Returns a₀, to which the prior draws the weights, for this number of rows: plain trees, which are read in part
    /// at larger nodes if there are many rows, without the discriminant functions.
    pub(super) fn starting(rows: usize) -> Self {
        let mut weights = vec![0.0; COLUMNS];
        let larger = ReadingTree::SIZES[1..].iter();
        let large = larger.filter(|&&size| 30 * size as usize <= rows).count();
        if large == 0 {
            weights[0] = 1.0;
        } else {
            weights[0] = 0.6;
            weights[1..=large].fill(0.4 / large as f64);
        }
        Self {
            linear: Linear::default(),
            quadratic: Quadratic::default(),
            weights,
        }
    }

    /// Predicts a row from its readings; `shares` are those of the classes.
    pub(super) fn predict(&self, x: &[f32], readings: &[f64], shares: &[f64], mixed: &mut Mixed) {
        let (columns, classes) = (&mut mixed.columns, shares.len());
        columns.clear();
        add_log_frequencies(readings, shares, columns);
        self.linear.add_scores(x, classes, columns);
        self.quadratic.add_scores(x, classes, columns);
        softmax(&self.weights, columns, classes, &mut mixed.probabilities);
    }

    /// Solves for the functions, and fits the weights to the silent rows `ids`, each left out of its own columns.
    pub(super) fn fit(&mut self, forest: &ReadingForest, moments: &Moments, ids: &[SampleId]) {
        let (store, classes) = (forest.samples(), forest.schema().width());
        let start = Self::starting(store.len());
        if ids.len() < FEWEST_LEFT_OUT {
            *self = start;
            return;
        }
        let (linear, inverse) = Linear::solve(moments);
        (self.linear, self.quadratic) = (linear, Quadratic::solve(moments));
        let (mut readings, mut shares, mut table) = (Vec::new(), Vec::new(), Table::new(classes));
        left_out(forest, ids, &mut readings);
        for (readings, &id) in readings.chunks_exact(SIZES * classes).zip(ids) {
            let row = LeftOut {
                moments,
                x: store.features(id),
                own: own(store, id),
                classes,
            };
            moments.shares(classes, Some(row.own), &mut shares);
            add_log_frequencies(readings, &shares, &mut table.cells);
            self.linear.add_without(row, &inverse, &mut table.cells);
            self.quadratic.add_without(row, &mut table.cells);
            table.targets.push(row.own.class as u32);
            table.masses.push(row.own.weight);
        }
        let mut firmness = [1.0; COLUMNS];
        firmness[SIZES..].fill(FIRMNESS_OF_FUNCTIONS);
        let steps = if store.len() < FEW {
            STEPS_OF_FEW
        } else {
            STEPS
        };
        table.fit(&start.weights, &firmness, steps, &mut self.weights);
    }

    pub(super) fn bytes(&self) -> usize {
        self.linear.bytes() + self.quadratic.bytes()
    }

    pub(super) fn is_shaped(&self, features: usize, classes: usize) -> bool {
        self.weights.len() == COLUMNS
            && self.linear.is_shaped(features, classes)
            && self.quadratic.is_shaped(features, classes)
    }
}

/// Overwrites `scores` with probabilities in proportion to the exponentials of the weighted sums of columns.
pub(super) fn softmax(weights: &[f64], columns: &[f64], classes: usize, scores: &mut Vec<f64>) {
    scores.clear();
    scores.resize(classes, 0.0);
    for (weight, column) in weights.iter().zip(columns.chunks_exact(classes.max(1))) {
        for (score, cell) in scores.iter_mut().zip(column) {
            *score += weight * cell;
        }
    }
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter_mut()
        .for_each(|score| *score = libm::exp(*score - largest));
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// Returns the loss of probabilities q for a row of class `target`: −ln q(target), times the weight of the row.
fn loss_of(q: &[f64], target: usize, mass: f64) -> f64 {
    -mass * libm::log(q[target].max(f64::MIN_POSITIVE))
}

/// Adds to `hessian` the second derivatives of −ln q for a row, Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, times its weight; returns c̄
/// = Σₖ qₖ cₖ. Classes with a probability of `least` or less are left out.
fn add_row(columns: &[f64], q: &[f64], mass: f64, least: f64, hessian: &mut Symmetric) -> Few {
    let columns = || columns.chunks_exact(q.len());
    let mean = |column: &[f64]| column.iter().zip(q).map(|(cell, q)| cell * q).sum();
    let means: Few = columns().map(mean).collect();
    let mut centred = Few::new();
    for (class, &q) in q.iter().enumerate().filter(|(_, q)| **q > least) {
        centred.clear();
        let pairs = columns().zip(&means);
        centred.extend(pairs.map(|(column, mean)| column[class] - mean));
        hessian.add(mass * q, &centred);
    }
    means
}

/// Rows that were left out: their columns, classes and weights.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) classes: usize,
    /// Row after row, column after column, a cell for each class.
    pub(super) cells: Vec<f64>,
    pub(super) targets: Vec<u32>,
    pub(super) masses: Vec<f64>,
}

/// The precision of the prior of a weight for a column of variance 1: this, plus [`PRIOR_OF_FEW`] / Σ weights of rows.
const PRIOR: f64 = 1.0;
const PRIOR_OF_FEW: f64 = 300.0;

/// The number of times that a step that raises the loss is halved, at most.
const HALVINGS: usize = 8;

/// Classes with at most this probability are left out of second derivatives, to which they add little.
const LEAST: f64 = 1e-6;

impl Table {
    pub(super) fn new(classes: usize) -> Self {
        Self {
            classes,
            ..Self::default()
        }
    }

    fn rows(&self) -> impl Iterator<Item = (&[f64], usize, f64)> {
        let width = self.cells.len() / self.targets.len();
        let rows = self.cells.chunks_exact(width);
        let pairs = rows.zip(self.targets.iter().zip(&self.masses));
        pairs.map(|(row, (&target, &mass))| (row, target as usize, mass))
    }

    /// Returns the precision λ of the prior of each weight: `firmness` times the mean variance of its column.
    fn precisions(&self, firmness: &[f64]) -> Vec<f64> {
        let (mut precisions, classes) = (vec![0.0; firmness.len()], self.classes as f64);
        let all: f64 = self.masses.iter().sum();
        for (row, _, mass) in self.rows() {
            for (sum, cells) in precisions.iter_mut().zip(row.chunks_exact(self.classes)) {
                let mean = cells.iter().sum::<f64>() / classes;
                let squares: f64 = cells.iter().map(|cell| (cell - mean).powi(2)).sum();
                *sum += mass * squares / classes;
            }
        }
        let by = PRIOR + PRIOR_OF_FEW / all;
        for (sum, firmness) in precisions.iter_mut().zip(firmness) {
            *sum = by * firmness * (*sum / all);
        }
        precisions
    }

    /// Improves weights a by `steps` steps of Newton's method, which minimises the sum over the rows of −ln q(y), plus
    /// ½ Σ λ (a − a₀)²; a₀ is `start`, and λ is proportional to `firmness`.
    pub(super) fn fit(&self, start: &[f64], firmness: &[f64], steps: usize, weights: &mut [f64]) {
        let (precisions, mut q) = (self.precisions(firmness), Vec::new());
        let prior = |weights: &[f64]| -> f64 {
            let pairs = weights.iter().zip(start).zip(&precisions);
            pairs.map(|((a, b), by)| 0.5 * by * (a - b).powi(2)).sum()
        };
        for _ in 0..steps {
            let (mut hessian, mut least) = (Symmetric::zero(weights.len()), prior(weights));
            let pairs = weights.iter().zip(start).zip(&precisions);
            let mut step: Vec<f64> = pairs.map(|((a, b), by)| by * (b - a)).collect();
            for (row, target, mass) in self.rows() {
                softmax(weights, row, self.classes, &mut q);
                least += loss_of(&q, target, mass);
                let means = add_row(row, &q, mass, LEAST, &mut hessian);
                let columns = row.chunks_exact(self.classes).zip(means);
                for (cell, (column, mean)) in step.iter_mut().zip(columns) {
                    *cell += mass * (column[target] - mean);
                }
            }
            solve(&hessian, |column| precisions[column], &mut step);
            let (before, mut length, mut loss) = (weights.to_vec(), 1.0, f64::INFINITY);
            for _ in 0..HALVINGS {
                for (weight, (a, step)) in weights.iter_mut().zip(before.iter().zip(&step)) {
                    *weight = a + length * step;
                }
                loss = prior(weights);
                for (row, target, mass) in self.rows() {
                    softmax(weights, row, self.classes, &mut q);
                    loss += loss_of(&q, target, mass);
                }
                if loss <= least {
                    break;
                }
                length /= 2.0;
            }
            if loss > least || loss.is_nan() {
                return weights.copy_from_slice(&before);
            }
        }
    }
}

/// The mixture for the next row of a stream. Its columns c are the prediction from all rows, the readings of small
/// forests on windows of the latest rows, and the last class. It does not influence the mixture of all rows.
///
/// Its weights a take a step of Newton's method a row. After a row of class y that was predicted with probabilities q,
///
/// ```text
/// H ← γ H + Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ
/// a ← a + (H + λ I)⁻¹ [c_y − c̄ + λ (1 − γ) (a₀ − a)]
/// ```
///
/// where a₀ is 1 for the first column and 0 for the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    last: Option<u32>,
    hessian: Symmetric,
    pub(super) weights: Vec<f64>,
}

/// λ, the precision of the prior of the weights.
const PRIOR_OF_RECENT: f64 = 10.0;

/// γ: the weights follow some 500 rows.
pub(super) const DISCOUNT: f64 = 0.998;

/// The least probability in the logarithm of a prediction.
const FLOOR: f64 = 1e-6;

/// A forest on a window has a tenth of the trees, and at least this many.
const FEWEST_TREES: usize = 5;

/// Returns the settings of the forest on window `index`, of this many rows, from those of the forest of all rows.
pub(super) fn on_window(forest: ForestSettings, index: usize, rows: usize) -> ForestSettings {
    let rows = match forest.retention {
        Retention::Latest(all) => all.min(rows),
        Retention::Everything => rows,
    };
    // The random streams after those of the trees of all rows.
    let seed = TreeRng::new(forest.seed, forest.trees + index).bits();
    let trees = (forest.trees / 10).max(FEWEST_TREES);
    let small = forest.with_trees(trees).with_seed(seed);
    small.with_retention(Retention::Latest(rows))
}

/// Returns the number of columns: the prediction from all rows, the readings of each window, and the last class.
fn columns(windows: usize) -> usize {
    2 + windows * SIZES
}

impl Recent {
    /// Returns a mixture with the weights a₀.
    pub(super) fn new(windows: usize) -> Self {
        let columns = columns(windows);
        let mut weights = vec![0.0; columns];
        weights[0] = 1.0;
        Self {
            last: None,
            hessian: Symmetric::zero(columns),
            weights,
        }
    }

    /// Predicts a row from the prediction of the mixture of all rows and the readings of each window.
    pub(super) fn predict<'a>(
        &self,
        probabilities: &[f64],
        readings: impl Iterator<Item = &'a [f64]>,
        shares: &[f64],
        mixed: &mut Mixed,
    ) {
        let (columns, classes) = (&mut mixed.columns, shares.len());
        columns.clear();
        let floored = |p: &f64| libm::log((p + FLOOR) / (1.0 + FLOOR * classes as f64));
        columns.extend(probabilities.iter().map(floored));
        readings.for_each(|readings| add_log_frequencies(readings, shares, columns));
        for (class, &share) in shares.iter().enumerate() {
            let is_last = |last| f64::from(u8::from(last as usize == class));
            columns.push(log_frequency(self.last.map_or(share, is_last), share));
        }
        softmax(&self.weights, columns, classes, &mut mixed.probabilities);
    }

    /// Learns the class of a row that has just been predicted; one that was unknown then changes no weight.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32) {
        self.last = Some(target);
        let (columns, q, target) = (&mixed.columns, &mixed.probabilities, target as usize);
        if target >= q.len() {
            return;
        }
        self.hessian.scale(DISCOUNT);
        let means = add_row(columns, q, 1.0, 0.0, &mut self.hessian);
        let mut step = Few::new();
        for (column, (cells, mean)) in columns.chunks_exact(q.len()).zip(&means).enumerate() {
            let start = if column == 0 { 1.0 } else { 0.0 };
            let drawn = PRIOR_OF_RECENT * (1.0 - DISCOUNT) * (start - self.weights[column]);
            step.push(cells[target] - mean + drawn);
        }
        solve(&self.hessian, |_| PRIOR_OF_RECENT, &mut step);
        for (weight, change) in self.weights.iter_mut().zip(step) {
            *weight += change;
        }
    }

    pub(super) fn is_shaped(&self, windows: usize) -> bool {
        let columns = columns(windows);
        self.hessian.is_like(&Symmetric::zero(columns)) && self.weights.len() == columns
    }
}
