//! Softmax regression on a few columns: its weights are fitted to rows that the columns know nothing of, or follow a stream; and when it is fitted, to which rows.

use dynamic_forest::ReadingTree;
use forest_core::{ForestSettings, Retention, TreeRng};
use serde::{Deserialize, Serialize};

use crate::algebra::{Few, Symmetric, solve};

/// The share of the shares of the classes in a frequency, so that its logarithm is finite.
const SHARE_OF_PRIOR: f64 = 0.01;

/// Returns the logarithm of a frequency, or of a mean of frequencies, of a class with this share of the rows.
pub(super) fn log_frequency(frequency: f64, share: f64) -> f64 {
    libm::log((frequency + SHARE_OF_PRIOR * share) / (1.0 + SHARE_OF_PRIOR))
}

/// Appends the logarithms of the readings of a forest, a row of classes for each size of node.
pub(super) fn add_log_frequencies(readings: &[f64], shares: &[f64], columns: &mut Vec<f64>) {
    let cells = readings.iter().zip(shares.iter().cycle());
    columns.extend(cells.map(|(&p, &share)| log_frequency(p, share)));
}

/// One row of a mixture: its columns, class after class within each, and what was predicted from them.
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

fn loss_of(q: &[f64], target: usize, mass: f64) -> f64 {
    -mass * libm::log(q[target].max(f64::MIN_POSITIVE))
}

/// Adds to `hessian` the second derivatives of −ln q for a row, Σₖ qₖ (cₖ − c̄)(cₖ − c̄)ᵀ, times its weight; returns c̄ = Σₖ qₖ cₖ. Classes with a probability of `least` or less are left out.
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

/// How strongly weights are drawn to those at the beginning, in units of the variance of a column over classes; and as if by how many rows more.
const PRIOR: f64 = 1.0;
const PRIOR_OF_FEW: f64 = 300.0;

/// A step that raises the loss is halved up to this often.
const HALVINGS: usize = 8;

