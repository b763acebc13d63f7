//! An active leaf: what it needs to be split.

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};

use crate::FeatureSpace;
use crate::candidates::{Candidate, Candidates};
use crate::chance;
use crate::evidence::{Dimension, Evidence};
use crate::labels::{Labels, Work};
use crate::seen::{Best, Seen};
use crate::settings::StreamSettings;

/// A place in the fringe: the candidate splits of a leaf, and what each stream has shown of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(crate) struct Active<T: Labels, F> {
    pub(crate) candidates: Candidates<F>,
    pub(crate) structure: Evidence<T>,
    pub(crate) estimation: Evidence<T>,
    /// No split can be valid before this many estimation points.
    ripe_at: u64,
    /// No split has more gain times structure points than this.
    ceiling: f64,
}

/// More than sums of logarithms can be wrong by.
const ROUNDING: f64 = 1.0 + 1e-9;

/// How many points a side lacks that has so many: each point adds one to a side at most.
fn missing(alpha: f64, points: u64) -> u64 {
    (alpha - points as f64).max(0.0).ceil() as u64
}

impl<T: Labels, F: Copy> Active<T, F> {
    /// A place for the statistics of a leaf: min(1 + Poisson(λ), D) dimensions, no candidates yet
    /// (`SelectCandidateSplitDimensions`).
    pub(crate) fn new<S>(settings: &StreamSettings<S>, width: usize, rng: &mut TreeRng) -> Self
    where
        S: FeatureSpace<Feature = F>,
    {
        let wanted = 1 + chance::poisson(settings.lambda, rng);
        let features = settings.features.draw(wanted, width, rng);
        let candidates = Candidates::new(features, settings.m);
        let (structure, estimation) = (Evidence::new(&candidates), Evidence::new(&candidates));
        Self {
            candidates,
            structure,
            estimation,
            ripe_at: 0,
            ceiling: 0.0,
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
        bins: &mut Vec<u8>,
    ) where
        S: FeatureSpace<Feature = F>,
    {
        if !self.candidates.are_complete() {
            self.candidates.create(space, point, bins);
            self.structure.follow(bins);
            self.estimation.follow(bins);
        }
        self.candidates.locate(space, point, bins);
        self.ceiling += self.structure.surprise(&self.candidates, target);
        self.structure.count(&self.candidates, bins, target, 1);
    }

    /// `BestSplit` (Algorithm 7) among those that are valid (Algorithm 4): at least `alpha`
    /// estimation points on each side. None if none is (`CanSplit`, Algorithm 3, is false), or if
    /// no gain can exceed `needed`.
    pub(crate) fn best(&mut self, alpha: f64, needed: f64, work: &mut Work<T>) -> Option<Best> {
        let points = self.structure.least(&self.candidates);
        if self.estimation.total() < self.ripe_at || self.ceiling <= needed * points {
            return None;
        }
        let mut seen = Seen::default();
        for dimension in 0..self.candidates.dimensions() {
            let votes = self.estimation.dimension(&self.candidates, dimension);
            seen.smaller_side = votes.fill_valid(alpha, work).max(seen.smaller_side);
            seen.take(&self.structure.dimension(&self.candidates, dimension), work);
        }
        self.ripe_at = self.estimation.total() + missing(alpha, seen.smaller_side);
        if self.candidates.are_complete() {
            self.ceiling = seen.most * ROUNDING;
        }
        seen.best.filter(|best| best.gain > needed)
    }

    /// The views of structure and estimation stream on the dimension of a candidate.
    pub(crate) fn dimensions(&self, candidate: Candidate) -> [Dimension<'_, T>; 2] {
        [&self.structure, &self.estimation]
            .map(|shown| shown.dimension(&self.candidates, candidate.dimension))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.candidates.bytes()
            + self.structure.bytes()
            + self.estimation.bytes()
    }

    /// Checks candidates and both streams' statistics.
    ///
    /// # Errors
    /// What does not hold.
    pub(crate) fn check<S>(
        &self,
        settings: &StreamSettings<S>,
        width: usize,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError>
    where
        S: FeatureSpace<Feature = F>,
    {
        self.candidates
            .check(&settings.features, settings.m, width)?;
        self.structure.check(&self.candidates, outputs)?;
        self.estimation.check(&self.candidates, outputs)
    }
}
