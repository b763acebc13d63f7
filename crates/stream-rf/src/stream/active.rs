//! An active leaf: what it needs to be split.

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidate;
use crate::labels::Labels;
use crate::settings::StreamSettings;
use crate::split_search::{Scratch, SplitSearch, SplitStatistics};

/// A place in the fringe: the candidate splits of a leaf, and the statistics of structure and
/// estimation points about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct ActiveLeaf<T: Labels> {
    /// The candidate splits and the structure points.
    pub(super) search: SplitSearch<T>,
    pub(super) estimation: SplitStatistics<T>,
    /// α(d) in whole points.
    alpha: u64,
    /// β(d) in whole points.
    beta: u64,
    /// No split becomes valid, and the leaf is not given up, before this many estimation points.
    ///
    /// Without this bound, letter is learned in up to 2.1 times the time.
    check_at: u64,
}

/// What is to be done with an active leaf.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decision {
    /// It needs more points.
    Wait,
    Split(Candidate),
    /// Not one of its candidate splits has become valid in time.
    GiveUp,
}

impl<T: Labels> ActiveLeaf<T> {
    /// Creates the statistics of a leaf at `depth` that becomes active: min(1 + Poisson(λ), D) dimensions
    /// (`SelectCandidateSplitDimensions`), no candidates yet.
    pub(super) fn new(
        depth: u32,
        settings: &StreamSettings,
        width: usize,
        rng: &mut TreeRng,
    ) -> Self {
        let count = 1 + rng.poisson(settings.lambda);
        let features = settings.features.draw(count, width, rng);
        let search = SplitSearch::new(features, settings.m);
        Self {
            estimation: SplitStatistics::new(&search.candidates),
            search,
            alpha: settings.alpha.points_at(depth),
            beta: settings.beta.points_at(depth),
            check_at: 0,
        }
    }

    /// Algorithm 1, the estimation point's loop over candidate children.
    #[inline]
    pub(super) fn add_estimation(
        &mut self,
        point: &[f32],
        target: T::Target,
        scratch: &mut Scratch<T>,
    ) {
        let candidates = &self.search.candidates;
        candidates.project(point, &mut scratch.values);
        let bins = candidates.locate(&scratch.values);
        self.estimation.add(candidates, bins, target, 1);
    }

    /// Algorithm 1, the structure point's loops over dimensions and candidate children.
    #[inline]
    pub(super) fn add_structure(
        &mut self,
        point: &[f32],
        target: T::Target,
        scratch: &mut Scratch<T>,
    ) {
        let were_complete = self.search.candidates.are_complete();
        self.search.add(point, target, 1, scratch);
        if !were_complete {
            self.estimation.points.insert_bins(&scratch.ranks);
        }
    }

    /// Returns the best valid split (Algorithm 7), if the leaf, which has `estimation_points`, should or must
    /// be split by it: if its gain exceeds `tau` (Algorithm 6), or there are β(d) estimation points
    /// (Algorithm 5).
    ///
    /// Most calls return at once: when no split can have become valid since the last search, or none
    /// can have gained enough.
    pub(super) fn decide(
        &mut self,
        estimation_points: u64,
        tau: f64,
        scratch: &mut Scratch<T>,
    ) -> Decision {
        let must_split = estimation_points >= self.beta;
        // Algorithm 5: at β(d) points any gain will do.
        let needed = if must_split { f64::NEG_INFINITY } else { tau };
        let counted = self.estimation.points.total;
        if counted < self.check_at || !self.search.may_gain(needed) {
            return Decision::Wait;
        }
        let candidates = &self.search.candidates;
        let missing = self.estimation.mark_valid(candidates, self.alpha, scratch);
        if missing == 0 {
            let best = self.search.best(needed, scratch);
            return best.map_or(Decision::Wait, Decision::Split);
        }
        let until_given_up = self.points_until_given_up();
        // Whichever comes first: until then marking splits again would find the same.
        self.check_at = counted.saturating_add(missing.min(until_given_up));
        match until_given_up {
            0 => Decision::GiveUp,
            _ => Decision::Wait,
        }
    }

    /// Returns how many points remain before the leaf is given up, unless a candidate split is valid when all have counted β(d)
    /// estimation points, and 4·α(d), so that a split with a quarter of the points on a side is
    /// likely to be valid by then.
    fn points_until_given_up(&self) -> u64 {
        let enough = self.beta.max(self.alpha.saturating_mul(4));
        enough.saturating_sub(self.estimation.points.binned)
    }

    /// Returns the bytes allocated, besides those of the place itself.
    pub(super) fn bytes(&self) -> usize {
        self.search.bytes() + self.estimation.bytes()
    }

    pub(super) fn check(&self, width: usize, outputs: &T::Outputs) -> Result<(), InvariantError> {
        self.search.check(width, outputs)?;
        self.estimation.check(&self.search.candidates, outputs)
    }
}
