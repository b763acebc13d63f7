//! What leaves know of their labels: rows of equal width, one for each leaf, in one array.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// A table of cells that grows by rows, and by columns when classes appear.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LabelRows<C> {
    width: usize,
    rows: usize,
    cells: Arena<C>,
}

impl<C: Copy + Default> LabelRows<C> {
    /// Creates one empty row.
    pub(crate) fn one(width: usize) -> Self {
        Self {
            width,
            rows: 1,
            cells: vec![C::default(); width].into(),
        }
    }

    pub(crate) fn row(&self, index: usize) -> &[C] {
        &self.cells[index * self.width..][..self.width]
    }

    pub(crate) fn row_mut(&mut self, index: usize) -> &mut [C] {
        &mut self.cells[index * self.width..][..self.width]
    }

    /// Splits a leaf: empties its row, which its left child takes over, and appends one for the right
    /// child. Returns both.
    pub(crate) fn split(&mut self, index: usize) -> [&mut [C]; 2] {
        self.row_mut(index).fill(C::default());
        self.cells
            .resize((self.rows + 1) * self.width, C::default());
        let (rest, right) = self.cells.split_at_mut(self.rows * self.width);
        self.rows += 1;
        [&mut rest[index * self.width..][..self.width], right]
    }

    /// Makes every row at least this wide. Widths grow by an eighth, so that classes may come one by one.
    #[inline]
    pub(crate) fn widen(&mut self, width: usize) {
        if width > self.width {
            self.set_width(width.max(self.width + self.width / 8));
        }
    }

    #[cold]
    fn set_width(&mut self, width: usize) {
        // A new array, not `resize`: every row moves.
        let mut cells = vec![C::default(); width * self.rows];
        for row in 0..self.rows {
            cells[row * width..][..self.width].copy_from_slice(self.row(row));
        }
        (self.width, self.cells) = (width, cells.into());
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Returns whether this has as many rows as there are leaves, all of the same width.
    pub(crate) fn fits(&self, leaves: usize) -> bool {
        self.rows == leaves && self.width.checked_mul(leaves) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_rows_keep_their_cells() {
        let mut rows = LabelRows::<u32>::one(1);
        rows.split(0)[0][0] = 3;
        rows.row_mut(1)[0] = 4;
        rows.widen(2);
        rows.split(1)[1][1] = 5;
        assert_eq!([0, 1, 2].map(|row| rows.row(row)), [[3, 0], [0, 0], [0, 5]]);
        assert!(rows.fits(3) && !rows.fits(2));
    }

    #[test]
    fn widths_grow_by_an_eighth_and_only_when_they_must() {
        let mut rows = LabelRows::<u32>::one(16);
        for (needed, width) in [(16, 16), (17, 18), (18, 18), (40, 40)] {
            rows.widen(needed);
            assert_eq!(rows.row(0).len(), width, "{needed}");
        }
    }
}
