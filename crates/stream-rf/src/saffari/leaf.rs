//! A leaf and its random tests.

use forest_core::TreeRng;
use serde::{Deserialize, Serialize};

use super::SaffariSettings;
use crate::FeatureSpace;
use crate::active::mark_valid;
use crate::candidates::{Candidate, Candidates};
use crate::labels::{Labels, Work};
use crate::search::GainBound;
use crate::statistics::SplitStatistics;

/// A leaf and its tests: none before its first point, and none at the depth limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(super) struct Leaf<T: Labels, F> {
    pub(super) depth: u32,
    pub(super) tests: Option<Tests<T, F>>,
}

/// The random tests of a leaf, and what its points have statistics of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(super) struct Tests<T: Labels, F> {
    pub(super) candidates: Candidates<F>,
    pub(super) statistics: SplitStatistics<T>,
    bound: GainBound,
}

impl<T: Labels, F: Copy> Leaf<T, F> {
    pub(super) fn at(depth: u32) -> Self {
        let tests = None;
        Self { depth, tests }
    }

    /// The tests, drawn if there are none and the leaf may be split.
    pub(super) fn tests<S>(
        &mut self,
        settings: &SaffariSettings<S>,
        width: usize,
        rng: &mut TreeRng,
    ) -> Option<&mut Tests<T, F>>
    where
        S: FeatureSpace<Feature = F>,
    {
        if self.depth >= settings.max_depth {
            return None;
        }
        Some(self.tests.get_or_insert_with(|| {
            let count = settings.tests as usize;
            let features = settings.features.draw(count, width, rng);
            let candidates = Candidates::new(features, settings.m);
            let statistics = SplitStatistics::new(&candidates);
            let bound = GainBound::default();
            Tests {
                candidates,
                statistics,
                bound,
            }
        }))
    }
}

impl<T: Labels, F: Copy> Tests<T, F> {
    /// Counts a point; while there are fewer than m thresholds, it becomes one.
    pub(super) fn count<S>(
        &mut self,
        space: &S,
        (point, target): (&[f32], T::Target),
        weight: u32,
        work: &mut Work<T>,
    ) where
        S: FeatureSpace<Feature = F>,
    {
        let (ranks, bins) = (&mut work.ranks, &mut work.bins);
        if self.candidates.are_complete() {
            self.candidates.locate(space, point, bins);
        } else {
            self.candidates.create(space, point, ranks, bins);
            self.statistics.follow(ranks);
        }
        self.bound
            .raise(&self.candidates, &self.statistics, (target, weight));
        self.statistics
            .count(&self.candidates, bins, target, weight);
    }

    /// The best test, if there are enough points and its gain is enough. A gain above 0 has points
    /// on both sides.
    pub(super) fn best<S: FeatureSpace>(
        &mut self,
        settings: &SaffariSettings<S>,
        work: &mut Work<T>,
    ) -> Option<Candidate> {
        let (candidates, statistics, needed) =
            (&self.candidates, &self.statistics, settings.min_gain);
        let early = statistics.total() < settings.min_samples.into();
        if early || self.bound.excludes(candidates, statistics, needed) {
            return None;
        }
        mark_valid(candidates, statistics, 1, work);
        self.bound.search(candidates, statistics, needed, work)
    }
}
