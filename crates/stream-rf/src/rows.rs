//! Rows of equal width, one for each leaf, in one array.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// A table of cells that grows by rows, and by columns when classes appear.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rows<C> {
    width: usize,
    rows: usize,
    cells: Arena<C>,
}

impl<C: Copy + Default> Rows<C> {
    /// One empty row.
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

    /// Appends an empty row.
    pub(crate) fn push(&mut self) {
        self.rows += 1;
        self.cells.resize(self.rows * self.width, C::default());
    }

    /// Empties a row and hands it out with the last one.
    pub(crate) fn renew_with_last(&mut self, index: usize) -> (&mut [C], &mut [C]) {
        let (rest, last) = self.cells.split_at_mut((self.rows - 1) * self.width);
        let row = &mut rest[index * self.width..][..self.width];
        row.fill(C::default());
        (row, last)
    }

    /// Makes every row at least this wide. Widths grow by an eighth, so that classes may come one by one.
    #[inline]
    pub(crate) fn widen(&mut self, width: usize) {
        if width > self.width {
            self.relay(width.max(self.width + self.width / 8));
        }
    }

    #[cold]
    fn relay(&mut self, width: usize) {
        let mut cells = vec![C::default(); width * self.rows];
        for row in 0..self.rows {
            cells[row * width..][..self.width].copy_from_slice(self.row(row));
        }
        (self.width, self.cells) = (width, cells.into());
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Whether this has as many rows as there are leaves, all of the same width.
    pub(crate) fn fits(&self, leaves: usize) -> bool {
        self.rows == leaves && self.width.checked_mul(leaves) == Some(self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_rows_keep_their_cells() {
        let mut rows = Rows::<u32>::one(1);
        rows.push();
        rows.row_mut(0)[0] = 3;
        rows.row_mut(1)[0] = 4;
        rows.widen(2);
        rows.push();
        assert_eq!(rows.row(0), [3, 0]);
        assert_eq!(rows.row(1), [4, 0]);
        let (renewed, last) = rows.renew_with_last(1);
        assert_eq!((renewed, last), (&mut [0, 0][..], &mut [0, 0][..]));
        assert!(rows.fits(3) && !rows.fits(2));
    }
}
