//! What is kept of every stored row: its target, and what each stage would predict for it without it.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::solve::Symmetric;

/// A row of numbers for each stored sample, in order of arrival.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Columns {
    /// For each stage, whether it is the first of its chain.
    is_first: Vec<bool>,
    arrivals: Vec<u64>,
    targets: Vec<f64>,
    weights: Vec<f64>,
    /// Row by row, the left-out prediction of each stage of each chain; NaN where none is known.
    cells: Vec<f64>,
    /// For each column, how much its readings vary because few trees are read: sums, and the number of readings.
    noise: Vec<[f64; 2]>,
}

/// Sums over rows of columns, from which the weights follow.
pub(crate) struct Sums {
    /// The weights of the rows, added up.
    pub(crate) rows: f64,
    pub(crate) products: Symmetric,
    pub(crate) with_target: Vec<f64>,
    pub(crate) of_target: f64,
}

impl Columns {
    pub(crate) fn new(is_first: Vec<bool>) -> Self {
        Self {
            arrivals: Vec::new(),
            targets: Vec::new(),
            weights: Vec::new(),
            cells: Vec::new(),
            noise: vec![[0.0; 2]; is_first.len()],
            is_first,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.arrivals.len()
    }

    /// Adds a row with the predictions of all stages, of which the first of each chain are relative to a mean; `None` if nothing could be predicted.
    pub(crate) fn push(
        &mut self,
        arrival: u64,
        (target, weight): (f64, f64),
        predictions: Option<(&[f64], f64)>,
    ) {
        self.arrivals.push(arrival);
        self.targets.push(target);
        self.weights.push(weight);
        let Some((cells, mean)) = predictions else {
            let end = self.arrivals.len() * self.is_first.len();
            return self.cells.resize(end, f64::NAN);
        };
        let cells = cells.iter().zip(&self.is_first);
        let absolute = cells.map(|(cell, first)| if *first { cell + mean } else { *cell });
        self.cells.extend(absolute);
    }

    pub(crate) fn holds(&self, arrival: u64) -> bool {
        self.arrivals.binary_search(&arrival).is_ok()
    }

    /// Returns the first row that arrived as this number or later.
    pub(crate) fn from(&self, arrival: u64) -> usize {
        self.arrivals.partition_point(|&other| other < arrival)
    }

    pub(crate) fn arrival(&self, row: usize) -> u64 {
        self.arrivals[row]
    }

    pub(crate) fn target(&self, row: usize) -> f64 {
        self.targets[row]
    }

    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights[row]
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        let width = self.is_first.len();
        &self.cells[row * width..][..width]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.is_first.len() + column] = value;
    }

    /// Notes the variance of a reading that is due to the number of trees that are read.
    pub(crate) fn note_noise(&mut self, column: usize, variance: f64) {
        let [sum, count] = &mut self.noise[column];
        *sum += variance;
        *count += 1.0;
    }

    /// Drops the rows that are not held any more; returns whether there were any.
    pub(crate) fn retain(&mut self, holds: impl Fn(u64) -> bool) -> bool {
        let (width, mut to) = (self.is_first.len(), 0);
        for from in 0..self.len() {
            if holds(self.arrivals[from]) {
                self.arrivals[to] = self.arrivals[from];
                self.targets[to] = self.targets[from];
                self.weights[to] = self.weights[from];
                let cells = from * width..(from + 1) * width;
                self.cells.copy_within(cells, to * width);
                to += 1;
            }
        }
        let dropped = to < self.len();
        self.arrivals.truncate(to);
        self.targets.truncate(to);
        self.weights.truncate(to);
        self.cells.truncate(to * width);
        dropped
    }

    /// Adds up what weights follow from. Targets, and the first stages of chains, are taken from the mean of the other targets.
    pub(crate) fn sums(&mut self, without: impl Fn(f64, f64) -> f64) -> Sums {
        let width = self.is_first.len();
        let mut sums = Sums {
            rows: 0.0,
            products: Symmetric::zero(width),
            with_target: vec![0.0; width],
            of_target: 0.0,
        };
        let mut cells = vec![0.0; width];
        for row in 0..self.len() {
            let weight = self.weights[row];
            let mean = without(self.targets[row], weight);
            let target = self.targets[row] - mean;
            for ((cell, value), first) in cells.iter_mut().zip(self.row(row)).zip(&self.is_first) {
                *cell = value - if *first { mean } else { 0.0 };
            }
            if cells.iter().any(|cell| cell.is_nan()) {
                continue;
            }
            sums.rows += weight;
            sums.products.update(1.0, weight, &cells);
            for (sum, cell) in sums.with_target.iter_mut().zip(&cells) {
                *sum += weight * cell * target;
            }
            sums.of_target += weight * target * target;
        }
        for (column, noise) in self.noise.iter_mut().enumerate() {
            let [sum, count] = *noise;
            if count > 0.0 {
                let square = sums.products.get(column, column);
                let less = (sum / count * sums.rows).min(0.5 * square);
                sums.products.add(column, -less);
            }
            *noise = noise.map(|sum| sum / 2.0);
        }
        sums
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows = 2 * self.targets.capacity();
        let numbers = rows + self.cells.capacity() + self.arrivals.capacity();
        (numbers + 2 * self.noise.capacity()) * size_of::<f64>() + self.is_first.capacity()
    }

    pub(crate) fn check(&self, built: &Self) -> Result<(), InvariantError> {
        let (rows, width) = (self.arrivals.len(), self.is_first.len());
        let is_shaped = self.is_first == built.is_first
            && self.noise.len() == width
            && self.targets.len() == rows
            && self.weights.len() == rows
            && self.cells.len() == rows * width
            && self.arrivals.is_sorted_by(|a, b| a < b);
        InvariantError::require(is_shaped, "columns", "they are not those of rows")
    }
}
