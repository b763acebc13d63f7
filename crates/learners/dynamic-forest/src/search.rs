//! The cut of a node: the best of its candidates.

use std::marker::PhantomData;

use forest_core::{SampleId, SampleStore, Task};

use crate::candidates::{Range, divide_categories};
use crate::features::FeatureOrder;
use crate::hash::{Draws, NodeKey};
use crate::labels::sealed::{Code, Tally};
use crate::nodes::Cut;
use crate::scratch::fit;
use crate::set::Samples;
use crate::settings::Choice;

/// Working memory of the search, and the column of the cut that it found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search<C, Y> {
    pub(crate) order: FeatureOrder,
    column: Vec<f32>,
    /// The same with its categories divided.
    divided: Vec<f32>,
    /// The values of the samples at the feature of the cut, with categories divided.
    pub(crate) best: Vec<f32>,
    tally: Y,
    codes: PhantomData<C>,
}

/// A feature that differs in a node.
#[derive(Clone, Copy)]
struct Candidate {
    feature: u32,
    range: Range,
}

impl Candidate {
    /// Returns one of its cuts of a column.
    #[inline]
    fn cut(self, key: NodeKey, number: u32, column: &[f32]) -> Cut {
        self.range.cut(key, self.feature, number, column)
    }
}

impl<C: Code, Y: Tally<C>> Search<C, Y> {
    pub(crate) fn fit(&mut self, features: usize, samples: usize) {
        self.order.fit(features);
        fit(&mut self.column, samples);
        fit(&mut self.divided, samples);
        fit(&mut self.best, samples);
        self.tally.fit(samples);
    }

    /// Returns the cut of a node with these samples, which differ in their code; `None` if they are all at the same point, or no cut leaves
    /// enough on each side.
    ///
    /// Features come in the order of the node's key, and those that are constant in the node are skipped until
    /// K are found. The best is the one with the largest gain, the first of them if several have it.
    pub(crate) fn choose<T: Task>(
        &mut self,
        key: NodeKey,
        samples: Samples<'_, C>,
        store: &SampleStore<T>,
        choice: Choice,
    ) -> Option<Cut> {
        let mut draws = key.order();
        let best;
        if samples.len() == 2 {
            // Every candidate separates two samples, and the first wins.
            let candidate = self.candidate(&mut draws, samples, store);
            best = candidate.map(|candidate| candidate.cut(key, 0, &self.column));
            std::mem::swap(&mut self.column, &mut self.best);
            self.divide_best(candidate, best);
        } else {
            self.tally.begin(samples.codes, choice.side);
            best = self.best_of(key, &mut draws, samples, store, choice);
            self.tally.end(samples.codes);
        }
        self.order.restart();
        best
    }

    /// Returns the next feature that differs, whose values are in `column`.
    #[inline(always)]
    fn candidate<T: Task>(
        &mut self,
        draws: &mut Draws,
        samples: Samples<'_, C>,
        store: &SampleStore<T>,
    ) -> Option<Candidate> {
        while let Some(feature) = self.order.next(draws) {
            let range = read_column(store, samples.ids, feature, &mut self.column);
            if range.differs(&self.column) {
                return Some(Candidate { feature, range });
            }
        }
        None
    }

    fn best_of<T: Task>(
        &mut self,
        key: NodeKey,
        draws: &mut Draws,
        samples: Samples<'_, C>,
        store: &SampleStore<T>,
        choice: Choice,
    ) -> Option<Cut> {
        let largest_gain = self.tally.largest_gain();
        let (mut best, mut of_best, mut largest) = (None, None, f64::NEG_INFINITY);
        for _ in 0..choice.features {
            let Some(candidate) = self.candidate(draws, samples, store) else {
                break;
            };
            let before = largest;
            for number in 0..choice.thresholds {
                let cut = candidate.cut(key, number, &self.column);
                let gain = self.gain(candidate, cut, samples.codes);
                if gain > largest {
                    (best, largest) = (Some(cut), gain);
                }
            }
            if largest > before {
                std::mem::swap(&mut self.column, &mut self.best);
                of_best = Some(candidate);
            }
            // Another can at most tie, and the first wins.
            if largest >= largest_gain {
                break;
            }
        }
        self.divide_best(of_best, best);
        best
    }

    /// Divides the categories of the column of the best cut, if it has any.
    #[inline]
    fn divide_best(&mut self, candidate: Option<Candidate>, cut: Option<Cut>) {
        let has_any = candidate.is_some_and(|candidate| candidate.range.has_categories);
        if let Some(cut) = cut.filter(|_| has_any) {
            divide_categories(&mut self.best, cut);
        }
    }

    /// Returns how good a cut of the column is.
    #[inline]
    fn gain(&mut self, candidate: Candidate, cut: Cut, codes: &[C]) -> f64 {
        if !candidate.range.has_categories {
            return self.tally.gain(&self.column, cut.threshold, codes);
        }
        self.gain_of_categories(cut, codes)
    }

    #[cold]
    #[inline(never)]
    fn gain_of_categories(&mut self, cut: Cut, codes: &[C]) -> f64 {
        self.divided.clone_from(&self.column);
        divide_categories(&mut self.divided, cut);
        self.tally.gain(&self.divided, cut.level(), codes)
    }
}

/// Reads the values of a feature, which the cut of a column with categories [divides](divide_categories); returns their range.
#[inline(always)]
pub(crate) fn read_column<T: Task>(
    store: &SampleStore<T>,
    ids: &[SampleId],
    feature: u32,
    column: &mut Vec<f32>,
) -> Range {
    let feature = feature as usize;
    column.clear();
    column.extend(ids.iter().map(|&id| store.features(id)[feature]));
    let has_categories = store.has_categories() && any_category(column);
    let (lo, hi) = if has_categories {
        range_of_numbers(column)
    } else {
        range(column)
    };
    Range {
        lo,
        hi,
        has_categories,
    }
}

#[cold]
#[inline(never)]
fn any_category(column: &[f32]) -> bool {
    column.iter().any(|value| value.is_nan())
}

/// Returns the least and the largest of the numbers among these values; ∞ and −∞ without any.
#[cold]
#[inline(never)]
fn range_of_numbers(column: &[f32]) -> (f32, f32) {
    let empty = (f32::INFINITY, f32::NEG_INFINITY);
    let widen = |(lo, hi), &value: &f32| (least(lo, value), largest(hi, value));
    column.iter().fold(empty, widen)
}

/// Returns the least and the largest of these numbers.
#[inline(always)]
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
