//! The fit of the mixture of all rows: when it comes, to which rows, and from which weights on.

use dynamic_forest::{ReadingTree, left_out};
use forest_core::{OnlineLearner, SampleId};
use serde::{Deserialize, Serialize};

use super::discriminant::{LeftOut, Linear, Quadratic};
use super::mixture::{Table, add_log_frequencies};
use super::{COLUMNS, ResidualClassifier, SIZES, own};

/// With fewer silent rows the weights are those of plain trees.
const FEWEST_LEFT_OUT: usize = 8;

/// How much more strongly the weights of the discriminant functions are drawn to 0.
const FIRMNESS_OF_FUNCTIONS: f64 = 3.0;

/// Steps of Newton's method in a fit to a few rows, and to others, for which the last weights are a good start.
const STEPS_OF_FEW: usize = 8;
const FEW: usize = 200;
const STEPS: usize = 2;

impl ResidualClassifier {
    /// Fits the functions and the weights to the rows that are held.
    pub(super) fn fit(&mut self) {
        self.schedule.fitted();
        let (rows, classes) = (self.schedule.held, self.forests[0].schema().width());
        let silent = silent_share(rows, classes);
        if silent != self.silent {
            self.silent = silent;
            self.forests[0].refine_to(silent);
        }
        if self.taken_out > rows {
            self.sum_again();
        }
        let (start, ids) = (starting_weights(rows), self.silent_rows());
        if ids.len() < FEWEST_LEFT_OUT {
            self.weights = start;
            return;
        }
        let (linear, inverse) = Linear::solve(&self.moments);
        (self.linear, self.quadratic) = (linear, Quadratic::solve(&self.moments));
        let (mut readings, mut shares, mut table) = (Vec::new(), Vec::new(), Table::new(classes));
        left_out(&self.forests[0], &ids, &mut readings);
        let (store, moments) = (self.forests[0].samples(), &self.moments);
        for (readings, &id) in readings.chunks_exact(SIZES * classes).zip(&ids) {
            let (x, own) = (store.features(id), own(store, id));
            moments.shares(classes, Some(own), &mut shares);
            add_log_frequencies(readings, &shares, &mut table.cells);
            let row = LeftOut {
                moments,
                x,
                own,
                classes,
            };
            self.linear.add_without(row, &inverse, &mut table.cells);
            self.quadratic.add_without(row, &mut table.cells);
            table.targets.push(own.class as u32);
            table.masses.push(own.weight);
        }
        let firmness = |column| [1.0, FIRMNESS_OF_FUNCTIONS][usize::from(column >= SIZES)];
        let steps = if rows < FEW { STEPS_OF_FEW } else { STEPS };
        table.fit(&start, firmness, steps, &mut self.weights);
    }

    /// Returns the silent rows whose class has others.
    fn silent_rows(&self) -> Vec<SampleId> {
        let (store, schedule) = (self.forests[0].samples(), &self.schedule);
        let Some(tree) = self.forests[0].trees().next() else {
            return Vec::new();
        };
        let has_others = |&id: &SampleId| schedule.count(store.target(id)) > 1;
        let ids = store.ids().filter(has_others);
        ids.filter(|&id| tree.is_silent(id, store)).collect()
    }
}

/// Returns a₀ for this number of rows: plain trees, of many rows partly read at larger nodes, without the discriminant functions.
pub(super) fn starting_weights(rows: usize) -> Vec<f64> {
    let mut weights = vec![0.0; COLUMNS];
    let is_large = |&&size: &&u32| size > 1 && 30 * size as usize <= rows;
    let large = ReadingTree::SIZES.iter().filter(is_large).count();
    weights[0] = if large > 0 { 0.6 } else { 1.0 };
    weights[1..=large].fill(0.4 / large.max(1) as f64);
    weights
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
