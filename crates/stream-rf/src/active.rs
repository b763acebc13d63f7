//! An active leaf: what it needs to be split.

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};

use crate::FeatureSpace;
use crate::candidates::{Candidate, Candidates};
use crate::chance;
use crate::labels::{Labels, Work};
use crate::search::GainBound;
use crate::settings::StreamSettings;
use crate::statistics::{Dimension, SplitStatistics};

/// A place in the fringe: the candidate splits of a leaf, and the statistics of each stream about them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(crate) struct Active<T: Labels, F> {
    pub(crate) candidates: Candidates<F>,
    pub(crate) structure: SplitStatistics<T>,
    pub(crate) estimation: SplitStatistics<T>,
    /// α(d) in whole points.
    alpha: u64,
    /// β(d) in whole points.
    beta: u64,
    /// Nothing can change about valid splits before this many estimation points.
    check_at: u64,
    bound: GainBound,
}

/// What is to be done with an active leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Decision {
    /// It needs more points.
    Wait,
    /// It is to be split.
    Split(Candidate),
    /// None of its candidate splits has become valid in time.
    GiveUp,
}

/// Marks the splits that have `alpha` points on each side. Returns how many more it takes at least
/// until another one has.
pub(crate) fn mark_valid<T: Labels, F: Copy>(
    candidates: &Candidates<F>,
    statistics: &SplitStatistics<T>,
    alpha: u64,
    work: &mut Work<T>,
) -> u64 {
    work.valid.clear();
    statistics.count_by_source(candidates, &mut work.counted);
    let views = (0..candidates.dimensions()).map(|d| statistics.dimension(candidates, d));
    let missing = views.map(|view| view.mark_valid(alpha, work));
    missing.min().unwrap_or(0)
}

impl<T: Labels, F: Copy> Active<T, F> {
    /// A leaf at `depth` becomes active: min(1 + Poisson(λ), D) dimensions
    /// (`SelectCandidateSplitDimensions`), no candidates yet.
    pub(crate) fn new<S>(
        depth: u32,
        settings: &StreamSettings<S>,
        width: usize,
        rng: &mut TreeRng,
    ) -> Self
    where
        S: FeatureSpace<Feature = F>,
    {
        let count = 1 + chance::poisson(settings.lambda, rng);
        let features = settings.features.draw(count, width, rng);
        let candidates = Candidates::new(features, settings.m);
        Self {
            structure: SplitStatistics::new(&candidates),
            estimation: SplitStatistics::new(&candidates),
            candidates,
            alpha: settings.alpha.points_at(depth),
            beta: settings.beta.points_at(depth),
            check_at: 0,
            bound: GainBound::default(),
        }
    }

    /// Algorithm 1, the estimation point's loop over candidate children.
    #[inline]
    pub(crate) fn estimate<S>(
        &mut self,
        space: &S,
        point: &[f32],
        target: T::Target,
        bins: &mut Vec<u8>,
    ) where
        S: FeatureSpace<Feature = F>,
    {
        self.candidates.locate(space, point, bins);
        self.estimation.count(&self.candidates, bins, target, 1);
    }

    /// Algorithm 1, the structure point's two loops: it creates candidate splits while there are
    /// fewer than m points, and counts in all there are.
    #[inline]
    pub(crate) fn shape<S>(
        &mut self,
        space: &S,
        point: &[f32],
        target: T::Target,
        work: &mut Work<T>,
    ) where
        S: FeatureSpace<Feature = F>,
    {
        let (ranks, bins) = (&mut work.ranks, &mut work.bins);
        if self.candidates.are_complete() {
            self.candidates.locate(space, point, bins);
        } else {
            self.candidates.create(space, point, ranks, bins);
            self.structure.follow(ranks);
            self.estimation.follow(ranks);
        }
        self.bound
            .raise(&self.candidates, &self.structure, (target, 1));
        self.structure.count(&self.candidates, bins, target, 1);
    }

    /// The best valid split (Algorithm 7), if the leaf, which has `estimation_points`, should or must
    /// be split by it: if its gain exceeds `tau` (Algorithm 6), or there are β(d) estimation points
    /// (Algorithm 5).
    ///
    /// Most calls return at once: when no split can have become valid since the last look, or none
    /// can have gained enough.
    pub(crate) fn decide(
        &mut self,
        estimation_points: u64,
        tau: f64,
        work: &mut Work<T>,
    ) -> Decision {
        if self.estimation.total() < self.check_at {
            return Decision::Wait;
        }
        let must = estimation_points >= self.beta;
        let needed = if must { f64::NEG_INFINITY } else { tau };
        if self
            .bound
            .excludes(&self.candidates, &self.structure, needed)
        {
            return Decision::Wait;
        }
        let missing = mark_valid(&self.candidates, &self.estimation, self.alpha, work);
        if !work.valid.contains(&true) {
            let until_given_up = self.points_until_given_up();
            self.check_at = self.estimation.total() + missing.min(until_given_up);
            return match until_given_up {
                0 => Decision::GiveUp,
                _ => Decision::Wait,
            };
        }
        let (candidates, structure) = (&self.candidates, &self.structure);
        let best = self.bound.search(candidates, structure, needed, work);
        best.map_or(Decision::Wait, Decision::Split)
    }

    /// A leaf is given up if none of its candidate splits is valid when all have counted β(d)
    /// estimation points, and 4·α(d), so that a split with a quarter of the points on a side is
    /// likely to be valid by then.
    fn points_until_given_up(&self) -> u64 {
        let enough = self.beta.max(self.alpha.saturating_mul(4));
        enough.saturating_sub(self.estimation.settled())
    }

    /// The views of structure and estimation stream on the dimension of a candidate.
    pub(crate) fn dimensions(&self, candidate: Candidate) -> [Dimension<'_, T>; 2] {
        [&self.structure, &self.estimation]
            .map(|statistics| statistics.dimension(&self.candidates, candidate.dimension))
    }

    /// Bytes allocated, besides those of the place itself.
    pub(crate) fn bytes(&self) -> usize {
        self.candidates.bytes() + self.structure.bytes() + self.estimation.bytes()
    }

    /// Checks candidates and both streams' statistics.
    ///
    /// # Errors
    /// What does not hold.
    pub(crate) fn check<S>(
        &self,
        depth: u32,
        settings: &StreamSettings<S>,
        width: usize,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError>
    where
        S: FeatureSpace<Feature = F>,
    {
        let rules = [&settings.alpha, &settings.beta].map(|rule| rule.points_at(depth));
        let same = rules == [self.alpha, self.beta];
        InvariantError::unless(same, || "fringe", || "α or β of another depth")?;
        self.candidates
            .check(&settings.features, settings.m, width)?;
        self.structure.check(&self.candidates, outputs)?;
        self.estimation.check(&self.candidates, outputs)
    }
}
