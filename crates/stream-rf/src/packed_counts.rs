//! Counts in the smallest whole numbers that hold them.

#![expect(
    clippy::useless_conversion,
    clippy::unnecessary_fallible_conversions,
    reason = "what is a conversion for one width is none for another"
)]

use serde::{Deserialize, Serialize};

/// A row of counts of one byte each, until one needs two, or eight: eight at once take 1.3 to 3.9 times the memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PackedCounts {
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
    pub(crate) fn zeros(count: usize) -> Self {
        Self::Bytes(vec![0; count])
    }

    pub(crate) fn len(&self) -> usize {
        for_any_width!(self, counts => counts.len())
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Bytes(counts) => counts.capacity(),
            Self::Pairs(counts) => 2 * counts.capacity(),
            Self::Words(counts) => 8 * counts.capacity(),
        }
    }

    /// Makes room for `count` zeros from place `at` on.
    pub(crate) fn insert_zeros(&mut self, at: usize, count: usize) {
        for_any_width!(self, counts => insert_zeros(counts, at, count));
    }

    /// Adds `weight` at a place, widening all counts if its count would overflow.
    #[inline]
    pub(crate) fn add(&mut self, place: usize, weight: u32) {
        while !self.has_added(place, weight) {
            self.widen();
        }
    }

    #[inline]
    fn has_added(&mut self, place: usize, weight: u32) -> bool {
        for_any_width!(self, counts => {
            let weight = weight.try_into().ok();
            let sum = weight.and_then(|weight| counts[place].checked_add(weight));
            sum.map(|sum| counts[place] = sum).is_some()
        })
    }

    #[cold]
    fn widen(&mut self) {
        *self = match self {
            Self::Bytes(counts) => Self::Pairs(counts.iter().map(|&n| n.into()).collect()),
            _ => Self::Words((0..self.len()).map(|place| self.sum(place, 1)).collect()),
        };
    }

    #[inline]
    pub(crate) fn sum(&self, start: usize, count: usize) -> u64 {
        for_any_width!(self, counts => {
            let counts = counts[start..start + count].iter();
            counts.map(|&n| u64::from(n)).sum()
        })
    }

    /// Returns the sum of the first `left` of `all` counts from `start` on, and that of the others.
    #[inline]
    pub(crate) fn sides(&self, start: usize, left: usize, all: usize) -> [u64; 2] {
        [self.sum(start, left), self.sum(start + left, all - left)]
    }

    /// Returns whether no sum overflows: after decoding.
    pub(crate) fn are_bounded(&self) -> bool {
        for_any_width!(self, counts => counts.iter().all(|&n| u64::from(n) < 1 << 44))
    }

    /// Fills `sums` with the running sums of the counts from `start` on.
    #[inline]
    pub(crate) fn read_sums(&self, start: usize, sums: &mut [u64]) {
        let range = start..start + sums.len();
        let mut total = 0;
        for_any_width!(self, counts => {
            for (sum, &count) in sums.iter_mut().zip(&counts[range]) {
                total += u64::from(count);
                *sum = total;
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

    #[test]
    fn counts_are_those_of_wide_numbers_whatever_the_width() {
        let mut packed = PackedCounts::Bytes(vec![9, 255, 7, 0, 0, 0]);
        let mut wide = [9, 255, 7, 0, 0, 0];
        let mut rng = TreeRng::new(1, 0);
        for step in 0..3000 {
            let weight = if step < 1000 { 1 } else { rng.below(200) };
            for cell in [rng.below(3), 3 + rng.below(3)] {
                packed.add(cell, weight as u32);
                wide[cell] += weight as u64;
            }
            assert!((0..6).all(|cell| packed.sum(cell, 1) == wide[cell]));
        }
        assert!(matches!(packed, PackedCounts::Words(_)));
        packed.insert_zeros(2, 2);
        let sides = [wide[0] + wide[1], wide[2..].iter().sum()];
        assert_eq!(packed.sides(0, 3, 8), sides);
    }

    /// As histograms of ten bins are made one by one: twice as much as is missing, or half as much again.
    #[test]
    fn room_is_made_for_two_histograms_or_half_of_those_there_are() {
        let mut counts = Vec::new();
        let mut obvious = Vec::new();
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
}
