//! Counts in the smallest whole numbers that hold them.

use serde::{Deserialize, Serialize};

/// A row of counts: one byte each until one of them needs two, then two, then eight.
///
/// Most counts of a leaf stay below 256, since the leaf is split before; eight bytes never overflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counters {
    Byte(Vec<u8>),
    Short(Vec<u16>),
    Long(Vec<u64>),
}

impl Default for Counters {
    fn default() -> Self {
        Self::zeros(0)
    }
}

/// A whole number of fixed width; `None` if the sum does not fit.
trait Count: Copy + Into<u64> {
    fn plus(self, weight: u32) -> Option<Self>;
}

impl Count for u8 {
    #[inline]
    fn plus(self, weight: u32) -> Option<Self> {
        self.checked_add(Self::try_from(weight).ok()?)
    }
}

impl Count for u16 {
    #[inline]
    fn plus(self, weight: u32) -> Option<Self> {
        self.checked_add(Self::try_from(weight).ok()?)
    }
}

/// No stream is long enough to fill 64 bits.
impl Count for u64 {
    #[inline]
    fn plus(self, weight: u32) -> Option<Self> {
        Some(self.saturating_add(weight.into()))
    }
}

impl Counters {
    /// `count` zeros, of a byte each.
    pub(crate) fn zeros(count: usize) -> Self {
        Self::Byte(vec![0; count])
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Byte(cells) => cells.len(),
            Self::Short(cells) => cells.len(),
            Self::Long(cells) => cells.len(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Byte(cells) => cells.capacity(),
            Self::Short(cells) => cells.capacity() * size_of::<u16>(),
            Self::Long(cells) => cells.capacity() * size_of::<u64>(),
        }
    }

    /// Makes room for `count` zeros from cell `at` on.
    pub(crate) fn insert_zeros(&mut self, at: usize, count: usize) {
        fn insert<C: Clone + From<u8>>(cells: &mut Vec<C>, at: usize, count: usize) {
            let old = cells.len();
            if cells.capacity() - old < count {
                // Twice as much would be unused in most leaves, which meet few classes.
                cells.reserve_exact((2 * count).max(old / 2));
            }
            cells.resize(old + count, C::from(0));
            cells[at..].rotate_right(count);
        }
        match self {
            Self::Byte(cells) => insert(cells, at, count),
            Self::Short(cells) => insert(cells, at, count),
            Self::Long(cells) => insert(cells, at, count),
        }
    }

    /// Adds `weight` to each of `cells`, widening all counts when one would overflow.
    #[inline]
    pub(crate) fn add(&mut self, mut cells: impl Iterator<Item = usize>, weight: u32) {
        let mut full = self.add_until_full(&mut cells, weight);
        while let Some(cell) = full {
            self.widen();
            let mut rest = std::iter::once(cell).chain(cells.by_ref());
            full = self.add_until_full(&mut rest, weight);
        }
    }

    /// Adds to the cells in turn; the first that would overflow ends it.
    #[inline]
    fn add_until_full(
        &mut self,
        at: &mut impl Iterator<Item = usize>,
        weight: u32,
    ) -> Option<usize> {
        #[inline]
        fn each<C: Count>(
            cells: &mut [C],
            at: &mut impl Iterator<Item = usize>,
            weight: u32,
        ) -> Option<usize> {
            at.find(|&cell| match cells[cell].plus(weight) {
                Some(sum) => {
                    cells[cell] = sum;
                    false
                }
                None => true,
            })
        }
        match self {
            Self::Byte(cells) => each(cells, at, weight),
            Self::Short(cells) => each(cells, at, weight),
            Self::Long(cells) => each(cells, at, weight),
        }
    }

    #[cold]
    fn widen(&mut self) {
        *self = match self {
            Self::Byte(cells) => Self::Short(cells.iter().map(|&c| c.into()).collect()),
            Self::Short(cells) => Self::Long(cells.iter().map(|&c| c.into()).collect()),
            Self::Long(cells) => Self::Long(std::mem::take(cells)),
        };
    }

    /// The sum of `count` cells from `start` on.
    #[inline]
    pub(crate) fn sum(&self, start: usize, count: usize) -> u64 {
        #[inline]
        fn add<C: Count>(cells: &[C]) -> u64 {
            cells
                .iter()
                .fold(0, |sum, &cell| sum.saturating_add(cell.into()))
        }
        let range = start..start + count;
        match self {
            Self::Byte(cells) => add(&cells[range]),
            Self::Short(cells) => add(&cells[range]),
            Self::Long(cells) => add(&cells[range]),
        }
    }

    /// Copies cells `start..start + out.len()`.
    #[inline]
    pub(crate) fn read(&self, start: usize, out: &mut [u64]) {
        #[inline]
        fn copy<C: Count>(cells: &[C], out: &mut [u64]) {
            for (out, &cell) in out.iter_mut().zip(cells) {
                *out = cell.into();
            }
        }
        let range = start..start + out.len();
        match self {
            Self::Byte(cells) => copy(&cells[range], out),
            Self::Short(cells) => copy(&cells[range], out),
            Self::Long(cells) => copy(&cells[range], out),
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    fn all(counters: &Counters) -> Vec<u64> {
        let mut cells = vec![0; counters.len()];
        counters.read(0, &mut cells);
        cells
    }

    #[test]
    fn counts_are_those_of_wide_numbers_whatever_the_width() {
        let (mut counters, mut wide) = (Counters::default(), vec![0u64; 6]);
        counters.insert_zeros(0, 6);
        let mut rng = TreeRng::new(1, 0);
        for step in 0..3000 {
            let weight = if step < 1000 {
                1
            } else {
                rng.below(200) as u32
            };
            let cells = [rng.below(3), 3 + rng.below(3)];
            counters.add(cells.into_iter(), weight);
            cells.iter().for_each(|&c| wide[c] += u64::from(weight));
            assert_eq!(all(&counters), wide);
        }
        assert!(matches!(counters, Counters::Long(_)));
    }

    #[test]
    fn an_overflow_in_the_middle_counts_every_cell_once() {
        let mut counters = Counters::Byte(vec![9, 255, 7]);
        counters.add(0..3, 1);
        assert_eq!(counters, Counters::Short(vec![10, 256, 8]));
        counters.add(std::iter::once(2), 70_000);
        assert_eq!(counters, Counters::Long(vec![10, 256, 70_008]));
    }

    #[test]
    fn zeros_are_put_in_between() {
        let mut counters = Counters::Byte(vec![1, 2, 3, 4]);
        counters.insert_zeros(2, 2);
        counters.insert_zeros(6, 1);
        assert_eq!(counters, Counters::Byte(vec![1, 2, 0, 0, 3, 4, 0]));
    }
}
