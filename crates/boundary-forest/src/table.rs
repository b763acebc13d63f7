//! Rows of equal width, stored flat.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// A growing table; a row may be empty, and is counted all the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table<C> {
    width: usize,
    rows: usize,
    cells: Arena<C>,
}

impl<C: Copy> Table<C> {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            rows: 0,
            cells: Arena::default(),
        }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    #[inline]
    pub(crate) fn row(&self, index: usize) -> &[C] {
        &self.cells[index * self.width..][..self.width]
    }

    /// Rows `first..`, cell after cell.
    pub(crate) fn cells_from(&self, first: usize) -> &[C] {
        &self.cells[first * self.width..]
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Appends `rows` rows, given cell after cell.
    pub(crate) fn append(&mut self, rows: usize, cells: &[C]) {
        debug_assert_eq!(cells.len(), rows * self.width, "whole rows");
        self.rows += rows;
        self.cells.extend_from_slice(cells);
    }

    /// Drops the rows from `first` on that `keep` does not mark, and closes the gaps.
    pub(crate) fn retain_from(&mut self, first: usize, keep: &[bool]) {
        let mut next = first;
        let kept = (first..).zip(keep).filter(|(_, keep)| **keep);
        for (row, _) in kept {
            let start = row * self.width;
            self.cells
                .copy_within(start..start + self.width, next * self.width);
            next += 1;
        }
        self.cells.truncate(next * self.width);
        self.rows = next;
    }

    /// Whether the counts agree: of interest for a table that was decoded.
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.checked_mul(self.width) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_rows_close_ranks() {
        let mut table = Table::new(2);
        table.append(5, &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        table.retain_from(2, &[false, true, false]);
        assert_eq!((table.len(), table.cells_from(1)), (3, &[1, 1, 3, 3][..]));
        assert!(table.is_whole());
    }

    #[test]
    fn rows_of_nothing_are_counted() {
        let mut table = Table::<f64>::new(0);
        table.append(3, &[]);
        table.retain_from(1, &[true, false]);
        assert_eq!((table.len(), table.row(1).len()), (2, 0));
    }
}
