//! The two mixtures of classes, softmax regressions on a few columns: one of all rows, whose weights are fitted to rows
//! that are left out, and one for the next row of a stream.

use dynamic_forest::{ReadingForest, ReadingTree, left_out};
use forest_core::{ForestSettings, OnlineLearner, Retention, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use super::discriminant::{Linear, Quadratic};
use super::moments::{Label, LeftOut, Moments};
use crate::algebra::{Few, Symmetric, solve};

/// The number of readings of a forest.
pub(super) const SIZES: usize = ReadingTree::SIZES.len();

/// The number of columns of the mixture of all rows: the readings of the forest, the linear and the quadratic function.
pub(super) const COLUMNS: usize = SIZES + 2;

/// The weight of the shares of the classes that are mixed with frequencies, so that logarithms are finite.
const SHARE_OF_PRIOR: f64 = 0.01;

/// Returns ln((p + π / 100) / 1.01) for the frequency p of a class whose share of all rows is π.
pub(super) fn log_frequency(p: f64, share: f64) -> f64 {
    libm::log((p + SHARE_OF_PRIOR * share) / (1.0 + SHARE_OF_PRIOR))
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
        let is_read = |size: &&u32| 30 * **size as usize <= rows;
        let larger = ReadingTree::SIZES[1..].iter().filter(is_read).count();
        let mut weights = vec![0.0; COLUMNS];
        if larger == 0 {
            weights[0] = 1.0;
        } else {
            weights[0] = 0.6;
            weights[1..=larger].fill(0.4 / larger as f64);
        }
        Self {
            linear: Linear::default(),
            quadratic: Quadratic::default(),
            weights,
        }
    }

    /// Predicts a row from its readings; `shares` are those of the classes.
    pub(super) fn predict(&self, x: &[f32], readings: &[f64], shares: &[f64], mixed: &mut Mixed) {
        let classes = shares.len();
        let columns = &mut mixed.columns;
        columns.clear();
        add_log_frequencies(readings, shares, columns);
        self.linear.add_scores(x, classes, columns);
        self.quadratic.add_scores(x, classes, columns);
        softmax(&self.weights, columns, classes, &mut mixed.probabilities);
    }

    /// Solves for the functions, and fits the weights to the silent rows `ids`, each left out of its own columns.
    pub(super) fn fit(&mut self, forest: &ReadingForest, moments: &Moments, ids: &[SampleId]) {
        let store = forest.samples();
        let start = Self::starting(store.len());
        if ids.len() < FEWEST_LEFT_OUT {
            *self = start;
            return;
        }
        let (linear, inverse) = Linear::solve(moments);
        self.linear = linear;
        self.quadratic = Quadratic::solve(moments);
        let mut readings = Vec::new();
        left_out(forest, ids, &mut readings);
        let classes = forest.schema().width();
        let mut table = Table::new(classes);
        let mut shares = Vec::new();
        for (readings, &id) in readings.chunks_exact(SIZES * classes).zip(ids) {
            let label = Label::stored(store, id);
            let row = LeftOut {
                moments,
                x: store.features(id),
                label,
                classes,
            };
            moments.shares(classes, Some(label), &mut shares);
            add_log_frequencies(readings, &shares, &mut table.cells);
            self.linear.add_without(row, &inverse, &mut table.cells);
            self.quadratic.add_without(row, &mut table.cells);
            table.labels.push(label);
        }
        let mut firmness = [1.0; COLUMNS];
        firmness[SIZES..].fill(FIRMNESS_OF_FUNCTIONS);
        let prior = table.prior(&start.weights, &firmness);
        let is_few = store.len() < FEW;
        let steps = if is_few { STEPS_OF_FEW } else { STEPS };
        table.fit(&prior, steps, &mut self.weights);
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

/// Overwrites q with softmax(Σⱼ aⱼ cⱼ), for weights a and columns c, one after another, with a cell for each class.
pub(super) fn softmax(weights: &[f64], columns: &[f64], classes: usize, q: &mut Vec<f64>) {
    q.clear();
    q.resize(classes, 0.0);
    for (a, column) in weights.iter().zip(columns.chunks_exact(classes.max(1))) {
        for (score, c) in q.iter_mut().zip(column) {
            *score += a * c;
        }
    }
    let largest = q.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for score in &mut *q {
        *score = libm::exp(*score - largest);
    }
    let sum: f64 = q.iter().sum();
    q.iter_mut().for_each(|probability| *probability /= sum);
}

/// Adds to `hessian` the second derivatives of −ln q for a row, Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, times its weight; returns c̄
/// = Σₖ qₖ cₖ. Classes with a probability of `least` or less are left out.
fn add_row(columns: &[f64], q: &[f64], mass: f64, least: f64, hessian: &mut Symmetric) -> Few {
    let columns = || columns.chunks_exact(q.len());
    let mean = |column: &[f64]| column.iter().zip(q).map(|(c, q)| c * q).sum();
    let means: Few = columns().map(mean).collect();
    let mut centred = Few::new();
    for (class, &q) in q.iter().enumerate() {
        if q > least {
            centred.clear();
            let pairs = columns().zip(&means);
            centred.extend(pairs.map(|(column, mean)| column[class] - mean));
            hessian.add(mass * q, &centred);
        }
    }
    means
}

/// Rows that were left out: their columns and labels.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) classes: usize,
    /// Row after row, column after column, a cell for each class.
    pub(super) cells: Vec<f64>,
    pub(super) labels: Vec<Label>,
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

    /// Yields the columns and the label of each row.
    fn rows(&self) -> impl Iterator<Item = (&[f64], &Label)> {
        let width = self.cells.len() / self.labels.len();
        self.cells.chunks_exact(width).zip(&self.labels)
    }

    /// Returns the prior of weights around `start`: λ is `firmness` times the mean variance of the column.
    pub(super) fn prior<'a>(&self, start: &'a [f64], firmness: &[f64]) -> Prior<'a> {
        let classes = self.classes as f64;
        let all: f64 = self.labels.iter().map(|label| label.weight).sum();
        let mut precisions = vec![0.0; firmness.len()];
        for (row, label) in self.rows() {
            for (sum, cells) in precisions.iter_mut().zip(row.chunks_exact(self.classes)) {
                let mean = cells.iter().sum::<f64>() / classes;
                let squares: f64 = cells.iter().map(|cell| (cell - mean).powi(2)).sum();
                *sum += label.weight * squares / classes;
            }
        }
        let factor = PRIOR + PRIOR_OF_FEW / all;
        for (sum, firmness) in precisions.iter_mut().zip(firmness) {
            *sum = factor * firmness * (*sum / all);
        }
        Prior { start, precisions }
    }

    /// Improves weights a by `steps` steps of Newton's method, which minimises the sum over the rows of −ln q(y), plus
    /// ½ Σ λ (a − a₀)². Stops before a step that would raise it.
    pub(super) fn fit(&self, prior: &Prior<'_>, steps: usize, weights: &mut [f64]) {
        let (mut least, mut step) = self.loss_and_step(weights, prior);
        'steps: for _ in 0..steps {
            let before = weights.to_vec();
            let mut length = 1.0;
            for _ in 0..HALVINGS {
                for ((a, before), step) in weights.iter_mut().zip(&before).zip(&step) {
                    *a = before + length * step;
                }
                let (loss, next) = self.loss_and_step(weights, prior);
                if loss <= least {
                    least = loss;
                    step = next;
                    continue 'steps;
                }
                length /= 2.0;
            }
            weights.copy_from_slice(&before);
            return;
        }
    }

    /// Returns what a fit minimises, and the step of Newton's method: the solution of H step = −gradient.
    fn loss_and_step(&self, weights: &[f64], prior: &Prior<'_>) -> (f64, Vec<f64>) {
        let mut loss = 0.0;
        let mut step = Vec::new();
        for ((a, start), precision) in weights.iter().zip(prior.start).zip(&prior.precisions) {
            loss += 0.5 * precision * (a - start).powi(2);
            step.push(precision * (start - a));
        }
        let mut hessian = Symmetric::zero(weights.len());
        let mut q = Vec::new();
        for (row, label) in self.rows() {
            softmax(weights, row, self.classes, &mut q);
            loss += -label.weight * libm::log(q[label.class].max(f64::MIN_POSITIVE));
            let means = add_row(row, &q, label.weight, LEAST, &mut hessian);
            let columns = row.chunks_exact(self.classes).zip(means);
            for (cell, (column, mean)) in step.iter_mut().zip(columns) {
                *cell += label.weight * (column[label.class] - mean);
            }
        }
        solve(&hessian, |column| prior.precisions[column], &mut step);
        (loss, step)
    }
}

