//! Numbers, our extension: a leaf's moments, and its prediction.

use forest_core::{InvariantError, Regression, Vote};

use super::Labels;
use super::moments::Moments;
use super::number_sums::{NumberSums, Scratch, is_sum_of_targets};

/// A summary is one cell: the moments of the labels.
impl Labels for Regression {
    type Cell = Moments;
    type Splits = NumberSums;
    type Scratch = Scratch;

    fn add(row: &mut [Moments], number: f64, weight: u32) {
        row[0].add(number, weight.into());
    }

    fn error(row: &[Moments]) -> f64 {
        let Moments {
            weight, squares, ..
        } = row[0];
        if weight > 0.0 { squares / weight } else { 0.0 }
    }

    /// Returns the mean, and one vote.
    fn accumulator_width((): &()) -> usize {
        2
    }

    fn vote(row: &[Moments], _: Vote, accumulator: &mut [f64]) {
        let prediction = if row[0].weight > 0.0 {
            [row[0].mean, 1.0]
        } else {
            [0.0; 2]
        };
        accumulator.copy_from_slice(&prediction);
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        let (sum, trees) = (accumulator[0], accumulator[1]);
        prediction[0] = sum / trees.max(1.0);
    }

    fn check_row(row: &[Moments], (): &()) -> Result<(), InvariantError> {
        let sound = |m: &Moments| {
            let bounded = is_sum_of_targets(m.mean, 1.0) && m.squares.is_finite();
            m.weight >= 0.0 && bounded && m.squares >= 0.0
        };
        let what = "moments that no numbers have";
        InvariantError::require(row.len() == 1 && row.iter().all(sound), "leaf", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::assert_all_are_reported;

    #[test]
    fn the_error_of_a_leaf_is_its_variance() {
        let mut row = [Moments::default()];
        assert_eq!(Regression::error(&row), 0.0);
        for number in [1.0, 2.0, 6.0] {
            Regression::add(&mut row, number, 1);
        }
        assert!((Regression::error(&row) - 14.0 / 3.0).abs() < 1e-14);
    }

    #[test]
    fn the_largest_targets_have_moments() {
        let (largest, mut row) = (Regression::LARGEST_TARGET, [Moments::default()]);
        for number in [largest, -largest, largest] {
            Regression::add(&mut row, number, 1);
        }
        assert!((row[0].mean - largest / 3.0).abs() < 1e-15 * largest);
        Regression::check_row(&row, &()).unwrap();
    }

    #[test]
    fn every_fault_of_a_leaf_is_reported() {
        const MOMENTS: &str = "leaf: moments that no numbers have";
        let sound = vec![Moments {
            weight: 2.0,
            mean: 3.0,
            squares: 4.0,
        }];
        assert_all_are_reported(
            &sound,
            |row| Regression::check_row(row, &()),
            &[
                ("too large a mean", MOMENTS, |row| row[0].mean = 1e101),
                ("infinite squares", MOMENTS, |row| {
                    row[0].squares = f64::INFINITY;
                }),
                ("a weight below 0", MOMENTS, |row| row[0].weight = -1.0),
                ("squares below 0", MOMENTS, |row| row[0].squares = -1.0),
                ("no cell", MOMENTS, |row| row.clear()),
                ("two cells", MOMENTS, |row| row.push(row[0])),
            ],
        );
    }

    #[test]
    fn trees_without_points_do_not_vote() {
        let mut accumulator = [9.0; 2];
        Regression::vote(&[Moments::default()], Vote::default(), &mut accumulator);
        assert_eq!(accumulator, [0.0, 0.0]);
        let mut prediction = [9.0];
        Regression::finish(&[0.0, 0.0], &mut prediction);
        assert_eq!(prediction, [0.0]);
        Regression::finish(&[6.0, 2.0], &mut prediction);
        assert_eq!(prediction, [3.0]);
    }
}