/// What hardly matters costs as much as what does.
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

    /// Returns how strongly the weight of each column is drawn to that at the beginning: by its variance over classes, on average, times `firmness`.
    fn drawn(&self, columns: usize, firmness: impl Fn(usize) -> f64) -> Vec<f64> {
        let (mut drawn, classes) = (vec![0.0; columns], self.classes as f64);
        let all: f64 = self.masses.iter().sum();
        for (row, _, mass) in self.rows() {
            for (sum, cells) in drawn.iter_mut().zip(row.chunks_exact(self.classes)) {
                let mean = cells.iter().sum::<f64>() / classes;
                let squares: f64 = cells.iter().map(|cell| (cell - mean).powi(2)).sum();
                *sum += mass * squares / classes;
            }
        }
        let by = PRIOR + PRIOR_OF_FEW / all;
        for (column, sum) in drawn.iter_mut().enumerate() {
            *sum = by * firmness(column) * (*sum / all);
        }
        drawn
    }

    /// Improves weights by Newton's method, `steps` times: the sum over the rows of −ln q(y), plus ½ Σ λ (a − a₀)². `firmness` is how strongly the weight of a column is
    /// drawn to that at the start.
    pub(super) fn fit(
        &self,
        start: &[f64],
        firmness: impl Fn(usize) -> f64,
        steps: usize,
        weights: &mut [f64],
    ) {
        let (drawn, mut q) = (self.drawn(start.len(), firmness), Vec::new());
        let prior = |weights: &[f64]| -> f64 {
            let pairs = weights.iter().zip(start).zip(&drawn);
            pairs.map(|((a, b), by)| 0.5 * by * (a - b).powi(2)).sum()
        };
        for _ in 0..steps {
            let (mut hessian, mut least) = (Symmetric::zero(weights.len()), prior(weights));
            let pairs = weights.iter().zip(start).zip(&drawn);
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
            solve(&hessian, |column| drawn[column], &mut step);
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
/// a ← a + (H + λ I)⁻¹ [c_y − c̄ + λ (1 − γ) (a₀ − a)], where a₀ are the weights at the beginning: 1 for the first column and 0 for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mixture {
    hessian: Symmetric,
    pub(super) weights: Vec<f64>,
}

/// λ: how strongly the weights of a stream are drawn to those at the beginning.
const PRIOR_OF_STREAM: f64 = 10.0;

impl Mixture {
    /// Returns a mixture with the weights a₀.
    pub(super) fn new(columns: usize) -> Self {
        let (hessian, mut weights) = (Symmetric::zero(columns), vec![0.0; columns]);
        weights[0] = 1.0;
        Self { hessian, weights }
    }

    /// Updates the weights by a row of class `target`. That of a class that was not known changes nothing.
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

/// Counts the rows that are held; a fit is due whenever as many have come as an eighth of those of the last fit, or a quarter as many have been forgotten, or the rows of a class have doubled.
///
/// It depends on numbers of rows alone, so that batches are their rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Schedule {
    /// Rows that have come since the last fit, and four times those that have been forgotten.
    changes: usize,
    /// The rows that were held then, and those of each class.
    then: usize,
    classes_then: Vec<u32>,
    pub(super) held: usize,
    classes: Vec<u32>,
}

/// What a row that is forgotten counts among the changes until the next fit: it is to be forgotten soon.
const FORGOTTEN: usize = 4;

/// Fewer rows choose all cuts themselves: the mixture is that of plain trees.
const FEWEST: usize = 24;

/// Most silent rows, and most cells of a column of their table.
const MOST_SILENT: f64 = 2048.0;
const MOST_CELLS: f64 = 1e6;

/// With more classes than this a row would cost as much as its square: so none is fitted because a class has doubled, a column has fewer cells, and the quadratic function is left out.
pub(super) const MANY_CLASSES: usize = 300;
const FEW_CELLS: f64 = 1e5;

impl Schedule {
    /// Counts a row that comes; returns whether a fit is due.
    pub(super) fn comes(&mut self, class: u32) -> bool {
        let class = class as usize;
        if class >= self.classes.len() {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += 1;
        self.held += 1;
        self.changes += 1;
        let (now, then) = (self.classes[class], self.classes_then.get(class));
        let has_doubled = now >= 2 && now >= then.map_or(0, |then| 2 * then);
        has_doubled && self.classes.len() <= MANY_CLASSES || self.is_due()
    }

    /// Counts a row that leaves a window, as another comes.
    pub(super) fn leaves(&mut self, class: u32) {
        self.classes[class as usize] -= 1;
        self.held -= 1;
    }

    /// Counts a row that is forgotten; returns whether a fit is due.
    pub(super) fn is_forgotten(&mut self, class: u32) -> bool {
        self.leaves(class);
        self.changes += FORGOTTEN;
        self.is_due()
    }

    fn is_due(&self) -> bool {
        8 * self.changes >= self.then
    }

    /// Notes a fit.
    pub(super) fn fitted(&mut self) {
        (self.changes, self.then) = (0, self.held);
        self.classes_then.clone_from(&self.classes);
    }

    /// Returns the number of rows of a class.
    pub(super) fn count(&self, class: u32) -> u32 {
        self.classes.get(class as usize).copied().unwrap_or(0)
    }

    /// Returns whether it has counted rows of these classes, and a fit is not overdue.
    pub(super) fn is_sound(&self, classes: impl Iterator<Item = u32>) -> bool {
        let (mut counts, mut held) = (vec![0; self.classes.len()], 0);
        for class in classes {
            let Some(count) = counts.get_mut(class as usize) else {
                return false;
            };
            *count += 1;
            held += 1;
        }
        let is_fitted = self.changes == 0 || !self.is_due();
        counts == self.classes && held == self.held && is_fitted
    }
}

/// Returns the share of the rows that are silent, of `rows` rows of this many classes.
pub(super) fn silent_share(rows: usize, classes: usize) -> f64 {
    if rows < FEWEST {
        return 0.0;
    }
    let cells = [MOST_CELLS, FEW_CELLS][usize::from(classes > MANY_CLASSES)];
    let most = MOST_SILENT.min(cells / classes.max(1) as f64);
    let n = rows as f64;
    (0.2 + 60.0 / n).min(most / n).min(0.5)
}

/// A mixture of its own that has the prediction from all rows, the readings of small forests on windows of the latest rows, and the last class as columns.
///
/// The mixture of all rows knows nothing of it: its weights are those of rows in any order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    last: Option<u32>,
    mixture: Mixture,
}

/// γ of the mixture: it follows some 500 rows.
const DISCOUNT: f64 = 0.998;

/// The least probability in the logarithm of a prediction.
const FLOOR: f64 = 1e-6;

/// The readings of windows are few rows' frequencies: a tenth of the trees is enough, and no fewer than these.
const FEWEST_TREES: usize = 5;

/// Returns the settings of the forest on window `index`, of this many rows, beside that of all rows.
pub(super) fn on_window(forest: ForestSettings, index: usize, rows: usize) -> ForestSettings {
    let rows = match forest.retention {
        Retention::Latest(all) => all.min(rows),
        Retention::Everything => rows,
    };
    // Streams after those of the trees of all rows.
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

    /// Predicts a row for which `probabilities` follow from all rows, and `readings` from each window; `shares` are those of the classes.
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
    2 + windows * ReadingTree::SIZES.len()
}