/// A normal prior of weights a.
pub(super) struct Prior<'a> {
    /// a₀.
    start: &'a [f64],
    /// λ.
    precisions: Vec<f64>,
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
        let classes = shares.len();
        let columns = &mut mixed.columns;
        columns.clear();
        for p in probabilities {
            columns.push(libm::log((p + FLOOR) / (1.0 + FLOOR * classes as f64)));
        }
        readings.for_each(|readings| add_log_frequencies(readings, shares, columns));
        for (class, &share) in shares.iter().enumerate() {
            let of_last = |last: u32| f64::from(u8::from(last as usize == class));
            columns.push(log_frequency(self.last.map_or(share, of_last), share));
        }
        softmax(&self.weights, columns, classes, &mut mixed.probabilities);
    }

    /// Learns the class of a row that has just been predicted; one that was unknown then changes no weight.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32) {
        self.last = Some(target);
        let target = target as usize;
        let q = &mixed.probabilities;
        if target >= q.len() {
            return;
        }
        self.hessian.scale(DISCOUNT);
        let means = add_row(&mixed.columns, q, 1.0, 0.0, &mut self.hessian);
        let columns = mixed.columns.chunks_exact(q.len());
        let mut step = Few::new();
        for (index, (column, mean)) in columns.zip(&means).enumerate() {
            let start = if index == 0 { 1.0 } else { 0.0 };
            let drawn = PRIOR_OF_RECENT * (1.0 - DISCOUNT) * (start - self.weights[index]);
            step.push(column[target] - mean + drawn);
        }
        solve(&self.hessian, |_| PRIOR_OF_RECENT, &mut step);
        for (a, step) in self.weights.iter_mut().zip(step) {
            *a += step;
        }
    }

    pub(super) fn is_shaped(&self, windows: usize) -> bool {
        let columns = columns(windows);
        self.hessian.is_like(&Symmetric::zero(columns)) && self.weights.len() == columns
    }
}
