//! Class counts of a node and of what is left of its candidates, kept up to date.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use super::{Side, gain};
use crate::labels::sealed::Sides;

/// Rows of class counts: that of all samples, then those of the samples left of each candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClassSides {
    count: u32,
    sums: Box<[Sums]>,
    /// Counts of a class: those of candidates that were not found are 0.
    width: usize,
    /// Class by class, a count for all samples and one for each candidate.
    counts: Arena<u32>,
}

/// The counts of the samples on both sides of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sums {
    left: u32,
    left_squares: u64,
    right_squares: u64,
}

impl ClassSides {
    /// Makes room for `class`; returns where its counts start.
    fn row(&mut self, class: u32) -> usize {
        let width = self.width;
        let start = class as usize * width;
        if start >= self.counts.len() {
            self.counts.resize(start + width, 0);
        }
        start
    }
}

impl Sides<u32> for ClassSides {
    fn new(classes: &[u32], candidates: usize) -> Self {
        let mut sides = Self {
            count: classes.len() as u32,
            sums: vec![Sums::default(); candidates].into(),
            width: 1 + candidates,
            counts: Arena::default(),
        };
        for &class in classes {
            let start = sides.row(class);
            sides.counts[start] += 1;
        }
        sides
    }

    fn found(&mut self, candidates: usize) {
        self.sums = self.sums[..candidates].into();
    }

    fn add(&mut self, class: u32, is_left: impl Fn(usize) -> bool) {
        let start = self.row(class);
        let (total, lefts) = self.counts[start..]
            .split_first_mut()
            .expect("a row for the class");
        for (candidate, (sums, left)) in self.sums.iter_mut().zip(lefts).enumerate() {
            if is_left(candidate) {
                sums.left += 1;
                sums.left_squares += 2 * u64::from(*left) + 1;
                *left += 1;
            } else {
                sums.right_squares += 2 * u64::from(*total - *left) + 1;
            }
        }
        *total += 1;
        self.count += 1;
    }

    fn remove(&mut self, class: u32, is_left: impl Fn(usize) -> bool) {
        let start = self.row(class);
        let (total, lefts) = self.counts[start..]
            .split_first_mut()
            .expect("a row for the class");
        for (candidate, (sums, left)) in self.sums.iter_mut().zip(lefts).enumerate() {
            if is_left(candidate) {
                *left -= 1;
                sums.left -= 1;
                sums.left_squares -= 2 * u64::from(*left) + 1;
            } else {
                sums.right_squares -= 2 * u64::from(*total - *left) - 1;
            }
        }
        *total -= 1;
        self.count -= 1;
        self.drop_last_classes();
    }

    fn recount(&mut self, candidate: usize, column: &[f32], threshold: f32, classes: &[u32]) {
        let width = self.width;
        for row in self.counts.chunks_exact_mut(width) {
            row[1 + candidate] = 0;
        }
        let mut sums = Sums::default();
        for (_, &class) in column
            .iter()
            .zip(classes)
            .filter(|(value, _)| **value <= threshold)
        {
            self.counts[class as usize * width + 1 + candidate] += 1;
            sums.left += 1;
        }
        for row in self.counts.chunks_exact(width) {
            let (total, left) = (u64::from(row[0]), u64::from(row[1 + candidate]));
            sums.left_squares += left * left;
            sums.right_squares += (total - left) * (total - left);
        }
        self.sums[candidate] = sums;
    }

    #[inline]
    fn gain(&self, candidate: usize, side: u32) -> f64 {
        let Sums {
            left: count,
            left_squares,
            right_squares,
        } = self.sums[candidate];
        let left = Side {
            count,
            squares: left_squares,
        };
        gain(
            left,
            Side {
                count: self.count - count,
                squares: right_squares,
            },
            side,
        )
    }

    fn count(&self) -> u32 {
        self.count
    }

    fn may_be_pure(&self) -> bool {
        // Of one class all on either side are of it.
        let Sums {
            left,
            left_squares,
            right_squares,
        } = self.sums[0];
        let square = |count: u32| u64::from(count) * u64::from(count);
        let is_cut_purely =
            left_squares == square(left) && right_squares == square(self.count - left);
        let mut totals = self.counts.iter().step_by(self.width);
        is_cut_purely && totals.any(|&total| total == self.count)
    }

    fn bytes(&self) -> usize {
        self.counts.bytes() + self.sums.len() * size_of::<Sums>()
    }
}

impl ClassSides {
    /// A class beyond the last that has samples has no row: equal samples have equal counts.
    fn drop_last_classes(&mut self) {
        let width = self.width;
        let mut length = self.counts.len();
        while length > 0 && self.counts[length - width] == 0 {
            length -= width;
        }
        self.counts.truncate(length);
    }
}
