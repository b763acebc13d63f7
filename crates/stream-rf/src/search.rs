//! The search for the best candidate split of a leaf.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates, Features};
use crate::statistics::{Labels, Scratch, Statistics};

/// The candidate splits of a leaf, and the statistics that choose among them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct SplitSearch<T: Labels> {
    pub(crate) candidates: Candidates,
    pub(crate) statistics: Statistics<T>,
    /// No split has more gain times its points than this: what it takes from the entropy of its points. Each point
    /// raises the bound by what it adds to the entropy of the whole. Without it USPS is learned in 1.3 times the time.
    gain_bound: f64,
}

/// More than sums of logarithms can be wrong by.
const ROUNDING: f64 = 1.0 + 1e-9;

impl<T: Labels> SplitSearch<T> {
    /// Creates no candidates yet; there will be `m` in the dimension of each feature.
    pub(crate) fn new(features: Features, m: u32) -> Self {
        let candidates = Candidates::new(features, m);
        Self {
            statistics: Statistics::new(&candidates),
            candidates,
            gain_bound: 0.0,
        }
    }

    /// Algorithm 1: a structure point creates splits, with ranks in `scratch`, until there are `m`, and counts in all.
    #[inline]
    pub(crate) fn add(&mut self, x: &[f32], target: T::Target, weight: u32, scratch: &mut Scratch) {
        let candidates = &mut self.candidates;
        candidates.features.read(x, &mut scratch.values);
        if !candidates.are_complete() {
            candidates.create(&scratch.values, &mut scratch.ranks);
            self.statistics.insert_bins(&scratch.ranks);
        }
        // Before the point is counted: the increase is relative to the points so far.
        self.gain_bound += T::gain_increase(&self.statistics, candidates, target, weight);
        self.statistics
            .add(candidates, &scratch.values, target, weight);
    }

    #[inline]
    pub(crate) fn may_gain(&self, needed: f64) -> bool {
        // A split counts these points, or at least the one that has created it.
        self.gain_bound > needed * self.statistics.binned.max(1) as f64
    }

    /// Returns the best valid split if it gains more than `needed`; of equally good ones the last (Algorithm 7: `≥`).
    pub(crate) fn best(&mut self, needed: f64, scratch: &mut Scratch) -> Option<Candidate> {
        let candidates = &self.candidates;
        self.statistics
            .count_by_source(candidates, &mut scratch.counted);
        let most = T::find_gains(&self.statistics, candidates, scratch);
        let mut best: Option<(usize, f64)> = None;
        for (at, (&gain, &valid)) in scratch.gains.iter().zip(&scratch.valid).enumerate() {
            if valid && best.is_none_or(|best| gain >= best.1) {
                best = Some((at, gain));
            }
        }
        let best = best.filter(|&(_, gain)| gain > needed);
        // While candidates are still created, a later one may gain more than all so far.
        if best.is_none() && candidates.are_complete() {
            self.gain_bound = most * ROUNDING;
        }
        let points = usize::from(candidates.points);
        best.map(|(at, _)| Candidate {
            dimension: at / points,
            rank: at % points,
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.candidates.bytes() + self.statistics.bytes()
    }

    /// Checks the shape of candidates and statistics: after decoding.
    pub(crate) fn check(&self, width: usize, known: &T::Outputs) -> Result<(), InvariantError> {
        self.candidates.check(width)?;
        self.statistics.check(&self.candidates, known)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::{Classification, Regression};

    use super::*;

    #[test]
    fn a_search_in_vain_leaves_the_most_there_is_to_gain_as_bound() {
        // Two dimensions of two thresholds each, an early point and four more.
        let mut search = SplitSearch::<Classification>::new(Features::Axes([0, 1].into()), 2);
        let mut scratch = Scratch::default();
        for (step, class) in [0, 1, 0, 1, 1].into_iter().enumerate() {
            search.add(&[step as f32, class as f32], class, 1, &mut scratch);
        }
        search.gain_bound = 3.0;
        assert_eq!(search.statistics.binned, 4);
        assert!(search.may_gain(0.74) && !search.may_gain(0.75) && !search.may_gain(0.76));
        search
            .statistics
            .mark_valid(&search.candidates, 1, &mut scratch);
        assert_eq!(search.best(9.0, &mut scratch), None);
        let most = Classification::find_gains(&search.statistics, &search.candidates, &mut scratch);
        assert!(most > 1.0 && search.gain_bound == most * ROUNDING);
    }

    #[test]
    fn nothing_bounds_the_gain_of_numbers() {
        let mut search = SplitSearch::<Regression>::new(Features::Axes([0].into()), 2);
        assert!(!search.may_gain(0.0));
        search.add(&[0.5], 3.0, 1, &mut Scratch::default());
        assert!(search.may_gain(f64::MAX));
    }
}
