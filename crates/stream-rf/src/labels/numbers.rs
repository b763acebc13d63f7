//! Numbers, our extension: a leaf's moments and its prediction; the numbers in every bin, and the variance that a split explains.

use std::ops::AddAssign;

use forest_core::{InvariantError, Regression, Vote};
use serde::{Deserialize, Serialize};

use super::{Labels, SplitLabels};
use crate::point_counts::{Dimension as AnyDimension, EarlyPoint};

/// A summary is one cell: the moments of the labels.
impl Labels for Regression {
    type Cell = Moments;
    type Splits = NumberSums;
    type Scratch = Scratch;

    fn add(row: &mut [Moments], number: f64, weight: u32) {
        row[0].add(number, weight.into());
    }

    fn error(row: &[Moments]) -> f64 {
        let known = row.first().filter(|moments| moments.weight > 0.0);
        known.map_or(0.0, |moments| moments.squares / moments.weight)
    }

    /// Returns the mean, and one vote.
    fn accumulator_width((): &()) -> usize {
        2
    }

    fn vote(row: &[Moments], _: Vote, accumulator: &mut [f64]) {
        let known = row.first().filter(|moments| moments.weight > 0.0);
        accumulator.copy_from_slice(&known.map_or([0.0; 2], |moments| [moments.mean, 1.0]));
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        let (sum, trees) = (accumulator[0], accumulator[1]);
        prediction[0] = sum / trees.max(1.0);
    }
}

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
        // Welford's update: the squares need the distance from the mean before and after it.
        let before = number - self.mean;
        self.mean += before * (weight / self.weight);
        self.squares += weight * before * (number - self.mean);
    }

    /// Adds the numbers of another summary: as many equal ones, and their squared distances.
    fn merge(&mut self, other: Self) {
        if other.weight > 0.0 {
            self.add(other.mean, other.weight);
            self.squares += other.squares;
        }
    }
}

type Dimension<'a> = AnyDimension<'a, f64>;

/// The numbers of one bin, or of several: their sum, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Powers {
    sum: f64,
    squares: f64,
}

impl Powers {
    fn of(number: f64, weight: f64) -> Self {
        Self {
            sum: weight * number,
            squares: weight * number * number,
        }
    }

    /// Returns the moments of `count` numbers that were taken relative to `origin`.
    fn moments(self, count: u64, origin: f64) -> Moments {
        let weight = count as f64;
        let mean = self.sum / weight.max(1.0);
        Moments {
            weight,
            mean: origin + mean,
            // Rounding may leave a little less than 0 where all numbers are equal.
            squares: (self.squares - mean * self.sum).max(0.0),
        }
    }

    /// Returns the share of the variance of `count` numbers that a split explains, on whose left are this number with
    /// this sum; 0 if there is none.
    fn explained(self, count: u64, left: u64, left_sum: f64) -> f64 {
        // Wrapping: the counts of a crafted file may contradict each other.
        let [n, l, r] = [count, left, count.wrapping_sub(left)].map(|count| count as f64);
        let distance = left_sum / l - (self.sum - left_sum) / r;
        let between = l * r / n * distance * distance;
        let gain = between / self.moments(count, 0.0).squares;
        // 0/0 of an empty side, or of numbers without variance.
        if gain.is_finite() { gain } else { 0.0 }
    }
}

impl AddAssign for Powers {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// Powers of the numbers in every bin, relative to the first number of the leaf, so that few digits
/// cancel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NumberSums {
    first: Option<f64>,
    bins: Box<[Powers]>,
}

/// Powers of the numbers on both sides, by the source of the split; and for each split of one
/// dimension the points on the left, and the sum of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    both: Vec<Powers>,
    left: Vec<u64>,
    left_sums: Vec<f64>,
}

impl NumberSums {
    fn powers(&self, of: &Dimension<'_>) -> &[Powers] {
        &self.bins[of.start()..][..of.bins]
    }

    /// Returns the origin that numbers are relative to.
    fn origin(&self) -> f64 {
        self.first.unwrap_or(0.0)
    }

    /// Fills `left` with the sum of the numbers on the left of every split.
    fn sum_left(&self, of: &Dimension<'_>, left: &mut Vec<f64>) {
        let mut sum = 0.0;
        left.clear();
        left.extend(self.powers(of).iter().take(of.sources.len()).map(|bin| {
            sum += bin.sum;
            sum
        }));
        for (early, bin) in of.early() {
            of.add_left(early, bin, early.target - self.origin(), left);
        }
    }
}

impl SplitLabels<Regression> for NumberSums {
    fn new(bins: usize) -> Self {
        Self {
            first: None,
            bins: vec![Powers::default(); bins].into(),
        }
    }

    fn has_met(&self, _: f64) -> bool {
        self.first.is_some()
    }

    #[inline]
    fn add(&mut self, at: impl Iterator<Item = usize>, _: usize, target: f64, weight: u32) {
        // The first number is the origin for good: sums of powers cannot be moved to another one without loss.
        let number = target - *self.first.get_or_insert(target);
        let powers = Powers::of(number, weight.into());
        at.for_each(|bin| self.bins[bin] += powers);
    }

    fn add_sides(&self, of: &Dimension<'_>, rank: usize, rows: &mut [&mut [Moments]; 2]) {
        for (bin, powers) in self.powers(of).iter().enumerate() {
            let count = of.points.bins.sum(of.start() + bin, 1);
            let moments = powers.moments(count, self.origin());
            rows[usize::from(bin > rank)][0].merge(moments);
        }
    }

    /// Returns the share of the variance that the split explains: between its sides, of all.
    fn find_gains<'a>(
        &self,
        dimension: impl Fn(usize) -> Dimension<'a>,
        counted: &[u64],
        scratch: &mut Scratch,
        gains: &mut Vec<f64>,
    ) -> f64 {
        let (both, left, sums) = (&mut scratch.both, &mut scratch.left, &mut scratch.left_sums);
        let (first, mut binned) = (dimension(0), Powers::default());
        self.powers(&first).iter().for_each(|&bin| binned += bin);
        let of_early =
            |early: &EarlyPoint<f64>| Powers::of(early.target - self.origin(), early.weight.into());
        first
            .points
            .sum_by_source(both, counted.len(), binned, of_early);
        gains.clear();
        for of in (0..first.dimensions).map(dimension) {
            of.count_left(left);
            self.sum_left(&of, sums);
            let left = left.iter().zip(&*sums);
            gains.extend(left.zip(of.sources).map(|((&left, &sum), &source)| {
                let source = usize::from(source);
                both[source].explained(counted[source], left, sum)
            }));
        }
        f64::INFINITY
    }

    /// No bound is kept: it spared searches worth 7 % of the time at most, and cost as much elsewhere.
    fn gain_increase(&self, _: &Dimension<'_>, _: f64, _: u32) -> f64 {
        f64::INFINITY
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.bins)
    }

    fn check(&self, bins: usize, (): &()) -> Result<(), InvariantError> {
        let what = "not as many bins as points have";
        InvariantError::require(self.bins.len() == bins, "labels", what)
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
        let of = moments(&[1.0, 2.0, 6.0]);
        assert!((of.mean - 3.0).abs() < 1e-15 && (of.squares - 14.0).abs() < 1e-13);
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
    fn the_error_of_a_leaf_is_its_variance() {
        let mut row = [Moments::default()];
        assert_eq!(Regression::error(&row), 0.0);
        for number in [1.0, 2.0, 6.0] {
            Regression::add(&mut row, number, 1);
        }
        assert!((Regression::error(&row) - 14.0 / 3.0).abs() < 1e-14);
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
