//! Numbers, our extension: a leaf's moments, and its answer.

mod bins;

use forest_core::{InvariantError, Regression};
use serde::{Deserialize, Serialize};

use super::Labels;
use crate::Vote;

pub use bins::{BinSums, Totals};

/// How many numbers, their mean, and the sum of their squared distances from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds `weight` times a number.
    fn add(&mut self, number: f64, weight: f64) {
        self.weight += weight;
        let before = number - self.mean;
        self.mean += before * (weight / self.weight);
        self.squares += weight * before * (number - self.mean);
    }

    /// Adds the numbers of another summary: as many equal ones, and how they scatter.
    fn merge(&mut self, other: Self) {
        if other.weight > 0.0 {
            self.add(other.mean, other.weight);
            self.squares += other.squares;
        }
    }
}

/// Whether `sum` can be a sum of `count` targets; sums of that many round.
fn is_sum_of_targets(sum: f64, count: f64) -> bool {
    sum.abs() <= count * Regression::LARGEST_TARGET * 1.000_001
}

/// A summary is one cell: the moments of the labels.
impl Labels for Regression {
    type Cell = Moments;
    type Sums = BinSums;
    type Totals = Totals;

    fn cells((): &()) -> usize {
        1
    }

    fn add(row: &mut [Moments], number: f64, weight: u32) {
        row[0].add(number, weight.into());
    }

    fn error(row: &[Moments]) -> f64 {
        let Moments {
            weight, squares, ..
        } = row[0];
        if weight > 0.0 { squares / weight } else { 0.0 }
    }

    /// The mean, and one vote.
    fn accumulator_width((): &()) -> usize {
        2
    }

    fn cast(row: &[Moments], _: Vote, accumulator: &mut [f64]) {
        if row[0].weight > 0.0 {
            accumulator.copy_from_slice(&[row[0].mean, 1.0]);
        }
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        let (sum, trees) = (accumulator[0], accumulator[1]);
        prediction[0] = sum / trees.max(1.0);
    }

    fn check_row(row: &[Moments], (): &()) -> Result<(), InvariantError> {
        let sound = |m: &Moments| {
            let bound = |mean| is_sum_of_targets(mean, 1.0);
            m.weight >= 0.0 && bound(m.mean) && m.squares >= 0.0 && m.squares.is_finite()
        };
        let what = || "moments that no numbers have";
        InvariantError::unless(row.len() == 1 && row.iter().all(sound), || "leaf", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(numbers: &[f64]) -> Moments {
        let mut moments = Moments::default();
        numbers.iter().for_each(|&number| moments.add(number, 1.0));
        moments
    }

    #[test]
    fn moments_are_those_of_the_numbers() {
        let row = [moments(&[1.0, 2.0, 6.0])];
        assert!((row[0].mean - 3.0).abs() < 1e-15);
        assert!((Regression::error(&row) - 14.0 / 3.0).abs() < 1e-14);
    }

    #[test]
    fn merged_moments_are_those_of_all_numbers() {
        let mut merged = moments(&[1.0, 2.0]);
        merged.merge(moments(&[6.0, 7.0, -4.0]));
        let all = moments(&[1.0, 2.0, 6.0, 7.0, -4.0]);
        assert!((merged.mean - all.mean).abs() < 1e-14);
        assert!((merged.squares - all.squares).abs() < 1e-12);
    }

    #[test]
    fn the_largest_targets_have_moments() {
        let largest = Regression::LARGEST_TARGET;
        let row = [moments(&[largest, -largest, largest])];
        assert!((row[0].mean - largest / 3.0).abs() < 1e-15 * largest);
        Regression::check_row(&row, &()).unwrap();
    }

    #[test]
    fn trees_that_know_nothing_do_not_vote() {
        let mut prediction = [9.0];
        Regression::finish(&[0.0, 0.0], &mut prediction);
        assert_eq!(prediction, [0.0]);
        Regression::finish(&[6.0, 2.0], &mut prediction);
        assert_eq!(prediction, [3.0]);
    }
}
