//! The cut of a node: the best of its candidates.

use forest_core::{SampleId, SampleStore};

use crate::Labels;
use crate::features::FeatureOrder;
use crate::hash::{Draws, NodeKey};
use crate::labels::sealed::Tally;
use crate::nodes::Cut;
use crate::scratch::fit;
use crate::set::Samples;
use crate::threshold::threshold;

/// Working memory of the search, and the column of the cut that it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search<T: Labels> {
    pub(crate) order: FeatureOrder,
    column: Vec<f32>,
    /// The values of the samples at the feature of the cut.
    pub(crate) best: Vec<f32>,
    tally: T::Tally,
}

impl<T: Labels> Search<T> {
    pub(crate) fn fit(&mut self, features: usize, samples: usize) {
        self.order.fit(features);
        fit(&mut self.column, samples);
        fit(&mut self.best, samples);
        self.tally.fit(samples);
    }

    /// The cut of a node with these samples, which differ in their code; `None` if they are all at the same point.
    ///
    /// Features come in the order of the node's key, and those that are constant in the node are passed over, until
    /// `candidates` are found. The best is the one with the largest gain, the first of them if several have it.
    pub(crate) fn choose(
        &mut self,
        key: NodeKey,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T>,
        candidates: usize,
    ) -> Option<Cut> {
        let mut draws = key.order();
        let best;
        if samples.len() == 2 {
            // Every candidate tells two samples apart, and the first wins.
            best = self.candidate(key, &mut draws, samples, store);
            std::mem::swap(&mut self.column, &mut self.best);
        } else {
            self.tally.begin(samples.codes);
            best = self.best_of(key, &mut draws, samples, store, candidates);
            self.tally.end(samples.codes);
        }
        self.order.restart();
        best
    }

    /// The next candidate, whose values are in `column`.
    #[inline]
    fn candidate(
        &mut self,
        key: NodeKey,
        draws: &mut Draws,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T>,
    ) -> Option<Cut> {
        while let Some(feature) = self.order.next(draws) {
            let (lo, hi) = read_column(store, samples.ids, feature, &mut self.column);
            if lo < hi {
                let threshold = threshold(key.threshold(feature), lo, hi);
                return Some(Cut { feature, threshold });
            }
        }
        None
    }

    fn best_of(
        &mut self,
        key: NodeKey,
        draws: &mut Draws,
        samples: Samples<'_, T::Code>,
        store: &SampleStore<T>,
        candidates: usize,
    ) -> Option<Cut> {
        let largest_gain = self.tally.largest_gain();
        let mut best: Option<(f64, Cut)> = None;
        for _ in 0..candidates {
            let Some(cut) = self.candidate(key, draws, samples, store) else {
                break;
            };
            let gain = self.tally.gain(&self.column, cut.threshold, samples.codes);
            if best.is_none_or(|(largest, _)| gain > largest) {
                best = Some((gain, cut));
                std::mem::swap(&mut self.column, &mut self.best);
            }
            // Another can at most be as good, and the first wins.
            if gain >= largest_gain {
                break;
            }
        }
        best.map(|(_, cut)| cut)
    }
}

/// Reads the values of a feature, which are finite; returns the least and the largest.
#[inline]
pub(crate) fn read_column<T: Labels>(
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

/// The least and the largest of these values.
#[inline]
fn range(column: &[f32]) -> (f32, f32) {
    // Eight at a time, none of which waits for another.
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
