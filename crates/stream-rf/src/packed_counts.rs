//! Counts in the smallest whole numbers that hold them.

#![expect(
    clippy::useless_conversion,
    clippy::unnecessary_fallible_conversions,
    reason = "what is a conversion for one width is none for another"
)]

use serde::{Deserialize, Serialize};

/// A row of counts: one byte each until one of them needs two, then two, then eight.
///
/// Most counts of a leaf stay below 256, since the leaf is split before; eight bytes never overflow.
/// With eight bytes from the start, a forest takes 1.3 (numbers) to 3.9 times as many bytes, and
/// learns letter in up to 1.35 times the time (`cargo bench -p benches --bench stream_rf`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PackedCounts {
    Bytes(Vec<u8>),
    Pairs(Vec<u16>),
    Words(Vec<u64>),
}

/// Evaluates an expression for the counts of any width.
macro_rules! for_any_width {
    ($packed:expr, $counts:ident => $value:expr) => {
        match $packed {
            PackedCounts::Bytes($counts) => $value,
            PackedCounts::Pairs($counts) => $value,
            PackedCounts::Words($counts) => $value,
        }
    };
}

impl PackedCounts {
    /// `count` zeros, of a byte each.
    pub(crate) fn zeros(count: usize) -> Self {
        Self::Bytes(vec![0; count])
    }

    pub(crate) fn len(&self) -> usize {
        for_any_width!(self, counts => counts.len())
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Bytes(counts) => counts.capacity(),
            Self::Pairs(counts) => counts.capacity() * size_of::<u16>(),
            Self::Words(counts) => counts.capacity() * size_of::<u64>(),
        }
    }

    /// Makes room for `count` zeros from place `at` on.
    pub(crate) fn insert_zeros(&mut self, at: usize, count: usize) {
        for_any_width!(self, counts => insert_zeros(counts, at, count));
    }

    /// Adds `weight` at each of `places`, widening all counts when one would overflow.
    #[inline]
    pub(crate) fn add(&mut self, mut places: impl Iterator<Item = usize>, weight: u32) {
        let mut full = self.add_until_full(&mut places, weight);
        while let Some(place) = full {
            self.widen();
            let mut rest = std::iter::once(place).chain(places.by_ref());
            full = self.add_until_full(&mut rest, weight);
        }
    }

    /// Adds at the places in turn; ends with the first that would overflow.
    #[inline]
    fn add_until_full(
        &mut self,
        places: &mut impl Iterator<Item = usize>,
        weight: u32,
    ) -> Option<usize> {
        for_any_width!(self, counts => {
            let Some(weight) = weight.try_into().ok() else {
                return places.next();
            };
            places.find(|&place| {
                let sum = counts[place].checked_add(weight);
                sum.map(|sum| counts[place] = sum).is_none()
            })
        })
    }

    #[cold]
    fn widen(&mut self) {
        *self = match self {
            Self::Bytes(counts) => Self::Pairs(counts.iter().map(|&n| n.into()).collect()),
            Self::Pairs(counts) => Self::Words(counts.iter().map(|&n| n.into()).collect()),
            Self::Words(counts) => Self::Words(std::mem::take(counts)),
        };
    }

    /// The sum of `count` counts from `start` on.
    #[inline]
    pub(crate) fn sum(&self, start: usize, count: usize) -> u64 {
        for_any_width!(self, counts => {
            let counts = counts[start..start + count].iter();
            counts.fold(0, |sum: u64, &n| sum.saturating_add(n.into()))
        })
    }

    /// Copies the counts from `start` on.
    #[inline]
    pub(crate) fn read(&self, start: usize, out: &mut [u64]) {
        let range = start..start + out.len();
        for_any_width!(self, counts => {
            for (out, &count) in out.iter_mut().zip(&counts[range]) {
                *out = count.into();
            }
        });
    }
}

fn insert_zeros<N: Clone + Default>(counts: &mut Vec<N>, at: usize, count: usize) {
    let old = counts.len();
    if counts.capacity() - old < count {
        // Twice as much would be unused in most leaves, which meet few classes.
        counts.reserve_exact((2 * count).max(old / 2));
    }
    counts.resize(old + count, N::default());
    counts[at..].rotate_right(count);
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    fn all(packed: &PackedCounts) -> Vec<u64> {
        let mut cells = vec![0; packed.len()];
        packed.read(0, &mut cells);
        cells
    }

    #[test]
    fn counts_are_those_of_wide_numbers_whatever_the_width() {
        let (mut packed, mut wide) = (PackedCounts::zeros(6), vec![0u64; 6]);
        let mut rng = TreeRng::new(1, 0);
        for step in 0..3000 {
            let weight = if step < 1000 {
                1
            } else {
                rng.below(200) as u32
            };
            let cells = [rng.below(3), 3 + rng.below(3)];
            packed.add(cells.into_iter(), weight);
            cells.iter().for_each(|&c| wide[c] += u64::from(weight));
            assert_eq!(all(&packed), wide);
        }
        assert!(matches!(packed, PackedCounts::Words(_)));
    }

    #[test]
    fn an_overflow_in_the_middle_counts_every_cell_once() {
        let mut packed = PackedCounts::Bytes(vec![9, 255, 7]);
        packed.add(0..3, 1);
        assert_eq!(packed, PackedCounts::Pairs(vec![10, 256, 8]));
        packed.add(std::iter::once(2), 70_000);
        assert_eq!(packed, PackedCounts::Words(vec![10, 256, 70_008]));
    }

    /// As histograms of ten bins are made one by one: twice as much as is missing, or half as much again.
    #[test]
    fn room_is_made_for_two_histograms_or_half_of_those_there_are() {
        let (mut counts, mut obvious) = (Vec::new(), Vec::new());
        let rooms = [20, 20, 40, 40, 60, 60, 90, 90, 90, 135, 135, 135, 135, 195];
        for (n, room) in (0u8..).zip(rooms) {
            let at = usize::from(n) * 5;
            insert_zeros(&mut counts, at, 10);
            obvious.splice(at..at, [0; 10]);
            assert_eq!((&counts, counts.capacity()), (&obvious, room));
            counts[at..][..10].fill(n + 1);
            obvious[at..][..10].fill(n + 1);
        }
    }

    #[test]
    fn zeros_are_put_in_between() {
        let mut packed = PackedCounts::Bytes(vec![1, 2, 3, 4]);
        packed.insert_zeros(2, 2);
        packed.insert_zeros(6, 1);
        assert_eq!(packed, PackedCounts::Bytes(vec![1, 2, 0, 0, 3, 4, 0]));
    }
}
