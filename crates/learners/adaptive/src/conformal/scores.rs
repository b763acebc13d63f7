//! The latest nonconformity scores of the stream, in order of time and of size.

use std::collections::VecDeque;

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

/// A score, at least 0; infinite only in snapshots of earlier versions, for an error where the predicted deviation was 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
struct Score(f64);

/// The latest scores; at most `capacity` of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved")]
pub(crate) struct LatestScores {
    capacity: usize,
    latest: VecDeque<Score>,
    /// The same, smallest first.
    #[serde(skip_serializing)]
    sorted: Vec<Score>,
}

/// The saved form of the scores.
#[derive(Deserialize)]
struct Saved {
    capacity: usize,
    latest: VecDeque<Score>,
}

impl From<Saved> for LatestScores {
    fn from(Saved { capacity, latest }: Saved) -> Self {
        let mut sorted: Vec<_> = latest.iter().copied().collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        Self {
            capacity,
            latest,
            sorted,
        }
    }
}

impl LatestScores {
    pub(crate) fn new(capacity: usize) -> Self {
        let (latest, sorted) = (VecDeque::new(), Vec::new());
        Self {
            capacity,
            latest,
            sorted,
        }
    }

    /// Adds a score, in place of the oldest if the window is full.
    pub(crate) fn push(&mut self, score: f64) {
        if self.latest.len() == self.capacity {
            let oldest = self.latest.pop_front();
            let oldest = oldest.map(|oldest| self.place_of(oldest));
            oldest.map(|place| self.sorted.remove(place));
        }
        let score = Score(score);
        self.sorted.insert(self.place_of(score), score);
        self.latest.push_back(score);
    }

    /// Returns how many of the scores are smaller.
    fn place_of(&self, score: Score) -> usize {
        self.sorted.partition_point(|other| *other < score)
    }

    /// Returns a bound that one more score does not exceed with probability `level`, if it is exchangeable with these.
    pub(crate) fn bound(&self, level: f64) -> f64 {
        // (n + 1)p may be a whole number but for rounding.
        let rank = ((self.sorted.len() + 1) as f64 * level - 1e-9).ceil() as usize;
        let bound = self.sorted.get(rank.saturating_sub(1));
        bound.map_or(f64::INFINITY, |score| score.0)
    }

    /// Returns the mean of their squares; infinite without scores.
    pub(crate) fn mean_square(&self) -> f64 {
        let squares: f64 = self.sorted.iter().map(|score| score.0 * score.0).sum();
        match self.sorted.len() {
            0 => f64::INFINITY,
            count => squares / count as f64,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.latest.capacity() + self.sorted.capacity()) * size_of::<Score>()
    }

    /// Checks that these can be the latest of `scored` rows.
    pub(crate) fn check(&self, capacity: usize, scored: u64) -> Result<(), InvariantError> {
        let place = "the latest scores";
        let counted =
            self.capacity == capacity && self.latest.len() as u64 == scored.min(capacity as u64);
        InvariantError::require(counted, place, "their number is wrong")?;
        let is_score = |score: &Score| score.0 >= 0.0;
        let mut sorted: Vec<_> = self.latest.iter().copied().filter(is_score).collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let what = "they are not sorted, or one is below 0";
        InvariantError::require(sorted == self.sorted, place, what)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use forest_testing::statistics::same_probability;

    use super::*;

    #[test]
    fn the_latest_are_kept_in_order() {
        let mut scores = LatestScores::new(3);
        for (row, score) in [2.0, 5.0, 2.0, 1.0, 0.0, f64::INFINITY, 2.0]
            .into_iter()
            .enumerate()
        {
            scores.push(score);
            scores.check(3, row as u64 + 1).unwrap();
        }
        assert_eq!(scores.sorted, [0.0, 2.0, f64::INFINITY].map(Score));
        assert!(scores.check(3, 2).is_err());
        scores.sorted.swap(0, 1);
        assert!(scores.check(3, 7).is_err());
    }

    #[test]
    fn a_bound_is_the_rank_of_the_next_score() {
        let mut scores = LatestScores::new(20);
        assert_eq!(scores.bound(0.5), f64::INFINITY);
        (1..=9)
            .rev()
            .for_each(|score| scores.push(f64::from(score)));
        // Ten scores with the next one: the ninth smallest bounds 90 % of them.
        assert_eq!(scores.bound(0.9), 9.0);
        assert_eq!(scores.bound(0.91), f64::INFINITY);
        assert_eq!(scores.bound(0.5), 5.0);
        assert_eq!(scores.bound(0.001), 1.0);
        assert_eq!(scores.mean_square(), 285.0 / 9.0);
    }

    /// Significance 1 in 1,000 for each level. Bounds one rank higher or lower are detected.
    #[test]
    fn the_next_score_is_within_the_bound_as_often_as_ranks_say() {
        let mut rng = TreeRng::new(7, 0);
        for (level, expected) in [(0.5, 0.5), (0.55, 0.6), (0.85, 0.9), (0.9, 0.9)] {
            let (trials, mut hits) = (20_000, 0);
            for _ in 0..trials {
                let mut scores = LatestScores::new(9);
                (0..12).for_each(|_| scores.push(rng.uniform()));
                hits += usize::from(rng.uniform() <= scores.bound(level));
            }
            let value = same_probability(hits, trials, expected);
            assert!(value > 0.001, "{level}: {hits} of {trials}, p = {value}");
        }
    }
}
