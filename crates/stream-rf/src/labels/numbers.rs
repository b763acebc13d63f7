//! Numbers, our extension: means of estimation points, splits by the variance they explain.

use forest_core::{InvariantError, Regression};
use serde::{Deserialize, Serialize};

use super::{Labels, Sums, Work};
use crate::Vote;
use crate::counters::Counters;
use crate::evidence::Dimension;

/// How many numbers, their mean, and the sum of their squared distances from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds `weight` times a number; the mean never overflows.
    fn add(&mut self, number: f64, weight: f64) {
        self.weight += weight;
        let share = weight / self.weight;
        let before = number - self.mean;
        self.mean = self.mean * (1.0 - share) + number * share;
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

/// A summary is one cell: the moments of the labels.
impl Labels for Regression {
    type Cell = Moments;
    type Sums = BinSums;
    type Wholes = Wholes;

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
    fn ballot_width((): &()) -> usize {
        2
    }

    fn cast(row: &[Moments], _: Vote, ballot: &mut [f64]) {
        if row[0].weight > 0.0 {
            ballot.copy_from_slice(&[row[0].mean, 1.0]);
        }
    }

    fn tally(ballot: &[f64], prediction: &mut [f64]) {
        let (sum, voters) = (ballot[0], ballot[1]);
        // Rounding may step over the end of the range, which no mean does.
        prediction[0] = (sum / voters.max(1.0)).clamp(f64::MIN, f64::MAX);
    }

    fn check_row(row: &[Moments], (): &()) -> Result<(), InvariantError> {
        let sound = |m: &Moments| m.weight >= 0.0 && m.mean.is_finite() && !m.squares.is_nan();
        let what = || "moments that no numbers have";
        InvariantError::unless(row.iter().all(sound), || "leaf", what)
    }
}

/// The numbers of one bin, or of several: their sum, and the sum of their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Powers {
    sum: f64,
    squares: f64,
}

impl Powers {
    fn add(&mut self, number: f64, weight: f64) {
        self.sum += weight * number;
        self.squares += weight * number * number;
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// The moments of `count` numbers that were taken relative to `origin`.
    fn moments(self, count: u64, origin: f64) -> Moments {
        let weight = count as f64;
        let mean = self.sum / weight.max(1.0);
        Moments {
            weight,
            mean: origin + mean,
            squares: (self.squares - mean * self.sum).max(0.0),
        }
    }
}

/// Powers of the numbers in every bin, relative to the first number met, so that few digits cancel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BinSums {
    origin: Option<f64>,
    bins: Vec<Powers>,
}

/// Powers of the numbers on both sides, by the birth of the split, and the sum of those on the left
/// of each split of one dimension: working memory.
#[derive(Clone, Debug, Default)]
pub struct Wholes {
    both: Vec<Powers>,
    left: Vec<f64>,
}

impl BinSums {
    fn origin(&self) -> f64 {
        self.origin.unwrap_or(0.0)
    }

    fn powers(&self, of: &Dimension<'_, Regression>) -> &[Powers] {
        &self.bins[of.start()..][..of.bins]
    }

    /// Fills `left` with the sum of the numbers on the left of every split.
    fn sum_left(&self, of: &Dimension<'_, Regression>, left: &mut Vec<f64>) {
        let mut sum = 0.0;
        left.clear();
        left.extend(self.powers(of).iter().take(of.births.len()).map(|bin| {
            sum += bin.sum;
            sum
        }));
        for (early, bin) in of.early() {
            of.add_left(early, bin, early.target - self.origin(), left);
        }
    }
}

impl Sums<Regression> for BinSums {
    fn restart(&mut self, bins: usize) {
        self.origin = None;
        self.bins.clear();
        self.bins.resize(bins, Powers::default());
    }

    fn meet(&mut self, target: f64, _: usize) {
        self.origin.get_or_insert(target);
    }

    fn has_met(&self, _: f64) -> bool {
        self.origin.is_some()
    }

    #[inline]
    fn count(&mut self, cells: impl Iterator<Item = usize>, _: usize, target: f64, weight: u32) {
        let number = target - *self.origin.get_or_insert(target);
        for cell in cells {
            self.bins[cell].add(number, weight.into());
        }
    }

    fn sides(
        &self,
        of: &Dimension<'_, Regression>,
        rank: usize,
        left: &mut [Moments],
        right: &mut [Moments],
    ) {
        let counts = of.counts();
        for (bin, (powers, &count)) in self.powers(of).iter().zip(&counts).enumerate() {
            let side = if bin <= rank { &mut *left } else { &mut *right };
            side[0].merge(powers.moments(count, self.origin()));
        }
    }

    fn prepare(&self, of: &Dimension<'_, Regression>, work: &mut Work<Regression>) {
        let settled = self.powers(of).iter().fold(Powers::default(), Powers::plus);
        let both = &mut work.wholes.both;
        both.clear();
        both.resize(of.births.len(), settled);
        for (early, _) in of.early() {
            let counting = &mut both[..early.points.into()];
            let number = early.target - self.origin();
            counting
                .iter_mut()
                .for_each(|all| all.add(number, early.weight.into()));
        }
    }

    /// The share of the variance that the split explains: between its sides, of all.
    fn gains(&self, of: &Dimension<'_, Regression>, work: &mut Work<Regression>) {
        of.sizes(work);
        self.sum_left(of, &mut work.wholes.left);
        let wholes = &work.wholes;
        let splits = of.births.iter().zip(&wholes.left).zip(&work.sizes);
        work.gains.clear();
        work.gains
            .extend(splits.map(|((&birth, &left_sum), sizes)| {
                let both = wholes.both[usize::from(birth)];
                let [n, left, right] = [sizes.both, sizes.left, sizes.right()].map(|n| n as f64);
                let distance = left_sum / left - (both.sum - left_sum) / right;
                let between = left * right / n * distance * distance;
                let gain = between / both.moments(sizes.both, 0.0).squares;
                if gain.is_finite() { gain } else { 0.0 }
            }));
    }

    /// A share of variance is not a sum over points.
    fn surprise(&self, _: &Dimension<'_, Regression>, _: f64) -> f64 {
        f64::INFINITY
    }

    fn bytes(&self) -> usize {
        size_of_val(self.bins.as_slice())
    }

    fn check(&self, sizes: &Counters, (): &()) -> Result<(), InvariantError> {
        let finite = self.origin.is_none_or(f64::is_finite);
        let fits = finite && self.bins.len() == sizes.len();
        InvariantError::unless(fits, || "labels", || "not as many bins as the points have")
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
    fn the_largest_numbers_have_a_mean() {
        let row = [moments(&[f64::MAX, f64::MIN, f64::MAX])];
        assert!(row[0].mean.is_finite());
        Regression::check_row(&row, &()).unwrap();
    }

    #[test]
    fn trees_that_know_nothing_do_not_vote() {
        let mut prediction = [9.0];
        Regression::tally(&[0.0, 0.0], &mut prediction);
        assert_eq!(prediction, [0.0]);
        Regression::tally(&[6.0, 2.0], &mut prediction);
        assert_eq!(prediction, [3.0]);
    }
}
