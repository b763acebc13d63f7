//! Looking at every candidate split: the best one, and what tells when to look again.

use crate::candidates::{Candidate, Candidates};
use crate::labels::{Labels, Sums as _, Work};
use crate::statistics::{Dimension, SplitStatistics};

/// The best of the candidate splits that were asked for, and its gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Best {
    pub(crate) candidate: Candidate,
    pub(crate) gain: f64,
}

/// What a look at every candidate split has shown.
#[derive(Default)]
pub(crate) struct Search {
    pub(crate) best: Option<Best>,
    /// The largest gain times points, of valid splits or not.
    pub(crate) most: f64,
}

impl Search {
    /// Looks at the dimensions that have a split which `work` marks as valid.
    pub(crate) fn of_valid<T: Labels, F: Copy>(
        candidates: &Candidates<F>,
        shown: &SplitStatistics<T>,
        work: &mut Work<T>,
    ) -> Self {
        let mut search = Self::default();
        shown.count_by_source(candidates, &mut work.counted);
        let first = shown.dimension(candidates, 0);
        first.sums().prepare(&first, work);
        search.look(candidates, shown, work, |valid| valid.contains(&true));
        search
    }

    /// Looks at the other dimensions, too; `work` is as before.
    pub(crate) fn look_at_others<T: Labels, F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        shown: &SplitStatistics<T>,
        work: &mut Work<T>,
    ) {
        self.look(candidates, shown, work, |valid| !valid.contains(&true));
    }

    /// Looks at those dimensions whose marks are `wanted`.
    fn look<T: Labels, F: Copy>(
        &mut self,
        candidates: &Candidates<F>,
        shown: &SplitStatistics<T>,
        work: &mut Work<T>,
        wanted: impl Fn(&[bool]) -> bool,
    ) {
        let splits = usize::from(candidates.points());
        for index in 0..candidates.dimensions() {
            if wanted(&work.valid[index * splits..][..splits]) {
                self.take(&shown.dimension(candidates, index), work);
            }
        }
    }

    /// Looks at the splits of one dimension; `work` tells which of all splits are valid. Of splits with
    /// equal gains the last one is best (Algorithm 7: `≥`).
    fn take<T: Labels>(&mut self, shown: &Dimension<'_, T>, work: &mut Work<T>) {
        shown.sums().gains(shown, work);
        let valid = &work.valid[shown.index * shown.sources.len()..];
        let splits = work.gains.iter().zip(&work.sizes).zip(valid);
        for (rank, ((&gain, sizes), &valid)) in splits.enumerate() {
            self.most = self.most.max(gain * sizes.both as f64);
            if valid && self.best.is_none_or(|best| gain >= best.gain) {
                let dimension = shown.index;
                let candidate = Candidate { dimension, rank };
                self.best = Some(Best { candidate, gain });
            }
        }
    }
}
