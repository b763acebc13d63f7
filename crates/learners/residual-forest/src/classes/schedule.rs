//! When the mixture of all rows is fitted, and to which share of them.

use serde::{Deserialize, Serialize};

/// Counts the rows that are held. A fit is due when, since the last fit, an eighth as many rows as were held have been
/// learned, or a thirty-second as many forgotten, or the rows of a class have doubled.
///
/// It depends on numbers of rows alone, so that a batch is equivalent to its rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Schedule {
    /// The number of rows learned since the last fit, and [`FORGOTTEN`] for each that has been forgotten.
    changes: usize,
    /// The number of rows that were held at the last fit, and of those of each class.
    fitted: usize,
    fitted_classes: Vec<u32>,
    /// The number of rows that are held now, and of those of each class.
    pub(super) held: usize,
    classes: Vec<u32>,
}

/// A forgotten row counts more than a new one among the changes, so that it soon has no influence on the weights.
const FORGOTTEN: usize = 4;

/// With fewer rows none is silent, and the mixture is that of plain trees.
const FEWEST: usize = 24;

/// The largest number of silent rows, and of the cells of a column of their table.
const MOST_SILENT: f64 = 2048.0;
const MOST_CELLS: f64 = 1e6;

/// With more classes than this a row would cost time in proportion to their square. So a class that has doubled causes
/// no fit, a column has fewer cells, and the quadratic function is left out.
pub(super) const MANY_CLASSES: usize = 300;
const CELLS_OF_MANY_CLASSES: f64 = 1e5;

impl Schedule {
    /// Counts a row that is learned; returns whether a fit is due.
    pub(super) fn learned(&mut self, class: u32) -> bool {
        let class = class as usize;
        if class >= self.classes.len() {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += 1;
        self.held += 1;
        self.changes += 1;
        let count = self.classes[class];
        let fitted = self.fitted_classes.get(class).map_or(0, |fitted| *fitted);
        let has_doubled = count >= 2 && count >= 2 * fitted;
        has_doubled && self.classes.len() <= MANY_CLASSES || self.is_due()
    }

    /// Counts a row that leaves a window because another one is learned.
    pub(super) fn left(&mut self, class: u32) {
        self.classes[class as usize] -= 1;
        self.held -= 1;
    }

    /// Counts a row that is forgotten; returns whether a fit is due.
    pub(super) fn forgot(&mut self, class: u32) -> bool {
        self.left(class);
        self.changes += FORGOTTEN;
        self.is_due()
    }

    fn is_due(&self) -> bool {
        8 * self.changes >= self.fitted
    }

    /// Records that the mixture is fitted to the rows that are held now.
    pub(super) fn fitted(&mut self) {
        self.changes = 0;
        self.fitted = self.held;
        self.fitted_classes.clone_from(&self.classes);
    }

    pub(super) fn count(&self, class: u32) -> u32 {
        self.classes.get(class as usize).copied().unwrap_or(0)
    }

    /// Returns whether the counts are those of rows of these classes, and no fit is overdue.
    pub(super) fn is_sound(&self, classes: impl Iterator<Item = u32>) -> bool {
        let mut counts = vec![0; self.classes.len()];
        let mut held = 0;
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

/// Returns the share of silent rows for this number of rows and classes.
pub(super) fn silent_share(rows: usize, classes: usize) -> f64 {
    if rows < FEWEST {
        return 0.0;
    }
    let cells = if classes > MANY_CLASSES {
        CELLS_OF_MANY_CLASSES
    } else {
        MOST_CELLS
    };
    let most = MOST_SILENT.min(cells / classes.max(1) as f64);
    let n = rows as f64;
    (0.2 + 60.0 / n).min(most / n).min(0.5)
}
