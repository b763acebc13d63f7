//! An active leaf: what it needs to be split.

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};

use crate::FeatureSpace;
use crate::candidates::{Candidate, Candidates};
use crate::evidence::{Dimension, Evidence};
use crate::labels::{Labels, Sums, Work};
use crate::settings::StreamSettings;
use crate::chance;

/// A place in the fringe: the candidate splits of a leaf, and what each stream has shown of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "F: Serialize + serde::de::DeserializeOwned")]
pub(crate) struct Active<T: Labels, F> {
    pub(crate) candidates: Candidates<F>,
    pub(crate) structure: Evidence<T>,
    pub(crate) estimation: Evidence<T>,
}

/// The best of the candidate splits that were asked for, and its gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Best {
    pub(crate) candidate: Candidate,
    pub(crate) gain: f64,
}

impl Best {
    /// The better of two, the later one of equals (Algorithm 7: `≥`).
    fn or(held: Option<Self>, candidate: Candidate, gain: f64) -> Option<Self> {
        match held {
            Some(held) if gain < held.gain => Some(held),
            _ => Some(Self { candidate, gain }),
        }
    }
}

/// The best of the splits of `shown` that `valid` (given a dimension, fills in which are) lets pass.
pub(crate) fn best<T: Labels, F: Copy>(
    candidates: &Candidates<F>,
    shown: &Evidence<T>,
    work: &mut Work<T>,
    valid: impl Fn(usize, &mut Work<T>),
) -> Option<Best> {
    let mut held = None;
    for dimension in 0..candidates.dimensions() {
        valid(dimension, work);
        if !work.valid.contains(&true) {
            continue;
        }
        let view = shown.dimension(candidates, dimension);
        view.sums().gains(&view, work);
        for (rank, (&gain, _)) in passing(work) {
            let candidate = Candidate { dimension, rank };
            held = Best::or(held, candidate, gain);
        }
    }
    held
}

/// Rank and gain of the splits that are valid.
fn passing<T: Labels>(work: &Work<T>) -> impl Iterator<Item = (usize, (&f64, &bool))> {
    let splits = work.gains.iter().zip(&work.valid).enumerate();
    splits.filter(|(_, (_, valid))| **valid)
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
        }
    }

    /// Algorithm 1, the estimation point's loop over candidate children.
    #[inline]
    pub(crate) fn estimate<S>(&mut self, space: &S, point: &[f32], target: T::Target, bins: &mut Vec<u8>)
    where
        S: FeatureSpace<Feature = F>,
    {
        self.candidates.locate(space, point, bins);
        self.estimation.count(&self.candidates, bins, target, 1);
    }

    /// Algorithm 1, the structure point's two loops: it creates candidate splits while there are
    /// fewer than m points, and counts in all there are.
    #[inline]
    pub(crate) fn shape<S>(&mut self, space: &S, point: &[f32], target: T::Target, bins: &mut Vec<u8>)
    where
        S: FeatureSpace<Feature = F>,
    {
        if !self.candidates.are_complete() {
            self.candidates.create(space, point, bins);
            self.structure.follow(bins);
            self.estimation.follow(bins);
        }
        self.candidates.locate(space, point, bins);
        self.structure.count(&self.candidates, bins, target, 1);
    }

    /// `BestSplit` (Algorithm 7) among those that are valid (Algorithm 4): at least `alpha`
    /// estimation points on each side. None if none is: `CanSplit` (Algorithm 3) is false.
    pub(crate) fn best(&self, alpha: f64, work: &mut Work<T>) -> Option<Best> {
        // Both sides together have counted no more points than there were.
        if (self.estimation.total() as f64) < 2.0 * alpha {
            return None;
        }
        best(&self.candidates, &self.structure, work, |dimension, work| {
            self.estimation.dimension(&self.candidates, dimension).fill_valid(alpha, work);
        })
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
        self.candidates.check(&settings.features, settings.m, width)?;
        self.structure.check(&self.candidates, outputs)?;
        self.estimation.check(&self.candidates, outputs)
    }
}
