//! Softmax regression on a few columns: its weights are fitted to rows that were left out of the columns, or follow a
//! stream.

use dynamic_forest::ReadingTree;
use forest_core::{ForestSettings, Retention, TreeRng};
use serde::{Deserialize, Serialize};

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

/// The precision of the prior of a weight, in units of the variance of its column over classes: this, plus
/// [`PRIOR_OF_FEW`] divided by the weight of all rows.
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

    /// Returns the precision λ of the prior of each weight: the mean variance of its column over classes, times its
    /// `firmness`.
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

/// Weights a of columns c that follow a stream: one step of Newton's method a row.
///
/// After a row of class y that was predicted with probabilities q: H ← γ H + Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, and
/// a ← a + (H + λ I)⁻¹ [c_y − c̄ + λ (1 − γ) (a₀ − a)], where the initial weights a₀ are 1 for the first column and 0 for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mixture {
    hessian: Symmetric,
    pub(super) weights: Vec<f64>,
}

/// λ, the precision of the prior of the weights of a stream.
const PRIOR_OF_STREAM: f64 = 10.0;

impl Mixture {
    /// Returns a mixture with the weights a₀.
    pub(super) fn new(columns: usize) -> Self {
        let (hessian, mut weights) = (Symmetric::zero(columns), vec![0.0; columns]);
        weights[0] = 1.0;
        Self { hessian, weights }
    }

    /// Updates the weights by a row of class `target`. A row of a class that was unknown when the row was mixed changes
    /// nothing.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32, discount: f64) {
        let (columns, q, target) = (&mixed.columns, &mixed.probabilities, target as usize);
        if target >= q.len() {
            return;
        }
        self.hessian.scale(discount);
        let means = add_row(columns, q, 1.0, 0.0, &mut self.hessian);
        let mut step = Few::new();
        for (column, (cells, mean)) in columns.chunks_exact(q.len()).zip(&means).enumerate() {
            let start = if column == 0 { 1.0 } else { 0.0 };
            let drawn = PRIOR_OF_STREAM * (1.0 - discount) * (start - self.weights[column]);
            step.push(cells[target] - mean + drawn);
        }
        solve(&self.hessian, |_| PRIOR_OF_STREAM, &mut step);
        for (weight, change) in self.weights.iter_mut().zip(step) {
            *weight += change;
        }
    }

    pub(super) fn is_shaped(&self, columns: usize) -> bool {
        self.hessian.is_like(&Symmetric::zero(columns)) && self.weights.len() == columns
    }
}

/// A second mixture, for the next row of a stream. Its columns are the prediction from all rows, the readings of small
/// forests on windows of the latest rows, and the last class.
///
/// It does not influence the mixture of all rows, whose weights hardly depend on the order of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    last: Option<u32>,
    mixture: Mixture,
}

/// γ of the mixture, which thus follows some 500 rows.
const DISCOUNT: f64 = 0.998;

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

impl Recent {
    pub(super) fn new(windows: usize) -> Self {
        let (last, mixture) = (None, Mixture::new(columns(windows)));
        Self { last, mixture }
    }

    /// Predicts a row from the probabilities of the mixture of all rows and the readings of each window; `shares` are
    /// those of the classes.
    pub(super) fn predict<'a>(
        &self,
        probabilities: &[f64],
        readings: impl Iterator<Item = &'a [f64]>,
        shares: &[f64],
        mixed: &mut Mixed,
    ) {
        let classes = probabilities.len();
        let columns = &mut mixed.columns;
        columns.clear();
        let floored = |p: &f64| libm::log((p + FLOOR) / (1.0 + FLOOR * classes as f64));
        columns.extend(probabilities.iter().map(floored));
        readings.for_each(|readings| add_log_frequencies(readings, shares, columns));
        for (class, &share) in shares.iter().enumerate() {
            let is_last = |last| f64::from(u8::from(last as usize == class));
            columns.push(log_frequency(self.last.map_or(share, is_last), share));
        }
        softmax(
            &self.mixture.weights,
            columns,
            classes,
            &mut mixed.probabilities,
        );
    }

    /// Learns the class of a row that has just been predicted.
    pub(super) fn learn(&mut self, mixed: &Mixed, target: u32) {
        self.mixture.learn(mixed, target, DISCOUNT);
        self.last = Some(target);
    }

    pub(super) fn is_shaped(&self, windows: usize) -> bool {
        self.mixture.is_shaped(columns(windows))
    }
}

/// Returns the number of columns: the prediction from all rows, the readings of each window, and the last class.
fn columns(windows: usize) -> usize {
    2 + windows * SIZES
}
