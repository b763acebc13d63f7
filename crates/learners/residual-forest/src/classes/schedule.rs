//! When the mixture is fitted again, and to which rows.

use serde::{Deserialize, Serialize};

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
pub(super) const FEWEST: usize = 24;

/// Most silent rows, and most cells of a column of their table.
const MOST_SILENT: f64 = 2048.0;
const MOST_CELLS: f64 = 1e6;

/// With more classes than this a row would cost as much as its square: so none is fitted because a class has doubled, a column has fewer cells, and there is no quadratic function.
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

    pub(super) fn bytes(&self) -> usize {
        (self.classes.capacity() + self.classes_then.capacity()) * size_of::<u32>()
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
    let cells = if classes > MANY_CLASSES {
        FEW_CELLS
    } else {
        MOST_CELLS
    };
    let most = MOST_SILENT.min(cells / classes.max(1) as f64);
    let n = rows as f64;
    (0.2 + 60.0 / n).min(most / n).min(0.5)
}
