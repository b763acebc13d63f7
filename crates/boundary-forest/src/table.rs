//! Rows of equal width, stored flat.

use forest_core::{Arena, IdRemap};
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

    pub(crate) fn cells(&self) -> &[C] {
        &self.cells
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Appends `rows` rows, given cell after cell.
    pub(crate) fn append(&mut self, rows: usize, cells: &[C]) {
        debug_assert_eq!(cells.len(), rows * self.width, "whole rows");
        self.rows += rows;
        self.cells.extend_from_slice(cells);
    }

    /// Drops the rows of samples that were not kept, and closes the holes.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        // Rows before the first change stay where they are.
        self.rows = names.first().index();
        for (old, new) in names.kept() {
            let row = old * self.width..(old + 1) * self.width;
            self.cells.copy_within(row, new * self.width);
            self.rows += 1;
        }
        self.cells.truncate(self.rows * self.width);
    }

    /// Returns whether it has rows of this width and as many cells as that takes: after decoding.
    pub(crate) fn is_whole(&self, width: usize) -> bool {
        self.width == width && self.rows.checked_mul(width) == Some(self.cells.len())
    }
}

impl<C: Copy + Default> Table<C> {
    /// Appends a row of default values and hands it out to be filled.
    pub(crate) fn append_default(&mut self) -> &mut [C] {
        let start = self.cells.len();
        self.rows += 1;
        self.cells.resize(start + self.width, C::default());
        &mut self.cells[start..]
    }
}

#[cfg(test)]
mod tests {
    use forest_core::{RetentionMask, SampleId};

    use super::*;

    fn remap(first: usize, end: usize, kept: usize) -> IdRemap {
        let mut mask = RetentionMask::empty(first, end - first);
        mask.keep(SampleId::new(kept));
        mask.remap()
    }

    #[test]
    fn retained_rows_close_the_holes() {
        let mut table = Table::new(2);
        table.append(5, &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        table.remap(&remap(2, 5, 3));
        assert_eq!((table.len(), table.cells()), (3, &[0, 0, 1, 1, 3, 3][..]));
        assert!(table.is_whole(2) && !table.is_whole(3));
    }

    #[test]
    fn empty_rows_are_counted() {
        let mut table = Table::<f64>::new(0);
        table.append(3, &[]);
        table.remap(&remap(1, 3, 1));
        assert_eq!((table.len(), table.row(1).len()), (2, 0));
    }
}
