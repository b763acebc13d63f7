//! The weights of the mixture: softmax regression on the columns of rows that the columns know nothing of.

use super::mixture::softmax;
use crate::solve::{Symmetric, solve};

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

impl Table {
    fn rows(&self) -> impl Iterator<Item = (&[f64], usize, f64)> {
        let rows = self
            .cells
            .chunks_exact(self.cells.len() / self.targets.len());
        let own = self.targets.iter().zip(&self.masses);
        rows.zip(own)
            .map(|(row, (&target, &mass))| (row, target as usize, mass))
    }

    /// Returns the variance over classes of each column, on average.
    fn variances(&self, columns: usize) -> Vec<f64> {
        let (mut sums, mut all) = (vec![0.0; columns], 0.0);
        for (row, _, mass) in self.rows() {
            all += mass;
            for (sum, cells) in sums.iter_mut().zip(row.chunks_exact(self.classes)) {
                let mean = cells.iter().sum::<f64>() / self.classes as f64;
                let squares: f64 = cells.iter().map(|cell| (cell - mean).powi(2)).sum();
                *sum += mass * squares / self.classes as f64;
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= all);
        sums
    }
}

/// The sum of the losses of the rows, and of what weights are drawn by: −ln q(y) + ½ Σ λ (a − a₀)².
struct Objective<'a> {
    table: &'a Table,
    start: &'a [f64],
    drawn: Vec<f64>,
    scores: Vec<f64>,
}

impl<'a> Objective<'a> {
    fn new(table: &'a Table, start: &'a [f64], firmness: impl Fn(usize) -> f64) -> Self {
        let mass: f64 = table.masses.iter().sum();
        let by = PRIOR + PRIOR_OF_FEW / mass;
        let variances = table.variances(start.len()).into_iter().enumerate();
        let drawn = variances.map(|(column, variance)| by * firmness(column) * variance);
        Self {
            table,
            start,
            drawn: drawn.collect(),
            scores: Vec::new(),
        }
    }

    /// Calls `each` with every row, its class, its weight and its probabilities; returns the loss.
    fn visit(&mut self, weights: &[f64], mut each: impl FnMut(&[f64], usize, f64, &[f64])) -> f64 {
        let pairs = weights.iter().zip(self.start).zip(&self.drawn);
        let mut loss: f64 = pairs.map(|((a, b), by)| 0.5 * by * (a - b).powi(2)).sum();
        for (row, target, mass) in self.table.rows() {
            softmax(weights, row, self.table.classes, &mut self.scores);
            loss -= mass * libm::log(self.scores[target].max(f64::MIN_POSITIVE));
            each(row, target, mass, &self.scores);
        }
        loss
    }

    /// Returns the loss, with minus its gradient and its second derivatives.
    fn derivatives(&mut self, weights: &[f64], step: &mut [f64], hessian: &mut Symmetric) -> f64 {
        let classes = self.table.classes;
        *hessian = Symmetric::zero(weights.len());
        let drawn = weights.iter().zip(self.start).zip(&self.drawn);
        let pairs = step.iter_mut().zip(drawn);
        pairs.for_each(|(cell, ((a, b), by))| *cell = by * (b - a));
        let (mut means, mut centred) = (Vec::<f64>::new(), Vec::new());
        self.visit(weights, |row, target, mass, probabilities| {
            let columns = || row.chunks_exact(classes);
            let mean = |column: &[f64]| -> f64 {
                let pairs = column.iter().zip(probabilities);
                pairs.map(|(cell, probability)| cell * probability).sum()
            };
            means.clear();
            means.extend(columns().map(mean));
            for (cell, (column, mean)) in step.iter_mut().zip(columns().zip(&means)) {
                *cell += mass * (column[target] - mean);
            }
            for (class, probability) in probabilities.iter().enumerate() {
                // What hardly matters costs as much as what does.
                if *probability > 1e-6 {
                    centred.clear();
                    centred.extend(
                        columns()
                            .zip(&means)
                            .map(|(column, mean)| column[class] - mean),
                    );
                    hessian.update(1.0, mass * probability, &centred);
                }
            }
        })
    }
}

/// Improves weights by Newton's method, `steps` times; `firmness` is how strongly the weight of a column is drawn to that at the start.
pub(super) fn fit(
    table: &Table,
    start: &[f64],
    firmness: impl Fn(usize) -> f64,
    steps: usize,
    weights: &mut [f64],
) {
    let mut objective = Objective::new(table, start, firmness);
    let mut hessian = Symmetric::zero(weights.len());
    let (mut step, mut factor) = (vec![0.0; weights.len()], Vec::new());
    for _ in 0..steps {
        let loss = objective.derivatives(weights, &mut step, &mut hessian);
        solve(
            &hessian,
            |column| objective.drawn[column],
            &mut factor,
            &mut step,
        );
        let before = weights.to_vec();
        let improves = (0..HALVINGS).any(|halvings| {
            let length = 0.5f64.powi(halvings as i32);
            let moved = before.iter().zip(&step).map(|(a, step)| a + length * step);
            weights
                .iter_mut()
                .zip(moved)
                .for_each(|(a, moved)| *a = moved);
            objective.visit(weights, |_, _, _, _| ()) <= loss
        });
        if !improves {
            return weights.copy_from_slice(&before);
        }
    }
}
