//! Leaves whose samples have weights that are not whole numbers.

use crate::LeafId;
use forest_core::SampleWeight;

use super::{ClassFrequencies, Counts};

/// Units of a weight of 1.
const COPY: u64 = SampleWeight::ONE.units();

impl ClassFrequencies {
    #[inline]
    pub(super) fn is_weighted(&self, leaf: LeafId) -> bool {
        matches!(self.leaves[leaf.index()], Counts::Weighted { .. })
    }

    /// Returns whether the leaf counts copies and `times` more of a class fit into its count.
    pub(super) fn has_room(&self, leaf: LeafId, class: u32, times: u32) -> bool {
        let count = match self.leaves[leaf.index()] {
            Counts::Weighted { .. } => return false,
            Counts::Nothing => 0,
            Counts::OneClass { class: only, count } if only == class => count,
            Counts::OneClass { .. } => 0,
            Counts::Row(row) => self.row(row).get(class as usize).copied().unwrap_or(0),
        };
        count.checked_add(times).is_some()
    }

    /// Takes out a sample that was added.
    pub(super) fn remove(&mut self, leaf: LeafId, class: u32, weight: SampleWeight) {
        match (&mut self.leaves[leaf.index()], weight.copies()) {
            (Counts::OneClass { count, .. }, Some(times)) => *count -= times,
            (&mut Counts::Row(row), Some(times)) => {
                let cells = self.cells(row);
                self.rows[cells][class as usize] -= times;
            }
            _ => self.change_weight(leaf, class, |units| units.checked_sub(weight.units())),
        }
    }

    /// Changes the count of a class, in units of weights. A count that would be too large for 64 bits is one of halves, as
    /// are then all of its leaf: they keep the frequencies.
    #[cold]
    pub(super) fn change_weight(
        &mut self,
        leaf: LeafId,
        class: u32,
        change: impl Fn(u64) -> Option<u64>,
    ) {
        let rows = self.weighted_rows(leaf);
        self.make_wide(class);
        let units = self.units_at(rows, class);
        if let Some(changed) = change(units) {
            return self.set_units(rows, class, changed);
        }
        for class in 0..self.row_width {
            self.set_units(rows, class, self.units_at(rows, class).div_ceil(2));
        }
        let changed = change(units.div_ceil(2)).unwrap_or(0);
        self.set_units(rows, class, changed);
    }

    /// Returns the two rows of a leaf, which counts in units from now on.
    fn weighted_rows(&mut self, leaf: LeafId) -> [u32; 2] {
        let counts = self.leaves[leaf.index()];
        if let Counts::Weighted { high, low } = counts {
            return [high, low];
        }
        let rows @ [high, low] = [self.take_row(), self.take_row()];
        if let Counts::OneClass { class, .. } = counts {
            self.make_wide(class);
        }
        for (class, units) in self.units(leaf).collect::<Vec<_>>() {
            self.set_units(rows, class as u32, units);
        }
        if let Counts::Row(row) = counts {
            self.free_row(row);
        }
        self.leaves[leaf.index()] = Counts::Weighted { high, low };
        rows
    }

    fn units_at(&self, [high, low]: [u32; 2], class: u32) -> u64 {
        let part = |row| u64::from(self.row(row)[class as usize]);
        part(high) << 32 | part(low)
    }

    fn set_units(&mut self, [high, low]: [u32; 2], class: u32, units: u64) {
        for (row, part) in [(high, (units >> 32) as u32), (low, units as u32)] {
            let cells = self.cells(row);
            self.rows[cells][class as usize] = part;
        }
    }

    /// Returns the classes of a leaf, each with its count in units of weights.
    pub(super) fn units(&self, leaf: LeafId) -> impl Iterator<Item = (usize, u64)> {
        let (counted, weighted) = match self.leaves[leaf.index()] {
            Counts::Weighted { high, low } => (None, Some([high, low])),
            _ => (Some(self.counts(leaf)), None),
        };
        let counted = counted.into_iter().flatten();
        let of_copies = counted.map(|(class, count)| (class, u64::from(count) * COPY));
        let of_units = weighted.into_iter().flat_map(move |rows| {
            let all = (0..self.row_width).map(move |class| self.units_at(rows, class));
            all.enumerate()
        });
        of_copies.chain(of_units).filter(|(_, units)| *units > 0)
    }

    /// Puts the frequencies of a leaf that counts in units into `accumulator`, which is all 0.
    #[cold]
    pub(super) fn add_weighted_frequencies(&self, leaf: LeafId, accumulator: &mut [f64]) {
        let total: u128 = self.units(leaf).map(|(_, units)| u128::from(units)).sum();
        for (class, units) in self.units(leaf) {
            accumulator[class] = units as f64 / total as f64;
        }
    }
}
