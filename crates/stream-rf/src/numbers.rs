//! Numbers, our extension: a leaf's moments and its prediction; the numbers in every bin, and the variance explained.

use forest_core::{Regression, Vote};
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates};
use crate::statistics::{Labels, Powers, Scratch, Statistics, add_left};

/// How many numbers, their mean, and the sum of their squared distances from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
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

impl Powers {
    fn of(number: f64, weight: f64) -> Self {
        let sum = weight * number;
        let squares = weight * number * number;
        Self { sum, squares }
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

    /// Returns the share of the variance of `count` numbers that a split explains, with `left` of them on the left.
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

/// Powers of the numbers in every bin, relative to the first number of the leaf, so that few digits cancel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NumberSums {
    first: Option<f64>,
    bins: Box<[Powers]>,
}

/// A summary is one cell: the moments of the labels.
impl Labels for Regression {
    type Cell = Moments;
    type Bins = NumberSums;

    fn add(row: &mut [Moments], number: f64, weight: u32) {
        row[0].add(number, weight.into());
    }

    fn error(row: &[Moments]) -> f64 {
        match row {
            [moments, ..] if moments.weight > 0.0 => moments.squares / moments.weight,
            _ => 0.0,
        }
    }

    /// Returns the mean, and one vote.
    fn accumulator_width((): &()) -> usize {
        2
    }

    fn vote(row: &[Moments], _: Vote, accumulator: &mut [f64]) {
        accumulator.copy_from_slice(&match row {
            [moments, ..] if moments.weight > 0.0 => [moments.mean, 1.0],
            _ => [0.0; 2],
        });
    }

    fn finish(accumulator: &[f64], prediction: &mut [f64]) {
        prediction[0] = accumulator[0] / accumulator[1].max(1.0);
    }

    fn empty(bins: usize) -> NumberSums {
        let bins = vec![Powers::default(); bins].into();
        NumberSums { first: None, bins }
    }

    #[inline]
    fn add_to_bins(
        labels: &mut NumberSums,
        places: impl Iterator<Item = usize>,
        _: usize,
        target: f64,
        weight: u32,
    ) {
        // The first number is the origin for good: sums of powers cannot be moved to another one without loss.
        let powers = Powers::of(target - *labels.first.get_or_insert(target), weight.into());
        places.for_each(|place| labels.bins[place] += powers);
    }

    fn add_sides(
        stats: &Statistics<Self>,
        candidates: &Candidates,
        at: Candidate,
        rows: &mut [&mut [Moments]; 2],
    ) {
        let origin = stats.labels.first.unwrap_or(0.0);
        for bin in 0..candidates.bins() {
            let place = at.dimension * candidates.bins() + bin;
            let moments = stats.labels.bins[place].moments(stats.counts.sum(place, 1), origin);
            rows[usize::from(bin > at.rank)][0].merge(moments);
        }
    }

    /// Returns the share of the variance that the split explains: between its sides, of all.
    fn find_gains(stats: &Statistics<Self>, candidates: &Candidates, scratch: &mut Scratch) -> f64 {
        let origin = stats.labels.first.unwrap_or(0.0);
        let width = candidates.bins();
        let bins = &stats.labels.bins;
        let mut binned = Powers::default();
        bins[..width].iter().for_each(|&bin| binned += bin);
        let both = &mut scratch.powers;
        let counted = &scratch.counted;
        stats.sum_by_source(both, counted.len(), binned, |early| {
            Powers::of(early.target - origin, early.weight.into())
        });
        scratch.gains.clear();
        for dimension in 0..candidates.dimensions() {
            let sources = candidates.sources(dimension);
            stats.count_left(candidates, dimension, &mut scratch.left);
            // The sum of the numbers on the left of every split.
            let sums = &mut scratch.sums;
            let mut sum = 0.0;
            sums.clear();
            for bin in &bins[dimension * width..][..sources.len()] {
                sum += bin.sum;
                sums.push(sum);
            }
            for (early, bin) in stats.early(candidates, dimension) {
                add_left(sources, early, bin, early.target - origin, sums);
            }
            for ((&left, &sum), &source) in scratch.left.iter().zip(&*sums).zip(sources) {
                let source = usize::from(source);
                let gain = both[source].explained(counted[source], left, sum);
                scratch.gains.push(gain);
            }
        }
        f64::INFINITY
    }

    /// No bound is kept: it spared searches worth 7 % of the time at most, and cost as much elsewhere.
    fn gain_increase(_: &Statistics<Self>, _: &Candidates, _: f64, _: u32) -> f64 {
        f64::INFINITY
    }

    fn bytes(labels: &NumberSums) -> usize {
        size_of_val(&*labels.bins)
    }

    fn fit(stats: &Statistics<Self>, bins: usize, (): &()) -> bool {
        stats.labels.bins.len() == bins
            && (stats.early.iter()).all(|early| Self::is_target(early.target))
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
    fn a_leaf_has_an_error_and_a_vote() {
        assert!((Regression::error(&[moments(&[1.0, 2.0, 6.0])]) - 14.0 / 3.0).abs() < 1e-14);
        assert_eq!(Regression::error(&[Moments::default()]), 0.0);
        let mut accumulator = [9.0; 2];
        Regression::vote(&[Moments::default()], Vote::default(), &mut accumulator);
        assert_eq!(accumulator, [0.0, 0.0]);
        for (accumulator, mean) in [([0.0, 0.0], 0.0), ([6.0, 2.0], 3.0)] {
            let mut prediction = [9.0];
            Regression::finish(&accumulator, &mut prediction);
            assert_eq!(prediction, [mean]);
        }
    }
}
