//! The search for the best candidate split, and the bound that tells when it may find one.

use serde::{Deserialize, Serialize};

use crate::candidates::{Candidate, Candidates};
use crate::labels::{Labels, Sums as _, Work};
use crate::statistics::{Dimension, SplitStatistics};

/// No candidate split has more gain times its scale than this.
///
/// The scale of a split is the number of its points, or for numbers their sum of squared distances
/// from the mean. So gain times scale is what the split takes from the entropy, or the variance, of
/// its points. The part that it leaves never falls when points arrive, so that the bound needs to be
/// raised only by what each point adds to the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GainBound(f64);

/// The best of the candidate splits that were looked at, and its gain.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Best {
    candidate: Candidate,
    gain: f64,
}

/// More than sums of logarithms can be wrong by.
const ROUNDING: f64 = 1.0 + 1e-9;

impl GainBound {
    /// Raises the bound for a label that is about to be counted.
    #[inline]
    pub(crate) fn raise<T: Labels, F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        statistics: &SplitStatistics<T>,
        (target, weight): (T::Target, u32),
    ) {
        let first = statistics.dimension(candidates, 0);
        self.0 += first.sums().gain_increase(&first, target, weight);
    }

    /// Whether no candidate split gains more than `needed`.
    #[inline]
    pub(crate) fn excludes<T: Labels, F: Copy>(
        self,
        candidates: &Candidates<F>,
        statistics: &SplitStatistics<T>,
        needed: f64,
    ) -> bool {
        let first = statistics.dimension(candidates, 0);
        self.0 <= needed * first.sums().least_scale(&first)
    }

    /// The best of the splits that `work` marks as valid (Algorithm 7), if it gains more than
    /// `needed`. If not, the bound becomes that of all splits, valid or not.
    pub(crate) fn search<T: Labels, F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        statistics: &SplitStatistics<T>,
        needed: f64,
        work: &mut Work<T>,
    ) -> Option<Candidate> {
        work.most_gain = 0.0;
        statistics.count_by_source(candidates, &mut work.counted);
        let first = statistics.dimension(candidates, 0);
        first.sums().prepare(&first, work);
        let best = look(candidates, statistics, work, |valid| valid.contains(&true));
        let best = best.filter(|best| best.gain > needed);
        if best.is_none() && candidates.are_complete() {
            look(candidates, statistics, work, |valid| !valid.contains(&true));
            self.0 = work.most_gain * ROUNDING;
        }
        best.map(|best| best.candidate)
    }
}

/// Looks at those dimensions whose marks are `wanted`.
fn look<T: Labels, F: Copy>(
    candidates: &Candidates<F>,
    statistics: &SplitStatistics<T>,
    work: &mut Work<T>,
    wanted: impl Fn(&[bool]) -> bool,
) -> Option<Best> {
    let (splits, mut best) = (usize::from(candidates.points()), None);
    for index in 0..candidates.dimensions() {
        if wanted(&work.valid[index * splits..][..splits]) {
            best = better(best, &statistics.dimension(candidates, index), work);
        }
    }
    best
}

/// The best split so far, or a valid one of this dimension. Of splits with equal gains the last one
/// is best (Algorithm 7: `≥`).
fn better<T: Labels>(
    mut best: Option<Best>,
    of: &Dimension<'_, T>,
    work: &mut Work<T>,
) -> Option<Best> {
    of.sums().gains(of, work);
    let valid = &work.valid[of.index * of.sources.len()..];
    for (rank, (&gain, &valid)) in work.gains.iter().zip(valid).enumerate() {
        if valid && best.is_none_or(|best| gain >= best.gain) {
            let dimension = of.index;
            let candidate = Candidate { dimension, rank };
            best = Some(Best { candidate, gain });
        }
    }
    best
}
