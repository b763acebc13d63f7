//! The numbers in every bin, and the variance that a split explains.

use forest_core::{InvariantError, Regression};
use serde::{Deserialize, Serialize};

use super::{Moments, is_sum_of_targets};
use crate::counters::Counters;
use crate::labels::{Labels as _, Sums, Work};
use crate::statistics::Dimension;

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

    /// Whether `count` differences of two targets can have these sums.
    fn are_possible(&self, count: u64) -> bool {
        let (twice, squares) = (
            2.0 * count as f64,
            self.squares / Regression::LARGEST_TARGET,
        );
        is_sum_of_targets(self.sum, twice) && is_sum_of_targets(squares, 2.0 * twice)
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

/// Powers of the numbers in every bin, relative to the first number met, so that few digits cancel;
/// and the moments of all numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BinSums {
    origin: f64,
    all: Moments,
    bins: Box<[Powers]>,
}

/// Powers of the numbers on both sides, by the source of the split, and the sum of those on the left
/// of each split of one dimension: working memory.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    both: Vec<Powers>,
    left: Vec<f64>,
}

impl BinSums {
    /// A number comes up `weight` times. Returns it relative to the first one.
    #[inline]
    fn add(&mut self, number: f64, weight: f64) -> f64 {
        if self.all.weight == 0.0 {
            self.origin = number;
        }
        self.all.add(number, weight);
        number - self.origin
    }

    fn powers(&self, of: &Dimension<'_, Regression>) -> &[Powers] {
        &self.bins[of.start()..][..of.bins]
    }

    /// Fills `left` with the sum of the numbers on the left of every split.
    fn sum_left(&self, of: &Dimension<'_, Regression>, left: &mut Vec<f64>) {
        let mut sum = 0.0;
        left.clear();
        left.extend(self.powers(of).iter().take(of.sources.len()).map(|bin| {
            sum += bin.sum;
            sum
        }));
        for (early, bin) in of.early() {
            of.add_left(early, bin, early.target - self.origin, left);
        }
    }
}

impl Sums<Regression> for BinSums {
    fn new(bins: usize) -> Self {
        Self {
            origin: 0.0,
            all: Moments::default(),
            bins: vec![Powers::default(); bins].into(),
        }
    }

    fn meet(&mut self, target: f64, weight: u32, _: usize) {
        self.add(target, weight.into());
    }

    fn has_met(&self, _: f64) -> bool {
        self.all.weight > 0.0
    }

    #[inline]
    fn count(&mut self, cells: impl Iterator<Item = usize>, _: usize, target: f64, weight: u32) {
        let number = self.add(target, weight.into());
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
        for (bin, powers) in self.powers(of).iter().enumerate() {
            let side = if bin <= rank { &mut *left } else { &mut *right };
            side[0].merge(powers.moments(of.count(bin), self.origin));
        }
    }

    fn prepare(&self, of: &Dimension<'_, Regression>, work: &mut Work<Regression>) {
        let settled = self.powers(of).iter().fold(Powers::default(), Powers::plus);
        let both = &mut work.totals.both;
        both.clear();
        both.resize(of.sources.len(), settled);
        for (early, _) in of.early() {
            let counting = &mut both[..early.points.into()];
            let number = early.target - self.origin;
            counting
                .iter_mut()
                .for_each(|all| all.add(number, early.weight.into()));
        }
    }

    /// The share of the variance that the split explains: between its sides, of all.
    fn gains(&self, of: &Dimension<'_, Regression>, work: &mut Work<Regression>) {
        of.sizes(work);
        self.sum_left(of, &mut work.totals.left);
        let (totals, most_gain) = (&work.totals, &mut work.most_gain);
        let splits = of.sources.iter().zip(&totals.left).zip(&work.sizes);
        work.gains.clear();
        work.gains
            .extend(splits.map(|((&source, &left_sum), sizes)| {
                let both = totals.both[usize::from(source)];
                let [n, left, right] = [sizes.both, sizes.left, sizes.right()].map(|n| n as f64);
                let distance = left_sum / left - (both.sum - left_sum) / right;
                let between = left * right / n * distance * distance;
                let squares = both.moments(sizes.both, 0.0).squares;
                let gain = between / squares;
                let gain = if gain.is_finite() { gain } else { 0.0 };
                let left_over = (1.0 - gain) * squares;
                *most_gain = most_gain.max(self.all.squares - left_over);
                gain
            }));
    }

    fn gain_increase(&self, _: &Dimension<'_, Regression>, target: f64, weight: u32) -> f64 {
        let mut all = self.all;
        all.add(target, weight.into());
        all.squares - self.all.squares
    }

    /// The squares of all numbers: the fewer a split has counted, the fewer its sides leave, too.
    fn least_scale(&self, _: &Dimension<'_, Regression>) -> f64 {
        self.all.squares
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.bins)
    }

    fn check(&self, sizes: &Counters, _: usize, (): &()) -> Result<(), InvariantError> {
        let mut counts = vec![0; sizes.len()];
        sizes.read(0, &mut counts);
        let fits = Regression::is_target(self.origin) && self.bins.len() == counts.len();
        Regression::check_row(&[self.all], &())?;
        let possible = |(bin, &count): (&Powers, &u64)| bin.are_possible(count);
        let sound = fits && self.bins.iter().zip(&counts).all(possible);
        InvariantError::unless(
            sound,
            || "labels",
            || "sums that so many numbers do not have",
        )
    }
}
