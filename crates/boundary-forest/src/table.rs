//! Rows of equal width in one array.

use forest_core::{Arena, IdRemap, SampleId};
use serde::{Deserialize, Serialize};

/// Rows of equal width, stored flat; a row may be empty, and is counted all the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Table<C> {
    pub(crate) width: usize,
    pub(crate) rows: usize,
    pub(crate) cells: Arena<C>,
}

impl<C: Copy> Table<C> {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            rows: 0,
            cells: Arena::default(),
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self, id: SampleId) -> &[C] {
        &self.cells[id.index() * self.width..][..self.width]
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

    /// Returns whether there are as many cells as the rows take: after decoding.
    pub(crate) fn is_whole(&self) -> bool {
        self.rows.checked_mul(self.width) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::RetentionMask;

    use super::*;

    #[test]
    fn retained_rows_close_the_holes_and_empty_rows_are_counted() {
        for width in [0, 2] {
            let mut table = Table::new(width);
            table.append(5, &[0, 0, 1, 1, 2, 2, 3, 3, 4, 4][..5 * width]);
            let mut kept = RetentionMask::empty(2, 3);
            kept.keep(SampleId::new(3));
            table.remap(&kept.remap());
            assert_eq!(
                (table.rows, &*table.cells),
                (3, &[0, 0, 1, 1, 3, 3][..3 * width])
            );
        }
    }
}
