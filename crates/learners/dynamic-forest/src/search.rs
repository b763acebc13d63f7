//! The cut of a node: the best of its candidates.

use forest_core::{SampleId, SampleStore, Task};

use crate::features::FeatureOrder;
use crate::hash::{Draws, NodeKey};
use crate::labels::sealed::Sums;
use crate::labels::sealed::Tally;
use crate::nodes::Cut;
use crate::scratch::fit;
use crate::set::Samples;
use crate::settings::Choice;
use crate::threshold::threshold;

/// Working memory of the search, and the column of the cut that it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search<T: Sums> {
    pub(crate) order: FeatureOrder,
    column: Vec<f32>,
    /// The values of the samples at the feature of the cut.
    pub(crate) best: Vec<f32>,
    tally: T::Tally,
}

/// A feature that differs in a node, and its range.
#[derive(Clone, Copy)]
struct Candidate {
    feature: u32,
    lo: f32,
    hi: f32,
}

impl Candidate {
    /// Returns the cut at one of its thresholds.
    #[inline]
    fn cut(self, draws: Draws) -> Cut {
        Cut {
            feature: self.feature,
            threshold: threshold(draws, self.lo, self.hi),
        }
    }
}

impl<T: Sums> Search<T> {
    pub(crate) fn fit(&mut self, features: usize, samples: usize) {
        self.order.fit(features);
        fit(&mut self.column, samples);
        fit(&mut self.best, samples);
        self.tally.fit(samples);
    }

    /// Returns the cut of a node with these samples, which differ in their code; `None` if they are all at the same point, or no cut leaves
    /// enough on each side.
    ///
    /// Features come in the order of the node's key, and those that are constant in the node are skipped until
    /// K are found. The best is the one with the largest gain, the first of them if several have it.
    pub(crate) fn choose(
        &mut self,
        key: NodeKey,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T::Task>,
        choice: Choice,
    ) -> Option<Cut> {
        let mut draws = key.order();
        let best;
        if samples.len() == 2 {
            // Every candidate separates two samples, and the first wins.
            best = self
                .candidate(&mut draws, samples, store)
                .map(|candidate| candidate.cut(key.threshold(candidate.feature)));
            std::mem::swap(&mut self.column, &mut self.best);
        } else {
            self.tally.begin(samples.codes, choice.side);
            best = self.best_of(key, &mut draws, samples, store, choice);
            self.tally.end(samples.codes);
        }
        self.order.restart();
        best
    }

    /// Returns the next feature that differs, whose values are in `column`.
    #[inline]
    fn candidate(
        &mut self,
        draws: &mut Draws,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T::Task>,
    ) -> Option<Candidate> {
        while let Some(feature) = self.order.next(draws) {
            let (lo, hi) = read_column(store, samples.ids, feature, &mut self.column);
            if lo < hi {
                return Some(Candidate { feature, lo, hi });
            }
        }
        None
    }

    fn best_of(
        &mut self,
        key: NodeKey,
        draws: &mut Draws,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T::Task>,
        choice: Choice,
    ) -> Option<Cut> {
        let largest_gain = self.tally.largest_gain();
        let (mut best, mut largest) = (None, f64::NEG_INFINITY);
        for _ in 0..choice.features {
            let Some(candidate) = self.candidate(draws, samples, store) else {
                break;
            };
            let before = largest;
            let mut of_threshold = key.threshold(candidate.feature);
            for number in 1..=choice.thresholds {
                let cut = candidate.cut(of_threshold);
                let gain = self.tally.gain(&self.column, cut.threshold, samples.codes);
                if gain > largest {
                    (best, largest) = (Some(cut), gain);
                }
                of_threshold = key.threshold_number(candidate.feature, number);
            }
            if largest > before {
                std::mem::swap(&mut self.column, &mut self.best);
            }
            // Another can at most tie, and the first wins.
            if largest >= largest_gain {
                break;
            }
        }
        best
    }
}

/// Reads the values of a feature, which are finite; returns the least and the largest.
#[inline]
pub(crate) fn read_column<T: Task>(
    store: &SampleStore<T>,
    ids: &[SampleId],
    feature: u32,
    column: &mut Vec<f32>,
) -> (f32, f32) {
    let feature = feature as usize;
    column.clear();
    column.extend(ids.iter().map(|&id| store.features(id)[feature]));
    range(column)
}

/// Returns the least and the largest of these values.
#[inline]
fn range(column: &[f32]) -> (f32, f32) {
    // Eight at a time, independent of each other.
    const LANES: usize = 8;
    let (parts, rest) = column.as_chunks::<LANES>();
    let (mut lo, mut hi) = (column[0], column[0]);
    if !parts.is_empty() {
        let (mut los, mut his) = (parts[0], parts[0]);
        for part in parts {
            for lane in 0..LANES {
                los[lane] = least(los[lane], part[lane]);
                his[lane] = largest(his[lane], part[lane]);
            }
        }
        (lo, hi) = (
            los.into_iter().fold(lo, least),
            his.into_iter().fold(hi, largest),
        );
    }
    for &value in rest {
        (lo, hi) = (least(lo, value), largest(hi, value));
    }
    (lo, hi)
}

#[inline]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline]
fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
